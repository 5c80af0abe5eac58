import type { Answer, Envelope } from '../ask/command/answer.ts';
import { defineCommand } from '../ask/command/command.ts';
import type { GivenOptions } from '../ask/command/option-spec.ts';
import { makeRowsOption } from '../ask/command/options.ts';
import { readPastDay } from '../ask/values/past-day.ts';
import type {
  Filing,
  FilingsDay,
  FilingsDayForm,
  FilingsDayReport,
  FilingsDayTrade,
} from '../contract/resources/filings.ts';
import { formatCount } from '../contract/text/format-counts.ts';
import { quote } from '../contract/text/quote.ts';
import { call, option, say } from '../contract/text/text.ts';
import { makeFigureCell } from '../result/blocks.ts';
import { formatFiscalPeriod } from '../result/labels.ts';
import { makeNote, type Notice } from '../result/notice.ts';
import type { LabelledValue } from '../result/result.ts';
import { type Column, makeFieldColumns, makeTable, type Table } from '../result/table.ts';
import {
  DAY_OPTIONS,
  FORM_OPTIONS,
  hasDayFilter,
  makeDayFilter,
  refuseRows,
  UNFILTERED_TABLES,
  withNamedForms,
} from './reports/day-filters.ts';
import { DAY_FILING_COLUMNS, formatTime, makeAccessionCell, makeFilingColumns } from './reports/filing-table.ts';

export default defineCommand({
  operation: 'day',
  listsFilings: true,
  // fin filters by form itself, and sends `forms` only for forms that a service does not list otherwise.
  parameters: [],
  args: [{ parameter: 'date', optional: true, read: readPastDay }],
  examples: {
    day: 'the latest day in the release',
    'day --forms 8-K --items 2.02 --since 5d': 'results announced in the last five days',
    'day --since 5d --tickers AAPL,MSFT --new': 'filings of some companies that were not shown before',
    "day --forms 'SC 13D,SCHEDULE 13D,S-1' --since 2w":
      'new large owners and share issues, which are listed only if named',
    'day --csv': 'reports and notices of the latest day, one row each',
    'day --rows forms': 'the number of filings of each form on the latest day',
  },
  options: [...DAY_OPTIONS, makeRowsOption('filings', ...UNFILTERED_TABLES)],
  request: ({ givenParameters, options, args, inProcess }) => {
    const since = options.get('since')?.at(-1);
    refuseRows(options);
    const notices = makeReadingNotices(args[0], options);
    const parameters = withNamedForms(givenParameters, options);
    const request = { parameters, narrowing: makeDayFilter(options), notices };
    return since === undefined
      ? request
      : { ...request, extent: { kind: 'days', since, isUnlimited: inProcess || options.has('all') } };
  },
  help:
    'The service does not filter by forms, items or companies: fin filters the lists itself. --since sends one ' +
    'request for each day with filings, newest first. A length of time such as 5d counts back from the last ' +
    'day shown. --plan prints the maximum number of requests; more than 92 days need --all, except on this machine. ' +
    '--new shows only days that --since covers: with --since 5d, a run may be missed without a loss.',
  result: (answer, { options }) => {
    const { data, pages } = answer;
    const filters = hasDayFilter(options);
    return {
      title: formatTitle(data, filters, options.has('since')),
      facts: filters ? [] : makeLabelledValues(data),
      tables: [
        makeFilingsTable(answer),
        // With `--since`, the answer covers several days, so times are shown with their dates.
        makeReportsTable(data, options.has('since') ? '' : data.date),
        makeFilingLinesTable(data, options.has('since') ? '' : data.date),
        makeTradesTable(pages, FORM_OPTIONS.some((name) => options.has(name)) || options.has('since')),
        makeFormsTable(pages),
        makeDaysTable(data),
        makeSummaryTable(pages),
      ],
      notices: filters ? [] : makeDayNotices(data),
    };
  },
});

type DayAnswer = Answer<FilingsDay>;

/** A day that is also the end of a form's name, such as the 13D of SC 13D. */
const FORM_LIKE_DAY_PATTERN = /^\d{1,4}[a-z]$/i;

/** Reports how a day was read that may be the rest of a form's name, which the shell separated from its beginning. */
function makeReadingNotices(text: string | undefined, options: GivenOptions): readonly Notice[] {
  const form = options.get('forms')?.at(-1);
  if (text === undefined || form === undefined || !FORM_LIKE_DAY_PATTERN.test(text)) return [];
  const day = readPastDay(text);
  if (day === text) return [];
  const quoted = option('forms', `${form} ${text}`);
  const notice = say`${quote(text)} was read as the day ${day}. For a form with a space: ${quoted}`;
  return [makeNote('day_read', notice, { day })];
}

function formatTitle({ date, days, live }: FilingsDay, isFiltered: boolean, several: boolean): string {
  if (several)
    return `Filings from ${days[0]?.date ?? date} to ${date} (${formatCount(days.filter(({ filings }) => filings > 0).length, 'day')} with filings)`;
  return `Filings on ${date}${!isFiltered && live === true ? ' (so far)' : ''}`;
}

const makeLabelledValues = (data: FilingsDay): readonly LabelledValue[] => [
  ['Filings', data.filings],
  ['Companies', data.companies],
  ...(data.forms.length === 0 ? [] : [['Forms', formatFormCounts(data.forms)] as const]),
  ...(data.days.length === 0 ? [] : [['Last 14 days', drawDailyBars(data)] as const]),
  ['Insider purchases', data.insiders.purchases],
  ['  total value', makeFigureCell(data.insiders.purchase_value, 'money')],
  ['Insider sales', data.insiders.sales],
  ['  total value', makeFigureCell(data.insiders.sale_value, 'money')],
];

type ListedFiling = Filing &
  Partial<Pick<FilingsDayReport, 'revenue' | 'revenue_start' | 'revenue_end' | 'prior_revenue'>> & {
    readonly part: string;
  };

/**
 * Returns one table of all reports and notices, for formats of flat rows such as CSV and NDJSON. Tables for reading
 * show reports and notices separately.
 */
const makeFilingsTable = ({ data }: DayAnswer): Table =>
  makeTable<ListedFiling>({
    name: 'filings',
    columns: [
      { key: 'part' },
      ...makeFilingColumns(data.date),
      { key: 'revenue', measure: 'money' },
      ...makeFieldColumns('revenue_start', 'revenue_end'),
      { key: 'prior_revenue', measure: 'money' },
    ],
    shownKeys: [],
    records: function* () {
      for (const report of data.reports) yield { part: 'report', filed_at: data.date, ...report } as ListedFiling;
      for (const line of data.lines) yield { part: 'line', ...line };
    },
  });

const makeReportsTable = ({ reports }: FilingsDay, day: string): Table =>
  makeTable({
    name: 'reports',
    title: 'Reports',
    columns: [
      { key: 'accepted_at', label: 'Accepted (UTC)', cell: (row) => formatTime(row.accepted_at, day) },
      { key: 'ticker' },
      { key: 'entity_name', shrinkTo: 14 },
      { key: 'form', tone: 'strong' },
      { key: 'period', value: null, drop: 3, cell: (row) => formatFiscalPeriod(row) ?? row.report_date ?? null },
      { key: 'revenue', measure: 'money', drop: 1 },
      { key: 'prior_revenue', label: 'Year before', measure: 'money', drop: 1 },
      { key: 'accession_number', drop: 2, cell: makeAccessionCell },
    ] satisfies readonly Column<FilingsDayReport>[],
    records: () => reports,
  });

const makeFilingLinesTable = ({ lines }: FilingsDay, day: string): Table =>
  makeTable({
    ...{ name: 'lines', title: 'Current reports and notices' },
    ...{ columns: makeFilingColumns(day), shownKeys: DAY_FILING_COLUMNS, records: () => lines },
  });

/** Returns a function that yields the rows of every page; with `--since`, each page is one day. */
const makeRowGenerator = <Row>(pages: DayAnswer['pages'], listRows: (day: FilingsDay) => Iterable<Row>) =>
  function* (): Generator<Row> {
    for (const { data } of pages() as Iterable<Envelope<FilingsDay>>) yield* listRows(data);
  };

type DatedTrade = FilingsDayTrade & Pick<FilingsDay, 'date'>;

/** Returns the largest insider trades of each day. */
const makeTradesTable = (pages: DayAnswer['pages'], isHidden: boolean): Table =>
  makeTable<DatedTrade>({
    name: 'trades',
    title: 'Largest insider trades',
    columns: [
      { key: 'date' },
      { key: 'kind', label: 'Side', cell: ({ kind: text }) => ({ text, tone: text === 'purchase' ? 'up' : 'down' }) },
      ...makeFieldColumns('ticker', 'cik'),
      { key: 'entity_name', shrinkTo: 14, drop: 1 },
      { key: 'owner_name', label: 'Owner', shrinkTo: 14 },
      { key: 'officer_title', label: 'Role', shrinkTo: 10, drop: 2, cell: describeRole },
      ...makeFieldColumns('is_director', 'is_officer', 'is_ten_percent_owner'),
      { key: 'shares', measure: 'shares' },
      { key: 'value', measure: 'money' },
      { key: 'accession_number', drop: 3, cell: makeAccessionCell },
      { key: 'source_url' },
    ],
    shownKeys: isHidden
      ? []
      : ['kind', 'ticker', 'entity_name', 'owner_name', 'officer_title', 'shares', 'value', 'accession_number'],
    records: makeRowGenerator(pages, ({ date, insiders }) => insiders.largest.map((trade) => ({ date, ...trade }))),
  });

const describeRole = (trade: FilingsDayTrade): string =>
  trade.officer_title ?? (trade.is_director ? 'director' : trade.is_ten_percent_owner ? '10 % owner' : '');

const makeFormsTable = (pages: DayAnswer['pages']): Table =>
  makeTable<FilingsDayForm & Pick<FilingsDay, 'date'>>({
    name: 'forms',
    columns: makeFieldColumns('date', 'form', 'filings'),
    shownKeys: [],
    records: makeRowGenerator(pages, ({ date, forms }) => forms.map((form) => ({ date, ...form }))),
  });

const makeDaysTable = ({ days }: FilingsDay): Table =>
  makeTable({ name: 'days', columns: makeFieldColumns('date', 'filings'), shownKeys: [], records: () => days });

const makeSummaryTable = (pages: DayAnswer['pages']): Table =>
  makeTable<FilingsDay & FilingsDay['insiders']>({
    name: 'summary',
    columns: [
      ...makeFieldColumns('date', 'latest', 'filings', 'companies', 'lines_total', 'purchases'),
      { key: 'purchase_value', measure: 'money' },
      { key: 'sales' },
      { key: 'sale_value', measure: 'money' },
      ...makeFieldColumns('live', 'updated_at'),
    ],
    shownKeys: [],
    records: makeRowGenerator(pages, (data) => [{ ...data, ...data.insiders }]),
  });

const MAX_LISTED_FORMS = 8;

function formatFormCounts(forms: readonly FilingsDayForm[]): string {
  const formTexts = forms.slice(0, MAX_LISTED_FORMS).map(({ form, filings }) => `${form}: ${filings}`);
  const omitted = forms.length - formTexts.length;
  return formTexts.join(', ') + (omitted > 0 ? ` and ${formatCount(omitted, 'more form')}` : '');
}

function makeDayNotices(data: FilingsDay): readonly Notice[] {
  const { filings, date, days } = data;
  if (filings > 0) return makeUnlistedNotices(data);
  const previous = days.findLast((other) => other.date < date && other.filings > 0);
  const text = say`No filings on ${date}.`;
  if (previous === undefined) return [makeNote('no_filings', text, { date })];
  const hint = say`The previous day with filings: ${call('day', { date: previous.date })}`;
  return [makeNote('no_filings', say`${text} ${hint}`, { date })];
}

/** Returns a notice about filings that the answer counts, but lists neither in `reports` nor in `lines`. */
function makeUnlistedNotices({ filings, forms, reports, lines, lines_total: total }: FilingsDay): readonly Notice[] {
  const isCut = total > lines.length;
  const unlistedForms = forms.flatMap(({ form, filings }) => {
    const shown = [...reports, ...lines].filter((row) => row.form === form).length;
    // Skips a form whose list was truncated, because another notice reports the truncation.
    return filings <= shown || (isCut && shown > 0) ? [] : [{ form, filings: filings - shown }];
  });
  if (unlistedForms.length === 0) return [];
  const unlisted = unlistedForms.reduce((sum, each) => sum + each.filings, 0);
  const companyFilingsCall = call('filings', { ticker: '<ticker>' });
  const text = say`Not listed here: ${unlisted} of ${formatCount(filings, 'filing')} (${formatFormCounts(unlistedForms)}). To list the filings of a company: ${companyFilingsCall}`;
  return [makeNote('unlisted_filings', text, { unlisted, filings })];
}

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** Returns one bar per day, latest last; a bar's height is its share of the largest number of filings. */
function drawDailyBars({ days }: FilingsDay): string {
  const max = Math.max(1, ...days.map(({ filings }) => filings));
  const bars = days.map(({ filings }) => BARS[Math.min(BARS.length - 1, Math.floor((filings / max) * BARS.length))]);
  return `${bars.join('')}  ${formatCount(days.length, 'day')} with filings, at most ${max} per day`;
}
