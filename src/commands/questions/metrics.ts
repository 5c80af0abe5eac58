import { isScreenOnly, METRIC_KEYS } from '../../contract/figures.ts';
import type { MetricValue } from '../../contract/resources/metrics.ts';
import { chartBlock, note } from '../../output/blocks.ts';
import { map, type Rows } from '../../output/rows.ts';
import { daysBetween } from '../../platform/dates.ts';
import { type Answer, command, type Prepared, type RawParameters, type ViewContext } from '../command.ts';
import { metricCharts } from './bar-charts.ts';
import { BEFORE_SPLIT, beforeSplit } from './older-shares.ts';
import { screenOnlyHint } from './shared/screen-only-figures.ts';
import { chartHeading, latestBlocks, statementBlocks } from './shared/statement.ts';

/** One request costs the same whatever its limit, and this is the most it takes without keys and collapse. */
const LIMIT = '500';

/** The parameters under which one answer holds every statement a company ever filed; a table would else end amid one. */
const WHOLE: RawParameters = [
  ['keys', METRIC_KEYS.join(',')],
  ['collapse', 'true'],
  ['limit', '5000'],
];

export default command<readonly MetricValue[]>({
  operation: 'metrics',
  args: [{ parameter: 'ticker', many: true }],
  examples: [
    { line: 'metrics AAPL --period annual', shows: 'statements, year beside year' },
    { line: 'metrics AAPL MSFT --keys revenue,net_income --period quarterly', shows: 'two figures of two companies' },
    { line: 'metrics AAPL --keys revenue --period annual --as-of 2020-01-01', shows: 'as it stood on that day' },
    { line: 'metrics AAPL --chart', shows: 'what it earned, year by year, as bars' },
    { line: 'metrics AAPL --period annual --csv', shows: 'exact figures, each with the filing it is read from' },
  ],
  defaults: { limit: LIMIT },
  valueHints: { keys: 'fin catalog lists the metrics.' },
  prepare: (given, { format, local }): Prepared => {
    const says = (name: string): boolean => given.some(([parameter]) => parameter === name);
    const whole = format === 'table' && local && says('period') && !says('keys') && !says('limit');
    return { parameters: whole ? [...given, ...WHOLE.filter(([name]) => !says(name))] : given, warnings: [] };
  },
  more: ({ data }, { parameters: { keys, collapse } }) =>
    data.length < Number(LIMIT) || (keys !== undefined && collapse === true)
      ? null
      : '--keys with --collapse and --limit, up to 5000',
  unshown: (answer, context) => {
    const missing = missingKeys(answer, context, METRIC_KEYS);
    return missing.length === 0 ? null : `Nothing is shown of ${listed(missing)}.`;
  },
  notices: (answer, context) => {
    const { data, meta } = answer;
    const missing = missingKeys(answer, context, []);
    const old = longPast(answer, context);
    if (data.length === 0 || missing.length === 0 || data.length === (meta.limit ?? context.parameters.limit))
      return old;
    const [screened, others] = [missing.filter(isScreenOnly), missing.filter((key) => !isScreenOnly(key))];
    return [
      ...old,
      ...(others.length === 0 ? [] : [`Not on file for these periods: ${others.join(', ')}.`]),
      ...(screened.length === 0 ? [] : [screenOnlyHint(screened)]),
    ];
  },
  view: (answer, { parameters, width }) =>
    parameters.period === 'latest' ? latestBlocks(answer) : statementBlocks(answer, String(parameters.period), width),
  draw: (answer, { parameters }) => [
    ...chartHeading(answer, String(parameters.period)),
    ...metricCharts(answer.data).map(chartBlock),
    ...(beforeSplit(answer.data).size === 0 ? [] : [note(`Some bars are ${BEFORE_SPLIT}: the table marks them.`)]),
  ],
  drawDefaults: { period: 'annual', keys: 'revenue,operating_income,net_income,free_cash_flow', collapse: 'true' },
  help:
    'A chart draws annual revenue, operating income, net income and free cash flow, unless --period and --keys say ' +
    'otherwise.',
  rows: ({ data }): Rows => ({
    columns: [...COLUMNS, ...READ_FROM.map((name) => `read_from_${name}`), 'metric_value_id'],
    rows: map(data, (row) => [
      ...COLUMNS.map((name) => row[name] ?? null),
      ...READ_FROM.map((name) => row.read_from?.[name] ?? null),
      row.metric_value_id,
    ]),
  }),
});

/** Keys that were asked for, all of `known` where none were named, of which there is no row. */
function missingKeys(
  { data }: Answer<readonly MetricValue[]>,
  { parameters: { keys } }: ViewContext,
  known: readonly string[],
): readonly string[] {
  const shown = new Set(data.map(({ metric_key: key }) => key));
  // Every metric there is was this program's own wish, to have statements whole.
  const named = Array.isArray(keys) && keys.join(',') !== METRIC_KEYS.join(',');
  const wanted: readonly string[] = named ? keys : known;
  return [...new Set(wanted)].filter((key) => !shown.has(key));
}

/** Fifteen months after the end of a fiscal year even an annual filer has filed the next. */
const OVERDUE = 457;

/** Said where the newest figures are those of long ago; the date on a cover is none of a figure. */
function longPast({ data, meta }: Answer<readonly MetricValue[]>, { parameters }: ViewContext): string[] {
  const { as_of: day, release } = meta;
  if (parameters.period !== 'latest' || release == null) return [];
  const today = day !== undefined && day < release.date ? day : release.date;
  const [newest] = data
    .filter(({ statement }) => statement !== 'cover')
    .map(({ end_date: end }) => end)
    .sort()
    .reverse();
  if (newest === undefined || daysBetween(newest, today) <= OVERDUE) return [];
  const of = Array.isArray(parameters.keys) ? 'The newest of these figures' : 'The newest figures';
  return [`${of} on file${day === today ? ` by ${day}` : ''} end on ${newest}.`];
}

/** Past so many names, how many more there are says enough. */
const NAMED = 6;

const listed = (names: readonly string[]): string =>
  names.slice(0, NAMED).join(', ') + (names.length > NAMED ? ` and ${names.length - NAMED} more` : '');

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
