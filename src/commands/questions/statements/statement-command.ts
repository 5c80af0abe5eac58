/** How `metrics` asks and answers where its own options choose statements or periods, or compare them. */
import { Failure } from '../../../contract/failure.ts';
import { withoutParameters, withParameter } from '../../../contract/question/question.ts';
import type { MetricValue } from '../../../contract/resources/metrics.ts';
import type { Block } from '../../../output/blocks.ts';
import type { Rows, Value } from '../../../output/rows.ts';
import { count } from '../../../output/wording.ts';
import type { Answer, KeyChoice, Prepared, QuestionCommand, RowFilter } from '../../command.ts';
import { formatOf } from '../../command-line/global-options.ts';
import type { GivenOptions } from '../../command-line/option-spec.ts';
import { filedBeforeSplit, latestBlocks, type StatementView, statementBlocks, statementNames } from './blocks.ts';
import type { Compared } from './changes.ts';
import { comparePlaces, keysOf, LAYOUTS, placeOf, type StatementId } from './layouts.ts';
import { readStatementRequest, type StatementRequest } from './options.ts';
import { isTtm, rowsOfPeriods } from './periods.ts';

type Row = MetricValue;
type MetricsCommand = Partial<QuestionCommand<readonly Row[]>>;

/** What is the same without these options. */
interface PlainCommand {
  readonly rows: (rows: readonly Row[], all: readonly Row[]) => Rows;
  readonly draw: (answer: Answer<readonly Row[]>, view: StatementView) => readonly Block[];
  /** @param missing keys that were named and have no values */
  readonly missing: (missing: readonly string[]) => readonly string[];
}

/** The most rows of one answer with keys and collapse. */
const MOST_ROWS = '5000';

/** The statements without the figures that belong to none of them. */
const REPORTED: readonly StatementId[] = ['income', 'cash_flow', 'balance', 'cover'];

/** Empty where no such option was given. Throws a usage Failure for what cannot be shown. */
export async function statementCommand(options: GivenOptions, plain: PlainCommand): Promise<MetricsCommand> {
  const request = readStatementRequest(options);
  if (request === null) return {};
  const drawn = ['chart', 'svg', 'html'].find((name) => options.has(name));
  const { statements, keys, growth, commonSize } = request;
  const compares = growth ? 'growth' : commonSize ? 'common-size' : null;
  if (drawn !== undefined && compares !== null) {
    throw new Failure('usage', `A chart draws amounts: leave --${compares} or --${drawn} out.`);
  }
  const compare = await loadComparisons(request);
  const viewOf = ({ data, unfiltered = data }: Answer<readonly Row[]>): StatementView => ({
    statements,
    period: periodName(request),
    ...compare(unfiltered),
  });
  // A drawing without named statements has its own few metrics.
  const named = keys !== null || (drawn !== undefined && statements === null);
  return {
    prepare: (given, { format }): Prepared => {
      if (compares !== null && formatOf(format).form === 'document') throw notInJson(compares);
      const kept = withoutParameters(given, 'period', 'collapse');
      const limit = given.some(([name]) => name === 'limit') ? [] : [['limit', MOST_ROWS] as const];
      const parameters = [...kept, ['period', request.period] as const, ['collapse', 'true'] as const, ...limit];
      if (keys === null || !commonSize) return { parameters, warnings: [] };
      const places = keys.map((key) => placeOf({ key, statement: null }).statement);
      const all = new Set([...keys, ...sharedOf(places)]);
      return { parameters: withParameter(parameters, 'keys', [...all].join(',')), warnings: [] };
    },
    ...(named ? {} : { byKeys: keyChoice(request) }),
    hasSheet: request.period !== 'latest',
    figureColumns: [...GROWTH.figures, ...SHARE.figures],
    rowFilter: () => rowFilter(request),
    notices: ({ data, unfiltered = data }) => {
      const wanted = data.length > 0 ? (keys ?? []) : [];
      const missing = wanted.filter((key) => !data.some((row) => row.metric_key === key));
      return [...notices(request, data, unfiltered), ...plain.missing(missing)];
    },
    view: (answer, { width }) =>
      request.period === 'latest'
        ? latestBlocks(answer, viewOf(answer))
        : statementBlocks(answer, viewOf(answer), width),
    draw: (answer) => plain.draw(answer, viewOf(answer)),
    rows: ({ data, unfiltered = data }) => {
      const rows = data.toSorted((a, b) => comparePlaces(placeOfRow(a), placeOfRow(b)));
      return withComparisons(plain.rows(rows, unfiltered), rows, compare(unfiltered));
    },
  };
}

const placeOfRow = ({ metric_key: key, statement = null }: Row) => placeOf({ key, statement });

function notInJson(option: string): Failure {
  return new Failure('usage', `--${option} adds figures of fin's own; JSON is the service's answer.`, {
    hint: 'Use --output ndjson, or --csv.',
  });
}

const PERIOD_NAMES: Readonly<Record<string, string>> = {
  annual: 'annual',
  quarter: 'quarterly',
  ttm: 'trailing twelve months',
};

function periodName({ kind, period, ttm }: StatementRequest): string {
  const name = kind === null ? (period === 'all' ? 'all periods' : period) : (PERIOD_NAMES[kind] ?? kind);
  return ttm ? `${name} and trailing twelve months` : name;
}

const shownStatements = ({ statements }: StatementRequest): readonly StatementId[] => statements ?? REPORTED;

/** What the shares of figures of these statements are of. */
const sharedOf = (statements: readonly StatementId[]): string[] => [
  ...new Set(statements.flatMap((statement) => LAYOUTS[statement].shareOf ?? [])),
];

/** The metrics of the statements, and what their shares are of. */
function keyChoice(request: StatementRequest): KeyChoice {
  const wanted = shownStatements(request);
  const bases = request.commonSize ? sharedOf(wanted) : [];
  return {
    name: statementNames(wanted),
    choose: (catalog) => {
      const keys = keysOf(wanted, catalog);
      const known = new Set(keysOf(REPORTED, catalog));
      return keys.length === 0 ? [] : [...new Set([...keys, ...bases.filter((key) => known.has(key))])];
    },
  };
}

/** Null where everything that was asked for is shown. */
function rowFilter(request: StatementRequest): RowFilter<Row> | null {
  const { statements, keys, kind, count: most, ttm, commonSize } = request;
  if (statements === null && kind === null && most === null && !ttm && !commonSize) return null;
  let last: { readonly rows: readonly Row[]; readonly kept: ReadonlySet<Row> } | null = null;
  const choose = (rows: readonly Row[]): ReadonlySet<Row> => {
    const named = rows
      .filter((row) => statements === null || statements.includes(placeOfRow(row).statement))
      .filter((row) => keys === null || keys.includes(row.metric_key));
    return new Set(request.period === 'latest' ? named : rowsOfPeriods(named, request));
  };
  return {
    keeps: (row, _, rows) => {
      if (last?.rows !== rows) last = { rows, kept: choose(rows) };
      return last.kept.has(row);
    },
    notice: () => [],
  };
}

const NO_TTM = 'The service has no trailing twelve months of these figures.';

function notices(request: StatementRequest, shown: readonly Row[], all: readonly Row[]): string[] {
  const { statements, kind, count: most, ttm, commonSize } = request;
  if (all.length === 0) return [];
  const what = statements === null ? 'figures' : `figures of the ${statementNames(statements)}`;
  const noTtm = (ttm || kind === 'ttm') && !shown.some(isTtm);
  if (noTtm && shown.length === 0) return [NO_TTM];
  if (shown.length === 0) return [`No ${what} for these periods. Others: --period all`];
  const periods = new Set(
    shown.filter((row) => row.start_date != null && row.period_kind === kind).map(({ end_date: end }) => end),
  ).size;
  const unit = kind === 'annual' ? 'fiscal year' : 'quarter';
  const lacking = sharedOf(shown.map((row) => placeOfRow(row).statement)).filter(
    (key) => !all.some((row) => row.metric_key === key),
  );
  return [
    ...(most !== null && periods > 0 && periods < most ? [`Only ${count(periods, unit)} in this release.`] : []),
    ...(noTtm ? [NO_TTM] : []),
    ...(commonSize && lacking.length > 0 ? [`No shares of ${lacking.join(' or ')}: it has no values.`] : []),
  ];
}

type Comparisons = Pick<StatementView, 'growth' | 'share'>;

/** The comparisons that were asked for, from all rows that were fetched. Arithmetic is loaded only for them. */
async function loadComparisons({
  growth,
  commonSize,
}: StatementRequest): Promise<(all: readonly Row[]) => Comparisons> {
  if (!growth && !commonSize) return () => ({ growth: null, share: null });
  const { comparisonsOf } = await import('./changes.ts');
  return (all) => {
    const compare = comparisonsOf(all, filedBeforeSplit(all));
    return { growth: growth ? compare.growth : null, share: commonSize ? compare.share : null };
  };
}

/** The comparisons as columns of their own, behind those of the service's figures. */
function withComparisons({ columns, rows }: Rows, data: readonly Row[], { growth, share }: Comparisons): Rows {
  const added = [
    ...(growth === null ? [] : [{ ...GROWTH, compare: growth }]),
    ...(share === null ? [] : [{ ...SHARE, compare: share }]),
  ];
  if (added.length === 0) return { columns, rows };
  return {
    columns: [...columns, ...added.flatMap((one) => one.columns)],
    rows: appended(rows, data, (row) => added.flatMap(({ values, compare }) => values(compare(row)))),
  };
}

interface ComparisonColumns {
  readonly columns: readonly string[];
  readonly figures: readonly string[];
  readonly values: (found: Compared | null) => readonly Value[];
}

const GROWTH: ComparisonColumns = {
  columns: ['year_before_value', 'growth'],
  figures: ['year_before_value', 'growth'],
  values: (found) => [found?.base.value ?? null, found?.value ?? null],
};

const SHARE: ComparisonColumns = {
  columns: ['common_size_of', 'common_size'],
  figures: ['common_size'],
  values: (found) => [found?.base.metric_key ?? null, found?.value ?? null],
};

function* appended(
  rows: Rows['rows'],
  data: readonly Row[],
  more: (row: Row) => readonly Value[],
): Generator<readonly Value[]> {
  const source = data.values();
  for (const values of rows) {
    const { value: row } = source.next();
    if (row === undefined) throw new Error('a row for programs is of a row of the answer');
    yield [...values, ...more(row)];
  }
}
