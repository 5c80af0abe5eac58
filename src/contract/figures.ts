/**
 * Every figure, defined once: key, label, measure and formula. Figures of a statement or a cover page are metrics.
 * Metrics without a formula are read from the XBRL concepts in `src/figures/metrics/concepts.ts`;
 * `src/figures/derived/formulas.ts` evaluates the formulas.
 */
import { BALANCE_SHEET_METRICS, COVER_PAGE_METRICS } from './figures/balance-sheet.ts';
import { CASH_FLOW_METRICS } from './figures/cash-flow-statement.ts';
import { DERIVED_FIGURES } from './figures/derived-figures.ts';
import type { DerivedFigure, Formula, InternalFigure, Metric } from './figures/formula.ts';
import { INCOME_STATEMENT_METRICS } from './figures/income-statement.ts';
import { INTERNAL_FIGURES } from './figures/internal-figures.ts';
import { REMAINDERS, type Remainder } from './figures/remainders.ts';

const METRIC_DEFINITIONS = [
  ...INCOME_STATEMENT_METRICS,
  ...CASH_FLOW_METRICS,
  ...BALANCE_SHEET_METRICS,
  ...COVER_PAGE_METRICS,
] as const;

type DefinedMetric = (typeof METRIC_DEFINITIONS)[number];
type DefinedInternalFigure = (typeof INTERNAL_FIGURES)[number];
type MetricKey = DefinedMetric['key'];
type InternalKey = DefinedInternalFigure['key'];
type FigureKey = MetricKey | (typeof DERIVED_FIGURES)[number]['key'] | (typeof REMAINDERS)[number]['key'];
/** Keys of figures that are read from XBRL concepts. */
export type ReportedKey = Exclude<DefinedMetric, { formula: unknown }>['key'] | InternalKey;

/** Metrics in the order of statements, which is also the order of rows in a response. */
export const METRICS: readonly Metric[] = METRIC_DEFINITIONS satisfies readonly Metric<MetricKey | InternalKey>[];

export const METRIC_KEYS: readonly string[] = METRICS.map((metric) => metric.key);

export const INTERNAL_FIGURE_DEFINITIONS: readonly InternalFigure[] =
  INTERNAL_FIGURES satisfies readonly InternalFigure<MetricKey | InternalKey>[];

/** Remainders: the part of a statement's total that is in none of the statement's metrics, such as other revenue. */
const REMAINDER_FIGURES: readonly Remainder[] = REMAINDERS satisfies readonly Remainder<FigureKey>[];

/** Returns the remainders that a statement prints above a metric, in order. */
export const listRemaindersAbove = (metricKey: string): readonly Remainder[] =>
  REMAINDER_FIGURES.filter(({ above }) => above === metricKey);

/** All figures except internal ones. `satisfies` ensures that formulas refer only to existing figures. */
export const FIGURES: readonly (Metric | DerivedFigure)[] = [
  ...METRICS,
  ...(DERIVED_FIGURES satisfies readonly DerivedFigure<FigureKey>[]),
  ...REMAINDER_FIGURES,
];

const FIGURE_BY_KEY: ReadonlyMap<string, Metric | DerivedFigure> = new Map(
  FIGURES.map((figure) => [figure.key, figure]),
);

/** Returns the definition of a figure; null for an unknown key. */
export function findDefinition(key: string): Metric | DerivedFigure | null {
  return FIGURE_BY_KEY.get(key) ?? null;
}

export function isMetric(figure: Metric | DerivedFigure): figure is Metric {
  return 'statement' in figure;
}

/** Returns the keys of the figures to which a formula refers. */
export function listOperands(formula: Formula): string[] {
  switch (formula.kind) {
    case 'sum':
      return [
        ...formula.plus.flat(),
        ...(formula.plusIfReported ?? []),
        ...(formula.minus ?? []).flat(),
        ...(formula.minusIfReported ?? []),
        ...(formula.equals === undefined ? [] : [formula.equals]),
        ...(formula.unless === undefined ? [] : [formula.unless]),
      ];
    case 'ratio':
      return [formula.numerator, formula.denominator];
    case 'growth':
    case 'compound_growth':
    case 'year_before':
    case 'twelve_months':
      return [formula.of];
    case 'market':
      return [...(formula.product ?? [])];
  }
}

/**
 * Whether a test accepts the formula of a figure, or of one of its inputs. Metrics are not tested, because their
 * formulas are only sums.
 */
function anyFormulaPasses(key: string, test: (formula: Formula) => boolean): boolean {
  const figure = findDefinition(key);
  if (figure?.formula === undefined || isMetric(figure)) return false;
  return test(figure.formula) || listOperands(figure.formula).some((operand) => anyFormulaPasses(operand, test));
}

/** Whether a figure depends on a market price, and so may change without a new release. */
export function dependsOnPrice(key: string): boolean {
  return anyFormulaPasses(key, ({ kind }) => kind === 'market');
}

const SCREEN_ONLY_FORMULA_KINDS: ReadonlySet<Formula['kind']> = new Set(['market', 'year_before', 'twelve_months']);

/** Whether only the screener has the figure; other figures are also available as metrics of a company. */
export function isScreenOnly(key: string): boolean {
  return key === 'fiscal_year' || anyFormulaPasses(key, ({ kind }) => SCREEN_ONLY_FORMULA_KINDS.has(kind));
}

/** Keys of figures available for one company: all except the figures that only the screener has. */
export const COMPANY_METRIC_KEYS: readonly string[] = [
  ...METRIC_KEYS,
  ...FIGURES.map(({ key }) => key).filter((key) => !METRIC_KEYS.includes(key) && !isScreenOnly(key)),
];

/**
 * Returns a figure's formula as text; null for a reported figure, the market price, and a figure that repeats the value
 * of another figure a year earlier.
 */
export function formatFormula({ formula }: Metric | DerivedFigure): string | null {
  switch (formula?.kind) {
    case 'sum':
      return [
        [...formula.plus.map(formatOperand), ...(formula.plusIfReported ?? [])].join(' + '),
        ...(formula.minus ?? []).map(formatOperand),
        ...(formula.minusIfReported ?? []),
      ].join(' - ');
    case 'ratio':
      return `${formula.numerator} / ${formula.denominator}`;
    case 'growth': {
      const { of: key, years } = formula;
      const yearBeforeKey = FIGURES.find(
        (figure) => figure.formula?.kind === 'year_before' && figure.formula.of === key,
      )?.key;
      const earlierOperand = years > 1 ? `${key} ${years} years earlier` : (yearBeforeKey ?? `${key} a year earlier`);
      return `(${key} - ${earlierOperand}) / |${earlierOperand}|`;
    }
    case 'compound_growth':
      return `(${formula.of} / ${formula.of} ${formula.years} years earlier) ^ (1/${formula.years}) - 1`;
    case 'twelve_months':
      return `${formula.of} of the trailing twelve months`;
    case 'market':
      return formula.product?.join(' * ') ?? null;
    case 'year_before':
    case undefined:
      return null;
  }
}

function formatOperand(operand: string | readonly string[]): string {
  return typeof operand === 'string' ? operand : `(${operand.join(' or ')})`;
}
