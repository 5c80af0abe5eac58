import { isScreenOnly, METRIC_KEYS } from '../../contract/figures.ts';
import type { RawParameters } from '../../contract/question/question.ts';
import type { MetricValue } from '../../contract/resources/metrics.ts';
import { type Block, chartBlock, note } from '../../output/blocks.ts';
import { map, type Rows, type Value } from '../../output/rows.ts';
import { daysBetween } from '../../platform/dates.ts';
import { type Answer, command, type Prepared, type ViewContext } from '../command.ts';
import { formatOf } from '../command-line/global-options.ts';
import { laterReportsNotice } from './shared/later-reports.ts';
import { screenOnlyHint } from './shared/screen-only-figures.ts';
import {
  BEFORE_SPLIT,
  chartHeading,
  filedBeforeSplit,
  isUnsure,
  latestBlocks,
  metricCharts,
  type StatementView,
  statementBlocks,
} from './statements/blocks.ts';
import { STATEMENT_OPTIONS } from './statements/options.ts';
import { statementCommand } from './statements/statement-command.ts';

/** The most rows of an answer without keys and collapse; a request costs the same whatever its limit. */
const LIMIT = '500';

/** With these one answer holds every statement of a company, so that no table ends in the middle of one. */
const ALL_STATEMENTS: RawParameters = [
  ['keys', METRIC_KEYS.join(',')],
  ['collapse', 'true'],
  ['limit', '5000'],
];

export default command({
  operation: 'metrics',
  args: [{ parameter: 'ticker', many: true }],
  examples: [
    { line: 'metrics AAPL --period annual', shows: 'statements, year beside year' },
    { line: 'metrics MSFT --statement income --years 5 --growth', shows: 'five years, each against the year before' },
    { line: 'metrics NVDA --statement income --quarters 8 --common-size', shows: 'eight quarters with their margins' },
    { line: 'metrics AAPL MSFT --keys revenue,net_income --period quarterly', shows: 'two figures of two companies' },
    { line: 'metrics AAPL --keys revenue --period annual --as-of 2020-01-01', shows: 'as reported by that day' },
    { line: 'metrics AAPL --chart', shows: 'revenue and profit year by year, as bars' },
    { line: 'metrics AAPL --period annual --csv', shows: 'exact figures, each with the filing it is read from' },
  ],
  options: STATEMENT_OPTIONS,
  byOptions: (options) => statementCommand(options, { rows: metricRows, draw: drawMetrics, missing: missingNotices }),
  defaults: { limit: LIMIT },
  valueHints: { keys: 'List of metrics: fin catalog' },
  prepare: (given, { format, local }): Prepared => {
    const has = (name: string): boolean => given.some(([parameter]) => parameter === name);
    const whole = formatOf(format).form === 'view' && local && has('period') && !has('keys') && !has('limit');
    const parameters = whole ? [...given, ...ALL_STATEMENTS.filter(([name]) => !has(name))] : given;
    return { parameters, warnings: [], whole };
  },
  more: ({ data }, { parameters: { keys, collapse } }) =>
    data.length < Number(LIMIT) || (keys !== undefined && collapse === true)
      ? null
      : '--keys with --collapse and --limit, up to 5000',
  notShown: cutKeys,
  notices: (answer, context) => {
    const { data, meta } = answer;
    const missing = missingKeys(answer, context, []);
    const outdated = outdatedNotice(answer, context);
    if (data.length === 0 || missing.length === 0 || data.length === (meta.limit ?? context.parameters.limit))
      return outdated;
    return [...outdated, ...missingNotices(missing)];
  },
  lookUpNotices: ({ data, meta }, { period, keys, ticker }, lookUp) => {
    // Some figures may be of earlier periods than the others.
    const all = keys === undefined ? data : null;
    return laterReportsNotice({ ticker: String(ticker), period: String(period), asOf: meta.as_of }, all, lookUp);
  },
  view: (answer, { parameters, width, options }) =>
    parameters.period === 'latest'
      ? latestBlocks(answer, plainView(parameters), width !== null && choosesNone(parameters, options))
      : statementBlocks(answer, plainView(parameters), width),
  draw: (answer, { parameters }) => drawMetrics(answer, plainView(parameters)),
  drawDefaults: { period: 'annual', keys: 'revenue,operating_income,net_income,free_cash_flow', collapse: 'true' },
  help:
    'A chart draws annual revenue, operating income, net income and free cash flow, unless --period or --keys ' +
    'are given. A metric is read from tagged concepts; the values of each, as filed: fin lineage (fin raw-concepts ' +
    'lists concepts, without values). --xlsx of statements has their lines and periods on a sheet before the rows.',
  rows: ({ data }) => metricRows(data),
});

const drawMetrics = (answer: Answer<readonly MetricValue[]>, view: StatementView): Block[] => [
  chartHeading(answer, view),
  ...metricCharts(answer.data).map(chartBlock),
  ...(filedBeforeSplit(answer.data).size === 0
    ? []
    : [note(`Some figures were ${BEFORE_SPLIT}; the table marks them.`)]),
  ...(answer.data.some(isUnsure) ? [note('Some figures have a low confidence; the table marks them.')] : []),
];

function metricRows(data: readonly MetricValue[]): Rows {
  const beforeSplit = filedBeforeSplit(data);
  return {
    columns: [...COLUMNS, ...READ_FROM.map((name) => `read_from_${name}`), 'metric_value_id', 'before_split'],
    rows: map(data, (row) => {
      // Lists of the parts, joined, take twice as long.
      const values: Value[] = [];
      for (const name of COLUMNS) values.push(row[name] ?? null);
      for (const name of READ_FROM) values.push(row.read_from?.[name] ?? null);
      values.push(row.metric_value_id, beforeSplit.has(row));
      return values;
    }),
  };
}

/** Whether the lines that are shown were left to fin. */
const choosesNone = ({ keys }: ViewContext['parameters'], options: ViewContext['options']): boolean =>
  keys === undefined && options?.has('period') === false;

const plainView = ({ period }: ViewContext['parameters']): StatementView => ({
  statements: null,
  period: period === 'all' ? 'all periods' : String(period),
  growth: null,
  share: null,
});

function missingNotices(missing: readonly string[]): string[] {
  const [screened, others] = [missing.filter(isScreenOnly), missing.filter((key) => !isScreenOnly(key))];
  return [
    ...(others.length === 0 ? [] : [`No values in this release for these periods: ${others.join(', ')}.`]),
    ...(screened.length === 0 ? [] : [screenOnlyHint(screened)]),
  ];
}

/** The requested keys without a row; where no keys were requested, those of `known`. */
function missingKeys(
  { data }: Answer<readonly MetricValue[]>,
  { parameters: { keys } }: ViewContext,
  known: readonly string[],
): readonly string[] {
  const shown = new Set(data.map(({ metric_key: key }) => key));
  // Every metric there is: added by `prepare`, not by the user.
  const named = Array.isArray(keys) && keys.join(',') !== METRIC_KEYS.join(',');
  const wanted: readonly string[] = named ? keys : known;
  return [...new Set(wanted)].filter((key) => !shown.has(key));
}

/** A sentence about the metrics that a full page may have cut. One that stands before those shown is only not reported. */
function cutKeys(answer: Answer<readonly MetricValue[]>, context: ViewContext): string | null {
  // Ratios come after the metrics.
  const place = (key: string): number => (METRIC_KEYS.includes(key) ? METRIC_KEYS.indexOf(key) : METRIC_KEYS.length);
  const places = answer.data.map(({ metric_key: key }) => place(key));
  const inOrder = places.every((one, index) => one >= (places[index - 1] ?? 0));
  const last = inOrder ? (places.at(-1) ?? -1) : -1;
  const cut = missingKeys(answer, context, METRIC_KEYS).filter((key) => place(key) > last);
  if (cut.length === 0) return null;
  if (cut.length <= MOST_NAMES) return `Not shown: ${cut.join(', ')}.`;
  return `Not shown: up to ${cut.length} metrics${inOrder ? `, from ${cut[0]} on` : ''}.`;
}

/** Fifteen months after the end of a fiscal year even an annual filer has filed the next. */
const OVERDUE = 457;

/** A notice where the newest figures are more than a fiscal year old; a cover's date is no figure's. */
function outdatedNotice({ data, meta }: Answer<readonly MetricValue[]>, { parameters }: ViewContext): string[] {
  const { as_of: day, release } = meta;
  if (parameters.period !== 'latest' || release == null) return [];
  const today = day !== undefined && day < release.date ? day : release.date;
  const newest = data.reduce<string | null>(
    (latest, { statement, end_date: end }) =>
      statement !== 'cover' && (latest === null || end > latest) ? end : latest,
    null,
  );
  if (newest === null || daysBetween(newest, today) <= OVERDUE) return [];
  const of = Array.isArray(parameters.keys) ? 'The newest of these figures' : 'The newest figures';
  return [`${of}${day === today ? ` as of ${day}` : ''} end on ${newest}.`];
}

const MOST_NAMES = 6;

const COLUMNS = [
  'ticker',
  'exchange',
  'cik',
  'entity_name',
  'statement',
  'metric_key',
  'metric_label',
  'value',
  'unit',
  'period_kind',
  'fiscal_year',
  'fiscal_period',
  'start_date',
  'end_date',
  'value_kind',
  'confidence',
  'revised',
  'revision_count',
] as const;

const READ_FROM = ['accession_number', 'form', 'filed_at', 'kind', 'revision_rank'] as const;
