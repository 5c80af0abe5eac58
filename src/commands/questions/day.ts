import type {
  FilingsDay,
  FilingsDayForm,
  FilingsDayReport,
  FilingsDayTrade,
} from '../../contract/resources/filings.ts';
import { type Block, type Cell, fields, figure, table, title } from '../../output/blocks.ts';
import { pick, type Rows } from '../../output/rows.ts';
import { count } from '../../output/wording.ts';
import { type Answer, command } from '../command.ts';
import { DAYS_HINT, readPastDay } from '../pipeline/past-day.ts';
import { DAY_OPTIONS, narrowDay, showsParts } from './shared/day-filters.ts';
import { FILING_COLUMNS, filingTable, timeOf } from './shared/filing-table.ts';
import { fiscalLabel } from './shared/labels.ts';

export default command({
  operation: 'day',
  args: [{ parameter: 'date', optional: true, read: readPastDay }],
  valueHints: { date: DAYS_HINT },
  examples: [
    { line: 'day', shows: 'the latest day in the release' },
    { line: 'day --forms 8-K --items 2.02 --since 5d', shows: 'results that were announced in the last five days' },
    { line: 'day --csv', shows: 'its reports and notices, a row each' },
    { line: 'day --rows forms', shows: 'how many filings of each form it has' },
  ],
  options: DAY_OPTIONS,
  narrow: narrowDay,
  walkTo: (options) => options.get('since')?.at(-1) ?? null,
  help:
    '--forms and --items are no parameters of the service: its lists are filtered here. --since asks for each day with filings, ' +
    'one request a day, newest first; a length of time such as 5d counts back from the day shown, and --plan prints the most ' +
    'requests it can take.',
  notices: ({ data }, { options = new Map() }) => {
    if (showsParts(options)) return [];
    const { filings, date, days } = data;
    if (filings > 0) return unlistedNotice(data);
    const before = days.findLast((other) => other.date < date && other.filings > 0);
    const last = before === undefined ? '' : ` The last day before it with filings: ${before.date}`;
    return [`No filings on ${date}.${last}`];
  },
  view: ({ data }, { options = new Map() }) =>
    showsParts(options) ? partsOf(data, options.has('since')) : wholeDay(data),
  rows: filingRows,
  rowChoices: { filings: filingRows, forms: formRows, days: dayRows, trades: tradeRows, summary: summaryRows },
});

function filingRows({ data }: Answer<FilingsDay>): Rows {
  return pick(
    ['part', ...FILING_COLUMNS, 'revenue', 'revenue_start', 'revenue_end', 'prior_revenue'],
    [
      ...data.reports.map((report) => ({ part: 'report', filed_at: data.date, ...report })),
      ...data.lines.map((line) => ({ part: 'line', ...line })),
    ],
  );
}

/** How many filings of each form the day has. */
function formRows({ data: { forms, date } }: Answer<FilingsDay>): Rows {
  return pick(
    ['date', 'form', 'filings'],
    forms.map((form) => ({ date, ...form })),
  );
}

/** How many filings each of the last days has. */
function dayRows({ data: { days } }: Answer<FilingsDay>): Rows {
  return pick(['date', 'filings'], days);
}

/** The largest insider trades of the day. */
function tradeRows({ data: { insiders, date } }: Answer<FilingsDay>): Rows {
  return pick(
    [
      'date',
      'kind',
      'ticker',
      'cik',
      'entity_name',
      'owner_name',
      'officer_title',
      'is_director',
      'is_officer',
      'is_ten_percent_owner',
      'shares',
      'value',
      'accession_number',
      'source_url',
    ],
    insiders.largest.map((trade) => ({ date, ...trade })),
  );
}

/** What the day counts, in one row. */
function summaryRows({ data }: Answer<FilingsDay>): Rows {
  return pick(
    [
      'date',
      'latest',
      'filings',
      'companies',
      'lines_total',
      'purchases',
      'purchase_value',
      'sales',
      'sale_value',
      'live',
      'updated_at',
    ],
    [{ ...data, ...data.insiders }],
  );
}

const wholeDay = (data: FilingsDay): readonly Block[] => [
  title(`Filings on ${data.date}${data.live === true ? ' (so far)' : ''}`),
  fields([
    ['Filings', data.filings],
    ['Companies', data.companies],
    ...(data.forms.length === 0 ? [] : [['Forms', listForms(data.forms)] as const]),
    ...(data.days.length === 0 ? [] : [['Last 14 days', dailyBars(data)] as const]),
    ['Insider purchases', data.insiders.purchases],
    ['  worth', figure(data.insiders.purchase_value, 'money')],
    ['Insider sales', data.insiders.sales],
    ['  worth', figure(data.insiders.sale_value, 'money')],
  ]),
  ...section('Reports', data.reports.length, () => reports(data.reports, data.date)),
  ...section('Current reports and notices', data.lines.length, () => filingTable(data.lines, data.date)),
  ...section('Largest insider trades', data.insiders.largest.length, () => trades(data.insiders.largest)),
];

/** Only the lists, of one day or of several: what the service counts is of whole days. */
function partsOf(data: FilingsDay, isSeveral: boolean): readonly Block[] {
  const { date, days, reports: filed, lines } = data;
  const first = days[0]?.date ?? date;
  // Of several days each time is with its date.
  const day = isSeveral ? '' : date;
  return [
    title(isSeveral ? `Filings from ${first} to ${date} (${count(days.length, 'day')})` : `Filings on ${date}`),
    ...section('Reports', filed.length, () => reports(filed, day)),
    ...section('Current reports and notices', lines.length, () => filingTable(lines, day)),
  ];
}

const MOST_FORMS = 8;

function listForms(forms: readonly FilingsDayForm[]): string {
  const named = forms.slice(0, MOST_FORMS).map(({ form, filings }) => `${form}: ${filings}`);
  const more = forms.length - named.length;
  return named.join(', ') + (more > 0 ? ` and ${count(more, 'more form')}` : '');
}

/** A notice of the filings that the answer counts but lists neither as reports nor as notices. */
function unlistedNotice({ filings, forms, reports, lines, lines_total: total }: FilingsDay): string[] {
  const cut = total > lines.length;
  const counted = forms.flatMap(({ form, filings: all }) => {
    const shown = [...reports, ...lines].filter((row) => row.form === form).length;
    // A form of a list that is cut has the notice of its page.
    return all <= shown || (cut && shown > 0) ? [] : [{ form, filings: all - shown }];
  });
  if (counted.length === 0) return [];
  const number = counted.reduce((sum, one) => sum + one.filings, 0);
  return [
    `${number} of ${count(filings, 'filing')} are not listed (${listForms(counted)}). To list a company's filings: fin filings <ticker>`,
  ];
}

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** One bar for each day that has filings, the latest last. */
function dailyBars({ days }: FilingsDay): string {
  const most = Math.max(1, ...days.map(({ filings }) => filings));
  const heights = days.map(
    ({ filings }) => BARS[Math.min(BARS.length - 1, Math.floor((filings / most) * BARS.length))],
  );
  return `${heights.join('')}  ${days.length} with filings, at most ${most} a day`;
}

const section = (heading: string, rows: number, block: () => Block): Block[] =>
  rows === 0 ? [] : [title(heading), block()];

function reports(rows: readonly FilingsDayReport[], day: string): Block {
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
      timeOf(row.accepted_at, day),
      row.ticker ?? null,
      row.entity_name,
      { text: row.form, tone: 'strong' },
      fiscalLabel(row) ?? row.report_date ?? null,
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
