import {
  type ClientFilter,
  type DataRequest,
  type Delegation,
  defineCommand,
  type GivenArguments,
  type ParameterNameOf,
  type ResultContext,
} from '../ask/command/command.ts';
import type { GivenOptions, OptionSpec } from '../ask/command/option-spec.ts';
import { expandFilters } from '../ask/values/screen-filters.ts';
import { failUsage } from '../contract/failure.ts';
import { getOperation } from '../contract/operations.ts';
import { type RawParameters, withoutParameters, withParameter } from '../contract/question.ts';
import { INDUSTRY_COLUMNS } from '../contract/screen-columns.ts';
import type { ScreenRow } from '../contract/screen-row.ts';
import { quote } from '../contract/text/quote.ts';
import { option, say } from '../contract/text/text.ts';
import { makeNoteIf, type Notice } from '../result/notice.ts';
import { makeTable, type Table } from '../result/table.ts';
import { FORMULA_OPTIONS, type Formulas, readScreenFormulas } from './formulas/formulas.ts';
import { COMPANY_LIST_OPTIONS, makeAgeFilter, makeListFilter, YEAR_ENDED_WITHIN } from './screens/company-filters.ts';
import { delegatePanel, isPanel, PANEL_OPTIONS } from './screens/panel.ts';
import { makeScreenNotices } from './screens/screen-notices.ts';
import type { ScreenAnswer } from './screens/screen-table.ts';
import { chooseColumns, chooseTableColumns, makeCompaniesTable, readNamedColumns } from './screens/screen-table.ts';

const SCREEN_PARAMETER_NAMES = getOperation('screen').parameters.map(({ name }) => name as ParameterNameOf<'screen'>);

/** Parameters that are no options: `fin peers` sets `peers_of`, and the client adds the others itself. */
const HIDDEN_PARAMETERS: ReadonlySet<string> = new Set(['peers_of', 'set_aside_by', 'missing_by']);

const SUMMARY_OPTIONS: readonly OptionSpec[] = [
  { name: 'summary', help: 'Show the distribution of each figure instead of the companies' },
  { name: 'by', value: 'name', values: ['industry'], help: 'Show the distribution of each figure in each industry' },
];

const command = defineCommand({
  operation: 'screen',
  parameters: SCREEN_PARAMETER_NAMES.filter((name) => !HIDDEN_PARAMETERS.has(name)),
  parameterHelp: { columns: 'Figures to show (default in tables: those used to sort and filter, and a few more)' },
  args: [],
  examples: {
    'screen --where revenue_yoy:gt:20%': 'companies whose revenue grew by more than 20 %',
    'screen --where revenue:gt:10B --where net_margin:gte:20% --sort net_margin --dir desc':
      'large and profitable companies, best margin first',
    'screen --tickers AAPL,MSFT,NVDA --columns revenue,roe': 'figures of a list of companies',
    'screen --as-of 2019-06-28 --where revenue_yoy:gt:20%':
      'companies screened as of a past day, with the figures reported by that day',
    'screen --as-of 2010-06-30..2019-12-31 --every month --where revenue_yoy:gt:20% --csv':
      'the screen at the end of each of these months; each row has its date',
    'screen --sort revenue:desc --year-ended-within 18m':
      'the largest companies, except those whose figures are out of date',
    'screen --industry software --columns revenue,ebitda_margin,revenue_cagr_3y':
      'the companies of an industry, with revenue and two figures that are shown only if named',
    'screen --compute quick=(current_assets-cash_and_equivalents)/current_liabilities --sort quick:desc --limit 10':
      'companies sorted by a figure of your own',
    'screen --summary --by industry': 'the median of each figure, by industry',
    'screen --where roe:gt:0.3 --columns roe,net_income,stockholders_equity --all --csv':
      'selected figures for a spreadsheet',
  },
  help:
    'Write fractions as 0.2 or 20%, large values as 10M or 1.5B (suffixes K, M, B, T). Without --columns, a ' +
    'table shows the figures that you filter and sort by, and a few common figures; JSON, NDJSON and CSV have all ' +
    'figures except those that fin adds to the HTTP API, such as ebitda, and, with --as-of, those that need a price. ' +
    'If you filter or sort by such a figure, NDJSON and CSV have it, too. ' +
    'If fin reads the release itself, at "local:" or a static host, tables also show the fiscal year and its end.\n\n' +
    "Amounts are in US dollars. For a company that reports in another currency, fin's own service uses the amounts that the " +
    "company also states in dollars, and leaves other amounts empty. Ratios are computed in the company's own currency, " +
    'which the column "currency" shows.\n\n' +
    '--as-of screens all companies whose last fiscal year, as reported by that date, ended within the 18 months ' +
    'before that date, even if they have stopped reporting since. The figures are those of "fin metrics --as-of". Rows ' +
    "have the date of the company's last report (last_report) and whether it has stopped reporting since (gone): true, false, or " +
    'empty if its last report is older than 18 months, but also the last filing in its list of filings, which may be an old copy. A ' +
    'company that has no ticker today is shown by its last ticker, if insider filings prove that ticker, or as "CIK" followed by ten digits.\n\n' +
    '--as-of A..B screens many days, one after the other; the use of memory does not grow with their number. --every sets the time ' +
    'between two days: day, week, month (default), quarter or year; steps from the last day of a month lead to last days of months. ' +
    'Each row begins with its day (as_of). --per-day shows the number of companies on each day. If fin reads the release itself, on this ' +
    'machine or at a static host, it keeps what it has read for the next day; to another service, it sends requests for each day.\n\n' +
    '--industry searches the descriptions of industries, --sic the first digits of their SIC codes. Both leave out ' +
    'blank-cheque companies, funds and trusts (a notice states how many), unless --sic has their complete code. fin ' +
    'profile shows the industry description and SIC code of a company.\n\n' +
    '--summary describes each figure over all matching companies: the number of companies with and without the figure, the ' +
    'median, and the 10th and 90th percentiles; --limit and --offset count the rows of the summary.\n\n' +
    '--compute adds a figure of your own, such as earnings_yield=operating_income/market_cap (see: fin help formulas). You can filter and sort by ' +
    'it; fin then fetches all pages. A formula that a filter compares with a percentage is shown as a percentage.\n\n' +
    'The service does not filter by --year-ended-within, --tickers or --watchlist: fin fetches all pages and ' +
    'filters them itself, and --limit and --offset apply to the filtered list.',
  options: [...COMPANY_LIST_OPTIONS, YEAR_ENDED_WITHIN, ...FORMULA_OPTIONS, ...PANEL_OPTIONS, ...SUMMARY_OPTIONS],
  delegate: async (parsed): Promise<Delegation | null> =>
    isPanel(parsed) ? delegatePanel(command, parsed, makeCompanies) : null,
  request: (given) => {
    const { options } = given;
    const { parameters, notices } = expandFilters(given.givenParameters, given);
    const formulas = readScreenFormulas(options, given.unchecked);
    if (formulas !== null) return makeFormulaRequest(parameters, formulas, given, notices);
    const narrowing = combineFilters(listCompanyFilters(options));
    if (wantsSummary(options))
      return { ...makeSummaryRequest(parameters, options), narrowing: narrowing ?? ALL_ROWS_FILTER, notices };
    const columns = chooseColumns(parameters, given);
    const sent = columns === null ? parameters : withParameter(parameters, 'columns', columns.join(','));
    return { parameters: sent, narrowing, notices };
  },
  result: async (answer, context) => {
    const notices = await makeScreenNotices(answer, context);
    if (!wantsSummary(context.options)) return { tables: [await makeCompanies(answer, context)], notices };
    const { makeSummaryContent } = await import('./screens/distribution.ts');
    const content = makeSummaryContent(answer, context.options);
    return { ...content, notices: [...content.notices, ...notices] };
  },
});

type ScreenFilter = ClientFilter<readonly ScreenRow[]>;

/** Keeps all rows. Its purpose is to make the plan fetch all rows, as for every client-side filter. */
const ALL_ROWS_FILTER: ScreenFilter = { apply: (rows) => rows, notices: () => [] };

const listCompanyFilters = (options: GivenOptions): readonly ScreenFilter[] =>
  [makeListFilter(options), makeAgeFilter(options)].filter((filter) => filter !== null);

/** Combines filters, which are applied in order; null without any. */
function combineFilters(filters: readonly ScreenFilter[]): ScreenFilter | null {
  if (filters.length === 0) return null;
  return {
    apply: (data, meta) => filters.reduce((rows, { apply }) => apply(rows, meta), data),
    notices: (before, _, meta) => {
      let rows = before;
      return filters.flatMap(({ apply, notices }) => {
        const [allRows, kept] = [rows, apply(rows, meta)];
        rows = kept;
        return notices(allRows, kept, meta);
      });
    },
  };
}

/** Returns the table of companies, with the columns of formulas. */
async function makeCompanies(answer: ScreenAnswer, context: ResultContext): Promise<Table> {
  const formulas = readScreenFormulas(context.options);
  const columns = formulas === null ? [] : (await loadComputing()).makeFormulaColumns(formulas, context.options);
  return makeTable(makeCompaniesTable(answer, context, columns));
}

/** Loads the computation of formulas on demand, because it needs decimal arithmetic. */
const loadComputing = () => import('./screens/formula-columns.ts');

/**
 * Returns the request of a screen with formulas. Formulas are computed before the client's own filters, so that `rank`
 * is over all rows of the service.
 */
async function makeFormulaRequest(
  parameters: RawParameters,
  formulas: Formulas,
  given: GivenArguments,
  notices: readonly Notice[],
): Promise<DataRequest<readonly ScreenRow[]>> {
  const { options } = given;
  if (wantsSummary(options)) failUsage(say`${option('summary')} describes the figures of the service, not formulas.`);
  const { makeFormulaFilter, makeFormulaSelection, takeFormulaParameters } = await loadComputing();
  const { sent, request } = takeFormulaParameters(parameters, formulas);
  const columns = chooseColumns(sent, given, formulas);
  const companyFilters = listCompanyFilters(options);
  const selection = makeFormulaSelection(request);
  const needsAllRows = request.needsAllRows || companyFilters.length > 0;
  const planText = 'Formulas in filters, in the order or with rank need every page of the screen.';
  const isPlan = request.needsAllRows && options.has('plan');
  return {
    parameters: columns === null ? sent : withParameter(sent, 'columns', columns.join(',')),
    narrowing: combineFilters([makeFormulaFilter(formulas), ...companyFilters, ...(selection ? [selection] : [])]),
    ...(needsAllRows || options.has('all') ? {} : { extent: { kind: 'page' } }),
    notices: [...notices, ...makeNoteIf(isPlan, 'formula_pages', planText)],
  };
}

const wantsSummary = (options: GivenOptions): boolean => options.has('summary') || options.has('by');

/**
 * Returns the request of a summary: all companies, with the figures to summarize. The request has no limit and offset,
 * which apply to the rows of the summary. Throws a usage Failure if `--by` is given twice, or is not `industry`.
 */
function makeSummaryRequest(parameters: RawParameters, options: GivenOptions) {
  const [groupKey, ...others] = options.get('by') ?? [];
  if (groupKey !== undefined && (groupKey !== 'industry' || others.length > 0))
    failUsage(say`${option('by')} must be industry, not ${quote([groupKey, ...others].join(', '))}.`);
  const shown = readNamedColumns(parameters) ?? chooseTableColumns(parameters);
  const columns = [...new Set([...shown, ...(groupKey === undefined ? [] : INDUSTRY_COLUMNS)])];
  return { parameters: withParameter(withoutParameters(parameters, 'limit', 'offset'), 'columns', columns.join(',')) };
}

export default command;
