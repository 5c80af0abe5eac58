/** How `metrics` handles its own options, which select statements or periods or compare them: requests and results. */
import type { Answer } from '../../../ask/answer.ts';
import type { Narrowing, Request, Typed } from '../../../ask/command.ts';
import type { KeyChoice } from '../../../ask/fetch/key-choice.ts';
import { Failure } from '../../../contract/failure.ts';
import { withoutParameters, withParameter } from '../../../contract/question/question.ts';
import type { MetricValue } from '../../../contract/resources/metrics.ts';
import { MISSING_TEXT } from '../../../contract/text/missing-text.ts';
import { option, say } from '../../../contract/text/text.ts';
import { type Notice, noteOf } from '../../../result/notice.ts';
import type { Column } from '../../../result/table.ts';
import { count } from '../../../result/wording.ts';
import { filedBeforeSplit, type StatementView, statementNames } from './blocks.ts';
import type { Compare, Compared } from './changes.ts';
import { COMMON_SIZE_BASE, keysOf, placeOf, type StatementId } from './layouts.ts';
import type { StatementRequest } from './options.ts';
import { isTtm, rowsOfPeriods } from './periods.ts';

type Row = MetricValue;

/** The statements, without the figures outside them. */
const REPORTED: readonly StatementId[] = ['income', 'cash_flow', 'balance', 'cover'];

/** Throws a usage Failure for options that cannot be combined. */
export function requestStatements({ given, form, options }: Typed, request: StatementRequest): Request<readonly Row[]> {
  const { keys, growth, commonSize, statements } = request;
  const compares = growth ? 'growth' : commonSize ? 'common-size' : null;
  if (compares !== null) refuseComparison(form, compares);
  const kept = withoutParameters(given, 'period');
  const isDrawn = form === 'chart' && statements === null && keys === null;
  const parameters = [...kept, ['period', request.period] as const];
  return {
    parameters: isDrawn ? withParameter(parameters, 'keys', DRAWN_KEYS) : withBases(parameters, request),
    extent: {
      kind: 'metrics',
      choice: keyChoice(request),
      named: options.has('statement') || request.period !== 'latest',
    },
    narrow: narrowing(request),
  };
}

/** The figures that a chart shows if none are named. */
export const DRAWN_KEYS = 'revenue,operating_income,net_income,free_cash_flow';

function refuseComparison(form: Typed['form'], name: string): void {
  if (form === 'chart') throw new Failure('usage', say`A chart shows amounts: remove ${option(name)}.`);
  if (form !== 'document') return;
  throw new Failure(
    'usage',
    say`${option(name)} adds figures that fin computes, but JSON is the unchanged answer of the service.`,
    {
      hint: say`Use ${option('output', 'ndjson')}, or ${option('csv')}.`,
    },
  );
}

/** The requested keys, and the keys that their shares are computed from. */
function withBases(parameters: Request['parameters'], { keys, commonSize }: StatementRequest): Request['parameters'] {
  if (keys === null || !commonSize) return parameters;
  const places = keys.map((key) => placeOf({ key, statement: null }).statement);
  return withParameter(parameters, 'keys', [...new Set([...keys, ...sharedOf(places)])].join(','));
}

export function statementView(
  { unfiltered }: Pick<Answer<readonly Row[]>, 'unfiltered'>,
  request: StatementRequest,
  compare: (all: readonly Row[]) => Comparisons,
): StatementView {
  return {
    statements: request.statements,
    period: periodName(request),
    counted: request.count !== null,
    ...compare(unfiltered),
  };
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

/** The keys that shares of these statements are computed from. */
const sharedOf = (statements: readonly StatementId[]): string[] => [
  ...new Set(statements.flatMap((statement) => COMMON_SIZE_BASE[statement] ?? [])),
];

/** The metrics of the statements, and the keys that their shares are computed from. */
function keyChoice({ statements, commonSize }: StatementRequest): KeyChoice {
  const wantedIds = statements ?? REPORTED;
  const bases = commonSize ? sharedOf(wantedIds) : [];
  return {
    name: statementNames(wantedIds),
    choose: (catalog) => {
      const keys = keysOf(wantedIds, catalog);
      const reported = new Set(keysOf(REPORTED, catalog));
      return keys.length === 0 ? [] : [...new Set([...keys, ...bases.filter((key) => reported.has(key))])];
    },
  };
}

/** All metrics, if neither a metric nor a statement is named. */
export const ALL_METRICS: KeyChoice = {
  name: statementNames(REPORTED),
  choose: (catalog) => keysOf(REPORTED, catalog),
};

/** Null if all of the answer is shown. */
function narrowing(request: StatementRequest): Narrowing<readonly Row[]> | null {
  const { statements, keys, kind, count: most, ttm, commonSize } = request;
  if (statements === null && kind === null && most === null && !ttm && !commonSize) return null;
  return {
    apply: (rows) => {
      const chosenRows = rows
        .filter((row) => statements === null || statements.includes(placeOfRow(row).statement))
        .filter((row) => keys === null || keys.includes(row.metric_key));
      return request.period === 'latest' ? chosenRows : rowsOfPeriods(chosenRows, request);
    },
    notices: (before, after) => statementNotices(request, after, before),
  };
}

export const placeOfRow = ({ metric_key: key, statement = null }: Row) => placeOf({ key, statement });

const NO_TTM = noteOf('no_ttm', 'The service has no trailing twelve months of these figures.');

function statementNotices(request: StatementRequest, shown: readonly Row[], all: readonly Row[]): readonly Notice[] {
  const { statements, kind, count: most, ttm, commonSize } = request;
  if (all.length === 0) return [];
  const what = statements === null ? 'figures' : `figures of the ${statementNames(statements)}`;
  const noTtm = (ttm || kind === 'ttm') && !shown.some(isTtm);
  if (noTtm && shown.length === 0) return [NO_TTM];
  const nameless = all.filter(({ metric_key: key }) => key === MISSING_TEXT).length;
  if (shown.length === 0 && nameless > 0) {
    const text = say`${count(nameless, 'row')} without a metric key cannot be shown in a statement. To see them, use fin metrics without --statement.`;
    return [noteOf('nameless_rows', text, { rows: nameless })];
  }
  if (shown.length === 0) {
    return [noteOf('no_figures', say`No ${what} for these periods. To see all periods: ${option('period', 'all')}`)];
  }
  const periods = new Set(
    shown.filter((row) => row.start_date != null && row.period_kind === kind).map(({ end_date: end }) => end),
  ).size;
  const unit = kind === 'annual' ? 'fiscal year' : 'quarter';
  const lacking = sharedOf(shown.map((row) => placeOfRow(row).statement)).filter(
    (key) => !all.some((row) => row.metric_key === key),
  );
  return [
    ...(most !== null && periods > 0 && periods < most
      ? [noteOf('fewer_periods', `This release has only ${count(periods, unit)}.`, { periods })]
      : []),
    ...(noTtm ? [NO_TTM] : []),
    ...(commonSize && lacking.length > 0
      ? [
          noteOf('no_shares', `Shares of ${lacking.join(' or ')} cannot be computed, because it has no values.`, {
            keys: lacking,
          }),
        ]
      : []),
  ];
}

type Comparisons = Pick<StatementView, 'growth' | 'share'>;

/** The requested comparisons, from all fetched rows. Loads the decimal arithmetic only for them. */
export async function loadComparisons({
  growth,
  commonSize,
}: Pick<StatementRequest, 'growth' | 'commonSize'>): Promise<(all: readonly Row[]) => Comparisons> {
  if (!growth && !commonSize) return () => ({ growth: null, share: null });
  const { comparisonsOf } = await import('./changes.ts');
  return (all) => {
    const compare = comparisonsOf(all, filedBeforeSplit(all));
    return { growth: growth ? compare.growth : null, share: commonSize ? compare.share : null };
  };
}

/** The comparisons as columns, after those of the service's figures. */
export function comparisonColumns({ growth, share }: Comparisons): readonly Column<Row>[] {
  const of = (compare: Compare, value: (found: Compared | null) => string | null) => (row: Row) => value(compare(row));
  return [
    ...(growth === null
      ? []
      : [
          {
            key: 'year_before_value',
            measure: 'money' as const,
            value: of(growth, (found) => found?.base.value ?? null),
          },
          { key: 'growth', measure: 'fraction' as const, value: of(growth, (found) => found?.value ?? null) },
        ]),
    ...(share === null
      ? []
      : [
          { key: 'common_size_of', value: of(share, (found) => found?.base.metric_key ?? null) },
          { key: 'common_size', measure: 'fraction' as const, value: of(share, (found) => found?.value ?? null) },
        ]),
  ];
}
