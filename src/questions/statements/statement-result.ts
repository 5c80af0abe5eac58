import type { ClientFilter, DataRequest, GivenArguments, KeyChoice } from '../../ask/command/command.ts';
import { failUsage } from '../../contract/failure.ts';
import { type RawParameters, withParameter } from '../../contract/question.ts';
import type { MetricValue } from '../../contract/resources/metrics.ts';
import { formatCount } from '../../contract/text/format-counts.ts';
import { MISSING_TEXT_PLACEHOLDER } from '../../contract/text/missing-text.ts';
import { option, say } from '../../contract/text/text.ts';
import { getOrInsert } from '../../platform/collections.ts';
import { makeFigureCell } from '../../result/blocks.ts';
import { findMeasure } from '../../result/labels.ts';
import { makeNote, makeNoteIf, type Notice } from '../../result/notice.ts';
import type { Column } from '../../result/table.ts';
import { makeMissingFormulaValueNotices } from '../formulas/evaluate.ts';
import { makeGrowthComparer, makeShareComparer, type RowComparer } from './changes.ts';
import { type ComputedFormulas, computeFormulas } from './formula-rows.ts';
import type { StatementId } from './layouts.ts';
import { COMMON_SIZE_BASE_KEYS, findRowPlace, findStatementPlace, listStatementKeys } from './layouts.ts';
import { CALENDAR_KEYS, isTtm, listCalendarPeriods, replaceFormulaKeys, selectRowsOfPeriods } from './periods.ts';
import { findShownValue, joinStatementNames, type StatementView } from './statement-blocks.ts';
import type { StatementRequest } from './statement-options.ts';

type Row = MetricValue;
type Rows = readonly Row[];

/** All statements, without the ratios, which belong to no statement. */
const REPORTED_STATEMENTS: readonly StatementId[] = ['income', 'cash_flow', 'balance', 'cover'];

/** Returns the request for these options. Throws a usage Failure for options that cannot be combined. */
export function makeStatementsRequest(given: GivenArguments, request: StatementRequest): DataRequest<Rows> {
  const { givenParameters, form, options } = given;
  const { keys, growth, commonSize, statements } = request;
  const comparisonName = growth ? 'growth' : commonSize ? 'common-size' : null;
  if (comparisonName !== null) refuseComparison(form, comparisonName);
  const usesChartKeys = form === 'chart' && statements === null && keys === null;
  const ofPeriod = withParameter(givenParameters, 'period', request.period);
  const forChart = withParameter(ofPeriod, 'keys', DEFAULT_CHART_KEYS_TEXT);
  const hasNames = options.has('statement') || request.period !== 'latest';
  return {
    parameters: usesChartKeys ? forChart : addHelperKeys(ofPeriod, request, form),
    extent: { kind: 'metrics', choice: makeKeyChoice(request), hasNames },
    narrowing: makeStatementFilter(request),
  };
}

export const DEFAULT_CHART_KEYS_TEXT = 'revenue,operating_income,net_income,free_cash_flow';

function refuseComparison(form: GivenArguments['form'], optionName: string): void {
  if (form === 'chart') failUsage(say`A chart shows amounts: remove ${option(optionName)}.`);
  if (form !== 'document') return;
  const text = say`${option(optionName)} adds figures that fin computes, but JSON is the unchanged answer of the service.`;
  failUsage(text, say`Use ${option('output', 'ndjson')}, or ${option('csv')}.`);
}

/**
 * Adds the keys that the client needs to the requested ones: revenue or assets for common-size figures, and metrics that
 * have a value for each period to count periods. JSON without formulas, which must have only the requested keys, needs
 * none.
 */
function addHelperKeys(parameters: RawParameters, request: StatementRequest, form: GivenArguments['form']) {
  const { keys: shown, commonSize, count, kind, formulas } = request;
  if (shown === null || (form === 'document' && formulas === null)) return parameters;
  const keys = formulas === null ? shown : replaceFormulaKeys(shown, formulas);
  const statementIds = keys.map((key) => findStatementPlace({ key, statement: null }).statement);
  const baseKeys = commonSize ? listBaseKeys(statementIds) : [];
  const calendarKeys = count === null || kind === 'ttm' ? [] : CALENDAR_KEYS;
  return withParameter(parameters, 'keys', [...new Set([...keys, ...baseKeys, ...calendarKeys])].join(','));
}

export const makeStatementView = (rows: Rows, request: StatementRequest): StatementView => ({
  statements: request.statements,
  period: formatPeriodName(request),
  hasCount: request.count !== null,
  calendar: listCalendarPeriods(rows, request),
  growth: request.growth ? makeGrowthComparer(rows) : null,
  share: request.commonSize ? makeShareComparer(rows) : null,
});

const PERIOD_NAMES = { annual: 'annual', quarter: 'quarterly', ttm: 'trailing twelve months' } as const;

function formatPeriodName({ kind, period, ttm }: StatementRequest): string {
  const name = kind === null ? (period === 'all' ? 'all periods' : period) : PERIOD_NAMES[kind];
  return ttm ? `${name} and trailing twelve months` : name;
}

/** Returns the metrics by which common-size statements divide their amounts: revenue, assets or both. */
const listBaseKeys = (statements: readonly StatementId[]): string[] => [
  ...new Set(statements.flatMap((statement) => COMMON_SIZE_BASE_KEYS[statement] ?? [])),
];

type KeyRequest = Pick<StatementRequest, 'statements' | 'commonSize' | 'formulas'>;

/**
 * Returns a choice of all metrics of the requested statements, with revenue or assets if common-size figures need them.
 */
function makeKeyChoice({ statements, commonSize, formulas }: KeyRequest): KeyChoice {
  const statementIds = statements ?? REPORTED_STATEMENTS;
  const baseKeys = commonSize ? listBaseKeys(statementIds) : [];
  return {
    name: joinStatementNames(statementIds),
    choose: (catalog) => {
      const keys = listStatementKeys(statementIds, catalog);
      const reportedKeys = new Set(listStatementKeys(REPORTED_STATEMENTS, catalog));
      const extra = [...baseKeys.filter((key) => reportedKeys.has(key)), ...(formulas?.listFigures() ?? [])];
      return keys.length === 0 ? [] : [...new Set([...keys, ...extra])];
    },
  };
}

/** All metrics of statements, requested if the user names neither a metric nor a statement. */
export const REPORTED_METRICS_CHOICE = makeKeyChoice({ statements: null, commonSize: false, formulas: null });

/** Returns the client-side filter of rows; null if the whole answer is shown. */
function makeStatementFilter(request: StatementRequest): ClientFilter<Rows> | null {
  const { statements, keys, kind, count: max, ttm, commonSize, formulas } = request;
  if (statements === null && kind === null && max === null && !ttm && !commonSize && formulas === null) return null;
  const isOfStatements = (row: Row): boolean =>
    statements === null ||
    statements.includes(findRowPlace(row).statement) ||
    formulas?.byName.has(row.metric_key) === true;
  // The notices are about the rows that were filtered, so that formulas are computed once.
  const computed = new WeakMap<Rows, ComputedFormulas>();
  const compute = (rows: Rows) => formulas && getOrInsert(computed, rows, () => computeFormulas(rows, formulas));
  return {
    apply: (fetched) => {
      const rows = [...fetched, ...(compute(fetched)?.rows ?? [])];
      const chosenRows = rows.filter(isOfStatements).filter((row) => keys === null || keys.includes(row.metric_key));
      if (request.period === 'latest') return chosenRows;
      // Selects among all fetched rows, so that a period without a value of the requested metrics counts as a period.
      const ofPeriods = new Set(selectRowsOfPeriods(request.keys === null ? chosenRows : rows, request));
      return chosenRows.filter((row) => ofPeriods.has(row));
    },
    notices: (rowsBefore, rowsAfter) => {
      const isShown = (_: Row, index: number): boolean => max === null || index < max;
      const missing = makeMissingFormulaValueNotices(compute(rowsBefore)?.listMissing(isShown) ?? []);
      const isExplained = rowsAfter.length === 0 && missing.length > 0;
      return isExplained ? missing : [...missing, ...makeStatementNotices(request, rowsAfter, rowsBefore)];
    },
  };
}

const NO_TTM_NOTE = makeNote('no_ttm', 'There are no trailing-twelve-month values of these figures.');

function makeStatementNotices(request: StatementRequest, shownRows: Rows, allRows: Rows): readonly Notice[] {
  const { statements, kind, count: maxCount, ttm, commonSize } = request;
  if (allRows.length === 0) return [];
  const subjectText = statements === null ? 'figures' : `figures of the ${joinStatementNames(statements)}`;
  const lacksTtm = (ttm || kind === 'ttm') && !shownRows.some(isTtm);
  if (lacksTtm && shownRows.length === 0) return [NO_TTM_NOTE];
  const nameless = allRows.filter(({ metric_key: key }) => key === MISSING_TEXT_PLACEHOLDER).length;
  if (shownRows.length === 0 && nameless > 0) {
    const text = `${formatCount(nameless, 'row')} without a metric key cannot be shown in a statement. To see them, use fin metrics without options for statements and periods.`;
    return [makeNote('nameless_rows', text, { rows: nameless })];
  }
  if (shownRows.length === 0) {
    const hint = say` To see all periods, use ${option('period', 'all')} without --years and --quarters.`;
    return [makeNote('no_figures', say`No ${subjectText} for these periods.${request.period === 'all' ? '' : hint}`)];
  }
  const ofKind = shownRows.filter((row) => row.start_date != null && row.period_kind === kind);
  const periodCount = new Set(ofKind.map(({ end_date: end }) => end)).size;
  const periodNoun = kind === 'annual' ? 'fiscal year' : 'quarter';
  const baseKeys = listBaseKeys(shownRows.map((row) => findRowPlace(row).statement));
  const missingKeys = baseKeys.filter((key) => !allRows.some((row) => row.metric_key === key));
  const isShort = maxCount !== null && periodCount > 0 && periodCount < maxCount;
  const shortText = `This release has these figures for only ${formatCount(periodCount, periodNoun)}.`;
  const verb = missingKeys.length === 1 ? 'has' : 'have';
  const noSharesText = `Percentages of ${missingKeys.join(' or ')} cannot be computed, because ${missingKeys.join(' and ')} ${verb} no values.`;
  return [
    ...makeNoteIf(isShort, 'fewer_periods', shortText, { periods: periodCount }),
    ...(lacksTtm ? [NO_TTM_NOTE] : []),
    ...makeNoteIf(commonSize && missingKeys.length > 0, 'no_shares', noSharesText, { keys: missingKeys }),
  ];
}

export const VALUE_COLUMN: Column<Row> = {
  key: 'value',
  align: 'right',
  value: findShownValue,
  cell: (row) => makeFigureCell(findShownValue(row), findMeasure(row.metric_key, row.unit)),
};
export const BASIS_BREAK_COLUMN: Column<Row> = { key: 'basis_break', value: (row) => row.basis_break === true };

/** Returns the comparisons as columns, which follow the columns of the service's figures. */
export function makeComparisonColumns({ growth, share }: StatementView): readonly Column<Row>[] {
  const columns: readonly (Column<Row> & { readonly of: RowComparer | null })[] = [
    { of: growth, key: 'year_before_value', measure: 'money', value: (row) => growth?.(row)?.baseRow.value ?? null },
    { of: growth, key: 'growth', measure: 'fraction', value: (row) => growth?.(row)?.value ?? null },
    { of: share, key: 'common_size_of', value: (row) => share?.(row)?.baseRow.metric_key ?? null },
    { of: share, key: 'common_size', measure: 'fraction', value: (row) => share?.(row)?.value ?? null },
  ];
  return columns.flatMap(({ of, ...column }) => (of === null ? [] : column));
}
