import type { Answer } from '../ask/command/answer.ts';
import type { DataRequest, GivenArguments, LookUp, ResultContext } from '../ask/command/command.ts';
import { defineCommand } from '../ask/command/command.ts';
import { makeScreenOnlyHint } from '../ask/values/value-hints.ts';
import { isScreenOnly } from '../contract/figures.ts';
import { MAX_DAYS_BETWEEN_ANNUAL_REPORTS } from '../contract/max-ages.ts';
import { findGivenText, type RawParameters, withParameter } from '../contract/question.ts';
import type { MetricValue } from '../contract/resources/metrics.ts';
import { option, say } from '../contract/text/text.ts';
import { countDaysBetween } from '../platform/dates.ts';
import { makeNote, makeNoteIf } from '../result/notice.ts';
import { type Column, makeFieldColumns, makeNestedColumns, makeTable } from '../result/table.ts';
import {
  makeAnnouncementNotices,
  makeLaterReportsNotices,
  makePartialFactsNotices,
  PARTIAL_FACTS_COLUMN,
} from './reports/report-notices.ts';
import type { OlderFigures } from './statements/kinds-of-rows.ts';
import { findNewestEnd, findOlderFigures, findPresplit, makeOlderNotices } from './statements/kinds-of-rows.ts';
import { comparePlaces, findRowPlace } from './statements/layouts.ts';
import {
  formatHeading,
  makeChartNotes,
  makeLatestBlocks,
  makeMetricCharts,
  makeStatementBlocks,
  makeUndatedSplitNotices,
  type StatementView,
} from './statements/statement-blocks.ts';
import { readStatementRequest, STATEMENT_OPTIONS } from './statements/statement-options.ts';
import {
  BASIS_BREAK_COLUMN,
  DEFAULT_CHART_KEYS_TEXT,
  makeComparisonColumns,
  makeStatementsRequest,
  makeStatementView,
  REPORTED_METRICS_CHOICE,
  VALUE_COLUMN,
} from './statements/statement-result.ts';

export default defineCommand({
  operation: 'metrics',
  args: [{ parameter: 'ticker', many: true }],
  fetchesAllRows: true,
  examples: {
    'metrics AAPL --period annual': 'financial statements, with one column per year',
    'metrics MSFT --statement income --years 5 --growth': 'five years, with growth over the previous year',
    'metrics NVDA --statement income --quarters 8 --common-size':
      'eight quarters, with each amount as a percentage of revenue',
    'metrics AAPL MSFT --keys revenue,net_income --period quarterly': 'two metrics of two companies, by quarter',
    'metrics AAPL --keys revenue --period annual --as-of 2020-01-01': 'values as reported by that date',
    'metrics NVDA --keys eps_diluted --period annual --split-adjusted':
      'a per-share figure, adjusted for later stock splits',
    'metrics AAPL --compute cash_conversion=operating_cash_flow/net_income --years 5':
      'a figure of your own, for five years (see: fin help formulas)',
    'metrics AAPL --chart': 'revenue and profit by year, as a bar chart',
    'metrics AAPL --period annual --csv': 'exact figures, each with the filing that it comes from',
  },
  options: STATEMENT_OPTIONS,
  hasCharts: true,
  request: (given) => {
    const request = makeMetricsRequest(given);
    return { ...request, parameters: addCollapse(addSplitAdjustment(request.parameters, given)) };
  },
  help:
    'Shows all rows of the requested periods, with as many requests as needed; --limit shows fewer. A chart shows annual ' +
    'revenue, operating income, net income and free cash flow, unless --period, --quarters, --keys or --statement is given. If fin reads ' +
    'the release itself, a chart adjusts figures per share for later splits. Metrics are ' +
    'read from XBRL concepts: "fin lineage" shows the tagged values, as filed, and "fin raw-concepts" lists ' +
    'the concepts, but not their values. With a period other than latest, --xlsx adds a sheet of statements, with one ' +
    'column per period, before the sheet of rows.',
  result: async (answer, context) => {
    const { parameters, options } = context;
    const request = readStatementRequest(options);
    const view = request === null ? makePlainView(parameters) : makeStatementView(answer.unfiltered, request);
    const isLatest = (request?.period ?? parameters.period) === 'latest';
    const { data, unfiltered, items } = answer;
    const older = isLatest ? findOlderFigures(data) : null;
    const notes = context.wantsNotes ? await makeMetricNotices(answer, context, older) : [];
    return {
      title: formatHeading(answer, view),
      tables: [
        makeTable<MetricValue>({
          name: 'metrics',
          columns: [
            ...makeMetricColumns(findPresplit(unfiltered)),
            ...(areFiguresInTodaysShares(context, unfiltered) ? makeFieldColumns('split_ratio') : []),
            ...(older === null ? [] : [{ key: 'older', value: (row: MetricValue) => older.figures.has(row) }]),
            ...makeComparisonColumns(view),
          ],
          // Sorts rows in the order of the statements if the user requested statements.
          records:
            request === null ? items : () => data.toSorted((a, b) => comparePlaces(findRowPlace(a), findRowPlace(b))),
        }),
      ],
      layout: ({ width }) =>
        isLatest ? makeLatestBlocks(answer, view) : makeStatementBlocks(answer, { ...view, width }),
      hasSheet: !isLatest,
      charts: {
        ...{ isShownByDefault: false, notes: () => makeChartNotes(data) },
        draw: () => makeMetricCharts(data, view, answer.meta.as_of),
      },
      notices: [...makePartialFactsNotices(unfiltered), ...notes],
    };
  },
});

type MetricsAnswer = Answer<readonly MetricValue[]>;

async function makeMetricNotices(answer: MetricsAnswer, context: ResultContext, older: OlderFigures | null) {
  const request = readStatementRequest(context.options);
  const { data, meta, unfiltered } = answer;
  const { parameters, lookUp } = context;
  const { period, keys, ticker } = parameters;
  const query = { ticker: String(ticker), period: String(period), asOf: meta.as_of };
  const reported = request?.keys?.filter((key) => request.formulas?.byName.has(key) !== true);
  return [
    ...makeOutdatedNotices(answer, context, older !== null || request?.count != null),
    ...(older === null ? [] : makeOlderNotices(older)),
    ...(await makeMissingKeyNotices(answer, context, reported ?? null)),
    ...makeUndatedSplitNotices(data),
    // If the user chose keys or statements, the answer may lack the newest period. The argument is then null, so that
    // all figures of the company are requested.
    ...(await makeLaterReportsNotices(query, keys === undefined && request === null ? unfiltered : null, lookUp)),
    ...(await makeAnnouncementNoticesAsOf(String(ticker), answer, lookUp)),
  ];
}

/** Whether the figures are adjusted for later splits: by request of the user, or because the service adjusted them. */
const areFiguresInTodaysShares = ({ parameters }: ResultContext, data: readonly MetricValue[]): boolean =>
  parameters.split_adjusted === true || data.some(({ split_ratio: ratio }) => ratio !== undefined);

/**
 * For a past date, reports when the latest results in the answer were announced. If later results had been announced
 * without a report by that date, reports their announcement instead.
 */
async function makeAnnouncementNoticesAsOf(ticker: string, { data, meta }: MetricsAnswer, lookUp: LookUp) {
  if (meta.as_of === undefined) return [];
  let latest: { readonly end: string; readonly filed: string } | null = null;
  for (const { statement, end_date: end, read_from: readFrom } of data) {
    const day = readFrom?.filed_at;
    // Skips cover pages, whose dates are later than the end of the period.
    if (statement == null || statement === 'cover' || day == null) continue;
    if (latest === null || end > latest.end || (end === latest.end && day < latest.filed)) latest = { end, filed: day };
  }
  return latest === null ? [] : makeAnnouncementNotices({ ticker, ...latest, asOf: meta.as_of }, lookUp);
}

function makeMetricsRequest(given: GivenArguments): DataRequest<readonly MetricValue[]> {
  const request = readStatementRequest(given.options, given.unchecked);
  if (request !== null) return makeStatementsRequest(given, request);
  const { givenParameters, form } = given;
  const defaults = form === 'chart' ? CHART_DEFAULTS : [];
  const isMissing = ([name]: RawParameters[number]) => findGivenText(givenParameters, name) === undefined;
  const parameters = [...givenParameters, ...defaults.filter(isMissing)];
  const period = findGivenText(parameters, 'period') ?? 'latest';
  return { parameters, extent: { kind: 'metrics', choice: REPORTED_METRICS_CHOICE, hasNames: period !== 'latest' } };
}

const CHART_DEFAULTS: RawParameters = Object.entries({ period: 'annual', keys: DEFAULT_CHART_KEYS_TEXT });

/**
 * Requests figures in today's shares for a chart, because figures before and after a split have no common scale.
 * Only fin's own service gets the parameter, because another service may not know it.
 */
function addSplitAdjustment(parameters: RawParameters, { form, inProcess }: GivenArguments): RawParameters {
  const isGiven = findGivenText(parameters, 'split_adjusted') !== undefined;
  return form !== 'chart' || !inProcess || isGiven ? parameters : withParameter(parameters, 'split_adjusted', 'true');
}

/**
 * Requests one row per metric, unit and period: the service then sends up to 5,000 rows per response instead of 500.
 * Unnecessary for the latest period, which has one row per metric.
 */
function addCollapse(parameters: RawParameters): RawParameters {
  const find = (name: string) => findGivenText(parameters, name);
  if (find('collapse') !== undefined || find('limit') !== undefined) return parameters;
  return (find('period') ?? 'latest') === 'latest' ? parameters : withParameter(parameters, 'collapse', 'true');
}

const makeMetricColumns = (older: ReadonlySet<MetricValue>): readonly Column<MetricValue>[] => [
  ...makeFieldColumns('ticker', 'exchange', 'cik', 'entity_name', 'statement', 'metric_key', 'metric_label'),
  VALUE_COLUMN,
  ...makeFieldColumns('unit', 'period_kind', 'fiscal_year', 'fiscal_period', 'start_date', 'end_date', 'value_kind'),
  ...makeFieldColumns('confidence', 'revised', 'revision_count'),
  ...makeNestedColumns('read_from', 'accession_number', 'form', 'filed_at', 'kind', 'revision_rank'),
  { key: 'metric_value_id' },
  { key: 'before_split', value: (row) => older.has(row) },
  BASIS_BREAK_COLUMN,
  { key: 'unconfirmed' },
  PARTIAL_FACTS_COLUMN,
];

const makePlainView = ({ period }: ResultContext['parameters']): StatementView => ({
  statements: null,
  hasCount: false,
  calendar: [],
  period: period === 'all' ? 'all periods' : String(period),
  growth: null,
  share: null,
});

/** Reports requested keys for which the answer has no row. */
async function makeMissingKeyNotices(answer: MetricsAnswer, context: ResultContext, keys: readonly string[] | null) {
  const { data, isPage, meta } = answer;
  const { parameters, options, lookUp } = context;
  const named = keys ?? (options.has('keys') && Array.isArray(parameters.keys) ? parameters.keys.map(String) : []);
  if (data.length === 0) return [];
  const shownKeys = new Set(data.map(({ metric_key: key }) => key));
  const missing = [...new Set(named)].filter((key) => !shownKeys.has(key));
  // Missing keys may be on the next page.
  if (isPage && data.length === (meta.limit ?? parameters.limit)) {
    const text = `This page has no rows of ${missing.join(', ')}; later pages may have some.`;
    return makeNoteIf(missing.length > 0, 'keys_not_on_page', text, { keys: missing });
  }
  const screened = missing.filter(isScreenOnly);
  const others = missing.filter((key) => !isScreenOnly(key));
  const annualKeys = parameters.period === 'annual' ? [] : await findAnnualKeys(others, parameters, lookUp);
  const annual = say` To see the annual values of ${annualKeys.join(', ')}: ${option('period', 'annual')}`;
  const text = say`This release has no values of ${others.join(', ')} for these periods.${annualKeys.length === 0 ? '' : annual}`;
  return [
    ...makeNoteIf(others.length > 0, 'values_missing', text, { keys: others }),
    ...makeNoteIf(screened.length > 0, 'screener_only', makeScreenOnlyHint(screened), { keys: screened }),
  ];
}

/** Returns the metrics for which the company has values of fiscal years. */
async function findAnnualKeys(keys: readonly string[], given: ResultContext['parameters'], lookUp: LookUp) {
  if (keys.length === 0) return [];
  const asOf = given.as_of === undefined ? {} : { as_of: String(given.as_of) };
  const parameters = { ticker: String(given.ticker), period: 'annual', keys: keys.join(','), ...asOf };
  const answer = await lookUp('metrics', Object.entries(parameters));
  const annual = new Set(((answer?.data ?? []) as readonly MetricValue[]).map(({ metric_key: key }) => key));
  return keys.filter((key) => annual.has(key));
}

/**
 * Reports old figures: the newest period ended more than fifteen months before the release's date (or before the date
 * of `--as-of`, if earlier). Ignores the dates of cover pages.
 */
function makeOutdatedNotices({ data, meta }: MetricsAnswer, { options }: ResultContext, wantsNewest: boolean) {
  const { as_of: asOfDay, release } = meta;
  if (!wantsNewest || release == null) return [];
  const today = asOfDay !== undefined && asOfDay < release.date ? asOfDay : release.date;
  const newest = findNewestEnd(data);
  if (newest === null || countDaysBetween(newest, today) <= MAX_DAYS_BETWEEN_ANNUAL_REPORTS) return [];
  const figures = options.has('keys') ? 'The latest of these figures' : 'The latest figures';
  const asOf = asOfDay === today ? ` as of ${asOfDay}` : '';
  return [makeNote('outdated', `${figures}${asOf} are for the period to ${newest}.`, { newest })];
}
