import type {
  FilingsDay,
  FilingsDayForm,
  FilingsDayReport,
  FilingsDayTrade,
} from '../../contract/resources/filings.ts';
import { type Block, type Cell, fields, figure, table, title } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import { command } from '../command.ts';
import { count } from '../pipeline/notices.ts';
import { FILING_COLUMNS, filingTable, timeOf } from './shared/filing-table.ts';
import { fiscalLabel } from './shared/period-label.ts';

export default command<FilingsDay>({
  operation: 'day',
  args: [{ parameter: 'date', optional: true }],
  examples: [
    { line: 'day', shows: 'the latest day on file' },
    { line: 'day --csv', shows: 'its reports and notices, a filing a row' },
  ],
  notices: ({ data }) => {
    const { filings, date, days } = data;
    if (filings > 0) return notListed(data);
    const [before] = days.filter((other) => other.date < date && other.filings > 0).slice(-1);
    const last = before === undefined ? '' : `; the last day before with any is ${before.date}`;
    return [`No filing of ${date} is on file${last}.`];
  },
  view: ({ data }) => [
    title(`Filings of ${data.date}${data.live === true ? ' (still coming in)' : ''}`),
    fields([
      ['Filings', data.filings],
      ['Companies', data.companies],
      ...(data.forms.length === 0 ? [] : [['Forms', listed(data.forms)] as const]),
      ...(data.days.length === 0 ? [] : [['Fourteen days', bars(data)] as const]),
      ['Insider purchases', data.insiders.purchases],
      ['  worth', figure(data.insiders.purchase_value, 'money')],
      ['Insider sales', data.insiders.sales],
      ['  worth', figure(data.insiders.sale_value, 'money')],
    ]),
    ...named('Reports', data.reports.length, () => reports(data.reports)),
    ...named('Current reports and notices', data.lines.length, () => filingTable(data.lines, { company: true })),
    ...named('Largest insider trades', data.insiders.largest.length, () => trades(data.insiders.largest)),
  ],
  rows: ({ data }) =>
    pick(
      ['part', ...FILING_COLUMNS, 'revenue', 'revenue_start', 'revenue_end', 'prior_revenue'],
      [
        ...data.reports.map((report) => ({ part: 'report', filed_at: data.date, ...report })),
        ...data.lines.map((line) => ({ part: 'line', ...line })),
      ],
    ),
});

/** Past so many forms, how many more there are says enough. */
const NAMED = 8;

function listed(forms: readonly FilingsDayForm[]): string {
  const named = forms.slice(0, NAMED).map(({ form, filings }) => `${form}: ${filings}`);
  const more = forms.length - named.length;
  return named.join(', ') + (more > 0 ? ` and ${count(more, 'more form')}` : '');
}

/** Filings of which the answer holds but the number: its lists are of reports and of news. */
function notListed({ filings, forms, reports, lines, lines_total: total }: FilingsDay): string[] {
  const cut = total > lines.length;
  const counted = forms.flatMap(({ form, filings: all }) => {
    const shown = [...reports, ...lines].filter((row) => row.form === form).length;
    // What a full list leaves out is said of the list.
    return all <= shown || (cut && shown > 0) ? [] : [{ form, filings: all - shown }];
  });
  if (counted.length === 0) return [];
  const number = counted.reduce((sum, one) => sum + one.filings, 0);
  return [
    `${number} of ${count(filings, 'filing')} only counted, not listed (${listed(counted)}): fin filings lists each company’s.`,
  ];
}

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** One bar for each day that has filings, the latest last. */
function bars({ days }: FilingsDay): string {
  const most = Math.max(1, ...days.map(({ filings }) => filings));
  const heights = days.map(
    ({ filings }) => BARS[Math.min(BARS.length - 1, Math.floor((filings / most) * BARS.length))],
  );
  return `${heights.join('')}  ${days.length} with filings, at most ${most} a day`;
}

const named = (heading: string, rows: number, block: () => Block): Block[] =>
  rows === 0 ? [] : [title(heading), block()];

function reports(rows: readonly FilingsDayReport[]): Block {
  return table(
    [
      { key: 'accepted_at', title: 'Accepted' },
      { key: 'ticker', title: 'Ticker' },
      { key: 'entity_name', title: 'Company', shrinkTo: 14 },
      { key: 'form', title: 'Form' },
      { key: 'period', title: 'Period', drop: 3 },
      { key: 'revenue', title: 'Revenue', align: 'right', drop: 1 },
      { key: 'prior_revenue', title: 'Year before', align: 'right', drop: 1 },
      { key: 'accession_number', title: 'Accession', drop: 2 },
    ],
    rows.map((row) => [
      timeOf(row.accepted_at),
      row.ticker ?? null,
      row.entity_name,
      { text: row.form, tone: 'strong' },
      fiscalLabel({ ...row, end_date: row.report_date ?? '' }) ?? row.report_date ?? null,
      figure(row.revenue, 'money'),
      figure(row.prior_revenue, 'money'),
      accession(row),
    ]),
  );
}

function trades(rows: readonly FilingsDayTrade[]): Block {
  return table(
    [
      { key: 'kind', title: 'Side' },
      { key: 'ticker', title: 'Ticker' },
      { key: 'entity_name', title: 'Company', shrinkTo: 14, drop: 1 },
      { key: 'owner_name', title: 'Owner', shrinkTo: 14 },
      { key: 'officer_title', title: 'Role', shrinkTo: 10, drop: 2 },
      { key: 'shares', title: 'Shares', align: 'right' },
      { key: 'value', title: 'Value', align: 'right' },
      { key: 'accession_number', title: 'Accession', drop: 3 },
    ],
    rows.map((row) => [
      { text: row.kind, tone: row.kind === 'purchase' ? 'up' : 'down' },
      row.ticker ?? null,
      row.entity_name,
      row.owner_name ?? null,
      row.officer_title ?? (row.is_director ? 'director' : row.is_ten_percent_owner ? '10 % owner' : ''),
      figure(row.shares, 'shares'),
      figure(row.value, 'money'),
      accession(row),
    ]),
  );
}

function accession({ accession_number: text, source_url: link }: FilingsDayReport | FilingsDayTrade): Cell {
  return { text, tone: 'quiet', ...(link == null ? {} : { link }) };
}
