import type { Answer, Envelope } from '../ask/command/answer.ts';
import { type ClientFilter, defineCommand } from '../ask/command/command.ts';
import type { GivenOptions, OptionSpec } from '../ask/command/option-spec.ts';
import { makeRowsOption } from '../ask/command/options.ts';
import { readPastDay } from '../ask/values/past-day.ts';
import { failUsage } from '../contract/failure.ts';
import { FORMS_LISTED_IF_NAMED } from '../contract/parameters.ts';
import type { RawParameters } from '../contract/question.ts';
import type { Filing, FilingsDay, FilingsDayReport, FilingsDayTrade } from '../contract/resources/filings.ts';
import { formatCount } from '../contract/text/format-counts.ts';
import { quote } from '../contract/text/quote.ts';
import { call, joinTexts, option, say } from '../contract/text/text.ts';
import { makeFigureCell } from '../result/blocks.ts';
import { formatFiscalPeriod } from '../result/labels.ts';
import { makeNote, makeNoteIf, type Notice } from '../result/notice.ts';
import type { LabelledValue } from '../result/result.ts';
import { flatMap } from '../result/rows.ts';
import { type Column, makeFieldColumns, makeTable, type Table } from '../result/table.ts';
import { DAY_FILING_COLUMNS, formatTime, makeAccessionCell, makeFilingColumns } from './filings.ts';
import { COMPANY_LIST_OPTIONS, makeListFilter } from './screens/company-filters.ts';

/** Options of `day` that fin applies itself: filters by form and item, and ranges of days. */
const DAY_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'forms',
    value: 'names',
    help: 'Show only filings of these forms, matched exactly, such as 8-K, S-1 or SCHEDULE 13D',
  },
  { name: 'items', value: 'names', help: 'Show only 8-Ks that have all these item numbers' },
  {
    name: 'since',
    value: 'day',
    help: 'Show each day from this date on; a length of time such as 5d or 2w counts back from the last day',
  },
  ...COMPANY_LIST_OPTIONS,
];

const FORM_OPTIONS: readonly string[] = ['forms', 'items'];

/** Tables of `--rows` that ignore the filters by form and item. Only the table of trades is filtered by company. */
const UNFILTERED_TABLES: readonly string[] = ['forms', 'days', 'trades', 'summary'];

export default defineCommand({
  operation: 'day',
  listsFilings: true,
  // fin filters by form itself, and sends `forms` only for forms that a service lists only on request.
  parameters: [],
  args: [{ parameter: 'date', optional: true, read: readPastDay }],
  examples: {
    day: 'the latest day in the release',
    'day --forms 8-K --items 2.02 --since 5d': 'results announced in the last five days',
    'day --since 5d --tickers AAPL,MSFT --new': 'filings of two companies that earlier runs did not show',
    "day --forms 'SC 13D,SCHEDULE 13D,S-1' --since 2w":
      'new owners of 5 % and share offerings; without --forms, these are not listed',
    'day --csv': 'reports and notices of the latest day, as CSV with one row for each',
    'day --rows forms': 'the number of filings of each form on the latest day',
  },
  options: [...DAY_OPTIONS, makeRowsOption('filings', ...UNFILTERED_TABLES)],
  request: ({ givenParameters, options, args, inProcess }) => {
    const since = options.get('since')?.at(-1);
    refuseRows(options);
    const notices = makeReadingNotices(args[0], options);
    const parameters = withNamedForms(givenParameters, options);
    const request = { parameters, narrowing: makeDayFilter(options), notices };
    if (since === undefined) return request;
    return { ...request, extent: { kind: 'days', since, isUnlimited: inProcess || options.has('all') } };
  },
  help:
    'The service does not filter by forms, items or companies: fin filters the lists itself. --since sends one ' +
    'request for each day with filings, newest first. A length of time such as 5d counts back from the last ' +
    'day shown. --plan prints the maximum number of requests; more than 92 days need --all, unless the release is on ' +
    'this machine. --new considers only the days from --since on: with --since 5d, a daily run may be skipped without ' +
    'missing filings.',
  result: (answer, { options }) => {
    const { data, readPages } = answer;
    const filters = hasDayFilter(options);
    return {
      title: formatTitle(data, filters, options.has('since')),
      facts: filters ? [] : makeLabelledValues(data),
      tables: [
        makeFilingsTable(answer),
        // With `--since`, the answer covers several days, so times are shown with their dates.
        makeReportsTable(data, options.has('since') ? '' : data.date),
        makeFilingLinesTable(data, options.has('since') ? '' : data.date),
        makeTradesTable(readPages, FORM_OPTIONS.some((name) => options.has(name)) || options.has('since')),
        makeFormsTable(readPages),
        makeDaysTable(data),
        makeSummaryTable(readPages),
      ],
      notices: filters ? [] : makeDayNotices(data),
    };
  },
});

type DayAnswer = Answer<FilingsDay>;
type FilingsDayForm = FilingsDay['forms'][number];

/** Matches lengths of time that may be the end of a form's name, such as the 13D of SC 13D. */
const FORM_LIKE_DAY_PATTERN = /^\d{1,4}[a-z]$/i;

/** Reports as which day an argument was read that may be the end of a form's name, split at its space by the shell. */
function makeReadingNotices(text: string | undefined, options: GivenOptions): readonly Notice[] {
  const form = options.get('forms')?.at(-1);
  if (text === undefined || form === undefined || !FORM_LIKE_DAY_PATTERN.test(text)) return [];
  const day = readPastDay(text);
  if (day === text) return [];
  const quoted = option('forms', `${form} ${text}`);
  const notice = say`${quote(text)} was read as the day ${day}. For a form with a space: ${quoted}`;
  return [makeNote('day_read', notice, { day })];
}

function formatTitle({ date, days, live }: FilingsDay, isFiltered: boolean, hasSeveralDays: boolean): string {
  if (hasSeveralDays)
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
    name: 'lines',
    title: 'Current reports and notices',
    columns: makeFilingColumns(day),
    shownKeys: DAY_FILING_COLUMNS,
    records: () => lines,
  });

/** Returns a function that yields the rows of every page; with `--since`, each page is one day. */
const makeRowGenerator =
  <Row>(readPages: DayAnswer['readPages'], listRows: (day: FilingsDay) => Iterable<Row>) =>
  () =>
    flatMap(readPages() as Iterable<Envelope<FilingsDay>>, ({ data }) => listRows(data));

type DatedTrade = FilingsDayTrade & Pick<FilingsDay, 'date'>;

/** Returns the largest insider trades of each day. */
const makeTradesTable = (readPages: DayAnswer['readPages'], isHidden: boolean): Table =>
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
    records: makeRowGenerator(readPages, ({ date, insiders }) => insiders.largest.map((trade) => ({ date, ...trade }))),
  });

const describeRole = (trade: FilingsDayTrade): string =>
  trade.officer_title ?? (trade.is_director ? 'director' : trade.is_ten_percent_owner ? '10 % owner' : '');

const makeFormsTable = (readPages: DayAnswer['readPages']): Table =>
  makeTable<FilingsDayForm & Pick<FilingsDay, 'date'>>({
    name: 'forms',
    columns: makeFieldColumns('date', 'form', 'filings'),
    shownKeys: [],
    records: makeRowGenerator(readPages, ({ date, forms }) => forms.map((form) => ({ date, ...form }))),
  });

const makeDaysTable = ({ days }: FilingsDay): Table =>
  makeTable({ name: 'days', columns: makeFieldColumns('date', 'filings'), shownKeys: [], records: () => days });

const makeSummaryTable = (readPages: DayAnswer['readPages']): Table =>
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
    records: makeRowGenerator(readPages, (data) => [{ ...data, ...data.insiders }]),
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
  const hint = previous && say` The previous day with filings: ${call('day', { date: previous.date })}`;
  return [makeNote('no_filings', say`No filings on ${date}.${hint ?? ''}`, { date })];
}

/** Returns a notice about filings that the answer counts, but lists neither in `reports` nor in `lines`. */
function makeUnlistedNotices({ filings, forms, reports, lines, lines_total: total }: FilingsDay): readonly Notice[] {
  const isCut = total > lines.length;
  const unlistedForms = forms.flatMap(({ form, filings }) => {
    const listedCount = [...reports, ...lines].filter((row) => row.form === form).length;
    // Skips a form whose list was truncated, because another notice reports the truncation.
    return filings <= listedCount || (isCut && listedCount > 0) ? [] : [{ form, filings: filings - listedCount }];
  });
  if (unlistedForms.length === 0) return [];
  const unlisted = unlistedForms.reduce((sum, each) => sum + each.filings, 0);
  const companyFilingsCall = call('filings', { ticker: '<ticker>' });
  const text = say`Not listed here: ${unlisted} of ${formatCount(filings, 'filing')} (${formatFormCounts(unlistedForms)}). To list the filings of a company: ${companyFilingsCall}`;
  return [makeNote('unlisted_filings', text, { unlisted, filings })];
}

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** Returns one bar per day, latest last; the heights are proportional to the numbers of filings. */
function drawDailyBars({ days }: FilingsDay): string {
  const max = Math.max(1, ...days.map(({ filings }) => filings));
  const bars = days.map(({ filings }) => BARS[Math.min(BARS.length - 1, Math.floor((filings / max) * BARS.length))]);
  return `${bars.join('')}  ${formatCount(days.length, 'day')} with filings, at most ${max} per day`;
}

/** Whether an option selects only some filings of a day, or several days. */
const hasDayFilter = (options: GivenOptions) => options.has('new') || DAY_OPTIONS.some(({ name }) => options.has(name));

/** Throws a usage Failure if `--rows` selects a table that the filters leave unchanged. */
function refuseRows(options: GivenOptions): void {
  const table = options.get('rows')?.at(-1);
  const companyOptions = table === 'trades' ? [] : COMPANY_LIST_OPTIONS.map(({ name }) => name);
  const filter = [...FORM_OPTIONS, ...companyOptions].find((name) => readListOption(options, name).length > 0);
  if (table === undefined || !UNFILTERED_TABLES.includes(table) || filter === undefined) return;
  const text = say`${option('rows', table)} covers all filings, including those that ${option(filter)} leaves out.`;
  failUsage(text, say`Remove ${option(filter)} or ${option('rows')}.`);
}

/**
 * Returns the filter by form, item and company; null without these options. The filter removes rows from lists, but
 * leaves the service's counts unchanged.
 */
function makeDayFilter(options: GivenOptions): ClientFilter<FilingsDay> | null {
  const forms = readListOption(options, 'forms');
  const numbers = readListOption(options, 'items');
  const companies = makeListFilter(options);
  if (forms.length + numbers.length === 0 && companies === null) return null;
  const filters = [
    ...(forms.length > 0 ? [option('forms', forms.join(','))] : []),
    ...(numbers.length > 0 ? [option('items', numbers.join(','))] : []),
    ...COMPANY_LIST_OPTIONS.flatMap(({ name }) => (options.has(name) ? [option(name)] : [])),
  ];
  const isOfCompany = ({ cik, ticker }: Pick<FilingsDayTrade, 'cik' | 'ticker'>): boolean =>
    companies === null || companies.isListed({ cik, ticker: ticker ?? '' });
  const isSelected = (filing: (FilingsDay['lines'] | FilingsDay['reports'])[number]): boolean => {
    const itemNumbers = 'items' in filing ? filing.items : [];
    const hasForm = forms.length === 0 || forms.includes(filing.form.toUpperCase());
    return hasForm && numbers.every((number) => itemNumbers.includes(number)) && isOfCompany(filing);
  };
  return {
    apply: (data) => ({
      ...data,
      lines: data.lines.filter(isSelected),
      reports: data.reports.filter(isSelected),
      insiders: { ...data.insiders, largest: data.insiders.largest.filter(isOfCompany) },
    }),
    notices: (before, after) => {
      const unlisted = before.forms.filter(({ form }) => forms.includes(form.toUpperCase()) && !isListed(before, form));
      const counts = unlisted.map(({ form, filings }) => `${form} (${filings})`).join(', ');
      const kept = countListed(after);
      const all = countListed(before);
      // If the request named forms, the service lists only these, so the number of listed filings would mislead.
      const ofAll = forms.some(isListedIfNamed) ? '' : ` of ${formatCount(all, 'listed filing')}`;
      const text = say`Filtered by ${joinTexts(filters, ' and ')}: kept ${kept}${ofAll}.`;
      // Not reported with a filter by company, because the counts by form include all companies.
      const isOtherName = (form: string): boolean =>
        !forms.includes(form.toUpperCase()) &&
        forms.some((named) => getFormName(named) === getFormName(form)) &&
        (isListedIfNamed(form) || isListed(before, form));
      const others = companies === null ? before.forms.filter(({ form }) => isOtherName(form)) : [];
      const othersText = say`Forms are matched exactly. Not shown: ${others.map(({ form, filings }) => `${form} (${filings})`).join(', ')}.`;
      const unlistedText = `The service counts filings of these forms but does not list them: ${counts}.`;
      return [
        makeNote('narrowed', text, { kept, all }),
        ...makeNoteIf(others.length > 0, 'other_forms', othersText, { forms: others }),
        ...makeNoteIf(unlisted.length > 0, 'unlisted_forms', unlistedText, { forms: unlisted }),
      ];
    },
  };
}

/** Adds the parameter `forms` if the option names a form that a service lists only if this parameter names it. */
function withNamedForms(parameters: RawParameters, options: GivenOptions): RawParameters {
  const forms = readListOption(options, 'forms');
  return forms.some(isListedIfNamed) ? [...parameters, ['forms', forms.join(',')]] : parameters;
}

const isListedIfNamed = (form: string): boolean => FORMS_LISTED_IF_NAMED.has(form.toUpperCase());

/** Returns the name without marks of amendments and earlier spellings: since December 2024, SC 13D is SCHEDULE 13D. */
const getFormName = (form: string): string => form.toUpperCase().replace(/^SC(?:HEDULE)? |\/A$/g, '');

const readListOption = (options: GivenOptions, name: string): string[] =>
  (options.get(name) ?? [])
    .flatMap((text) => text.split(',').map((item) => item.trim().toUpperCase()))
    .filter((item) => item !== '');

const countListed = ({ lines, reports }: FilingsDay): number => lines.length + reports.length;

const isListed = ({ lines, reports }: FilingsDay, form: string): boolean =>
  [...lines, ...reports].some((filing) => filing.form === form);
