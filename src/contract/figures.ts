/**
 * Every figure, defined once: key, label, measure and formula. Figures of a statement or a cover page are metrics.
 * Metrics without a formula are read from the XBRL concepts in `src/figures/metrics/concepts`;
 * `src/figures/derived/formulas.ts` evaluates the formulas.
 */

import { BALANCE_SHEET } from './statements/balance-sheet.ts';
import { CASH_FLOW_STATEMENT } from './statements/cash-flow-statement.ts';
import { COVER_PAGE } from './statements/cover-page.ts';
import { DERIVED_FIGURES } from './statements/derived-figures.ts';
import type { DerivedFigure, Formula, InternalFigure, SignedLine, SumFormula } from './statements/formula.ts';
import { INCOME_STATEMENT } from './statements/income-statement.ts';
import { INTERNAL_FIGURES } from './statements/internal-figures.ts';
import type { Line, Metric } from './statements/line.ts';
import { listMetrics, listRemainders, type Remainder } from './statements/tree.ts';

type LinesByKey = typeof INCOME_STATEMENT & typeof CASH_FLOW_STATEMENT & typeof BALANCE_SHEET & typeof COVER_PAGE;
type DefinedInternalFigure = (typeof INTERNAL_FIGURES)[number];
type LineKey = keyof LinesByKey;
type InternalKey = DefinedInternalFigure['key'];
type FigureKey = LineKey | (typeof DERIVED_FIGURES)[number]['key'];
type NotReported = { readonly formula: unknown } | { readonly remainder: unknown };
/** Keys of figures that are read from XBRL concepts. */
export type ReportedKey =
  | { [Key in LineKey]: LinesByKey[Key] extends NotReported ? never : Key }[LineKey]
  | InternalKey;

/** `satisfies` this type ensures that lines refer only to existing lines. */
type CheckedLines = Readonly<Record<string, Line<LineKey | InternalKey>>>;

/** Metrics in the order of statements, which is also the order of rows in a response. */
export const METRICS: readonly Metric[] = [
  ...listMetrics('income', INCOME_STATEMENT satisfies CheckedLines),
  ...listMetrics('cash_flow', CASH_FLOW_STATEMENT satisfies CheckedLines),
  ...listMetrics('balance', BALANCE_SHEET satisfies CheckedLines),
  ...listMetrics('cover', COVER_PAGE satisfies CheckedLines),
];

export const METRIC_KEYS: readonly string[] = METRICS.map((metric) => metric.key);

export const INTERNAL_FIGURE_DEFINITIONS: readonly InternalFigure[] =
  INTERNAL_FIGURES satisfies readonly InternalFigure<LineKey | InternalKey>[];

/**
 * Remainders. Each is the part of a statement's total that is in none of the statement's metrics, such as other
 * revenue.
 */
export const REMAINDERS: readonly Remainder[] = [INCOME_STATEMENT, CASH_FLOW_STATEMENT, BALANCE_SHEET].flatMap(
  listRemainders,
);

/** Returns the remainders that a statement prints above a metric, in order. */
export const listRemaindersAbove = (metricKey: string): readonly Remainder[] =>
  REMAINDERS.filter(({ above }) => above === metricKey);

/** All figures except internal ones. `satisfies` ensures that formulas refer only to existing figures. */
export const FIGURES: readonly (Metric | DerivedFigure)[] = [
  ...METRICS,
  ...(DERIVED_FIGURES satisfies readonly DerivedFigure<FigureKey>[]),
  ...REMAINDERS,
];

const FIGURE_BY_KEY: ReadonlyMap<string, Metric | DerivedFigure> = new Map(FIGURES.map((row) => [row.key, row]));

/** Returns the definition of a figure; null for an unknown key. */
export const findDefinition = (key: string): Metric | DerivedFigure | null => FIGURE_BY_KEY.get(key) ?? null;

export const isMetric = (figure: Metric | DerivedFigure): figure is Metric => 'statement' in figure;

/** Returns the keys of the figures to which a formula refers. */
export function listOperands(formula: Formula): string[] {
  switch (formula.kind) {
    case 'sum':
      return [
        ...formula.plus.flat(),
        ...(formula.plusIfReported ?? []),
        ...(formula.minus ?? []).flat(),
        ...(formula.minusIfReported ?? []),
        ...listKeys(formula.lines ?? []),
        ...[formula.equals ?? [], formula.unless ?? [], formula.requires ?? []].flat(),
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

const listKeys = (tree: readonly SignedLine[]): string[] => tree.flatMap(({ key, lines }) => [key, ...listKeys(lines)]);

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
export const dependsOnPrice = (key: string): boolean => anyFormulaPasses(key, ({ kind }) => kind === 'market');

const SCREEN_ONLY_FORMULA_KINDS: ReadonlySet<Formula['kind']> = new Set(['market', 'year_before', 'twelve_months']);

/** Whether only the screener has the figure; other figures are also available as metrics of a company. */
export const isScreenOnly = (key: string): boolean =>
  key === 'fiscal_year' || anyFormulaPasses(key, ({ kind }) => SCREEN_ONLY_FORMULA_KINDS.has(kind));

/** Keys of figures available for one company: all except the figures that only the screener has. */
export const COMPANY_METRIC_KEYS: readonly string[] = [
  ...METRIC_KEYS,
  ...DERIVED_FIGURES.map(({ key }) => key).filter((key) => !isScreenOnly(key)),
  ...REMAINDERS.map(({ key }) => key),
];

/**
 * Returns a figure's formula as text; null for a reported figure, the market price, and a figure that repeats the value
 * of another figure a year earlier.
 */
export function formatFormula({ formula }: Metric | DerivedFigure): string | null {
  switch (formula?.kind) {
    case 'sum':
      return formatSum(formula);
    case 'ratio':
      return `${formula.numerator} / ${formula.denominator}`;
    case 'growth': {
      const { of: key, years } = formula;
      if (METRICS.some((metric) => metric.key === key && metric.statement === 'cover')) {
        const now = `${key} of the annual report`;
        const before = years > 1 ? `${now} ${years} years before` : `${now} before`;
        return `(${now} - ${before}) / |${before}|`;
      }
      const yearBeforeKey = FIGURES.find(({ formula }) => formula?.kind === 'year_before' && formula.of === key)?.key;
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

/** Returns the formula of a metric that is derived only if no filing reports it, as text; null for other metrics. */
export const formatFallback = ({ whenNotReported }: Metric): string | null =>
  whenNotReported === undefined ? null : `if not reported: ${formatSum(whenNotReported)}`;

function formatSum({ plus, plusIfReported = [], minus = [], minusIfReported = [], lines }: SumFormula): string {
  // A list whose operands are all in `plusIfReported` only ensures that one of them has a value, so the text omits the
  // list.
  const isAdded = (key: string) => plusIfReported.includes(key);
  const required = plus.filter((operand) => typeof operand === 'string' || !operand.every(isAdded));
  return [
    [...required, ...plusIfReported].map(formatOperand).join(' + '),
    ...[...minus, ...minusIfReported].map(formatOperand),
    ...(lines === undefined ? [] : ['its other lines']),
  ].join(' - ');
}

/**
 * Answers do not include internal figures, so the text shows from which figures they are derived. Internal figures that
 * are read from filings are named by their keys.
 */
function formatOperand(operand: string | readonly string[]): string {
  if (typeof operand !== 'string') return `(${operand.map(formatOperand).join(' or ')})`;
  const sum = INTERNAL_FIGURE_DEFINITIONS.find(({ key }) => key === operand)?.whenNotReported;
  return sum === undefined ? operand : `(${formatSum(sum)})`;
}
