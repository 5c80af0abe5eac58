/** Types of figure definitions and formulas. */

export type StatementName = 'income' | 'cash_flow' | 'balance' | 'cover';

/**
 * Kind of quantity, by which figures are formatted. A `multiple` is a ratio such as price to earnings; a `count` is a
 * number of points or a rank, which only formulas of the user yield.
 */
export type Measure = 'money' | 'per_share' | 'shares' | 'fraction' | 'multiple' | 'count';

/**
 * The sum of `plus` minus the sum of `minus`, for one period. If an operand is a list, the first figure with a value is
 * used.
 */
export interface SumFormula<Key extends string = string> {
  readonly kind: 'sum';
  readonly plus: readonly (Key | readonly Key[])[];
  readonly plusIfReported?: readonly Key[];
  readonly minus?: readonly (Key | readonly Key[])[];
  readonly minusIfReported?: readonly Key[];
  /**
   * Whether each operand must be in a filing that also reports the first operand, because filings may divide amounts
   * into lines differently.
   */
  readonly sameFilings?: boolean;
  /** Key of another figure for the same period. The sum is used only if both are equal. */
  readonly equals?: Key;
  /** Keys of figures that must have no value. */
  readonly unless?: Key | readonly Key[];
  /** Key of a figure that must have a value. */
  readonly requires?: Key;
  /**
   * Present for a remainder (a total minus its lines): the lines of the total. Each line with a value is subtracted,
   * with its sign in the total. The result is null if no line has a value, or if nothing remains. A line is not
   * subtracted if another line with a value may include it, unless all lines add up to the total.
   */
  readonly lines?: readonly SignedLine<Key>[];
  /**
   * Whether the result must be above zero: a result below zero is null, too, because it shows that a line does not
   * belong to the total (assets, liabilities).
   */
  readonly isAboveZero?: boolean;
}

/** A line with its sign in a total. If the line has no value, the lines of which it consists are used instead. */
export interface SignedLine<Key extends string = string> {
  readonly key: Key;
  readonly isNegative: boolean;
  /** Key of another line whose amount may include this line. */
  readonly mayBeIn?: Key;
  readonly lines: readonly SignedLine<Key>[];
}

export type Formula<Key extends string = string> =
  | SumFormula<Key>
  /** Requires a denominator greater than zero. */
  | { readonly kind: 'ratio'; readonly numerator: Key; readonly denominator: Key }
  /**
   * The change over one or more years, divided by the absolute earlier value. Per-share figures and share counts of
   * both years are adjusted for the same splits.
   */
  | { readonly kind: 'growth'; readonly of: Key; readonly years: number }
  /**
   * The compound annual growth rate. Requires amounts above zero in the first and the last year, and consecutive years
   * that are comparable.
   */
  | { readonly kind: 'compound_growth'; readonly of: Key; readonly years: number }
  | { readonly kind: 'year_before'; readonly of: Key }
  | { readonly kind: 'twelve_months'; readonly of: Key }
  /** The product of the figures in `product`; without `product`, the latest market price. */
  | { readonly kind: 'market'; readonly product?: readonly Key[] };

export interface FigureDefinition {
  readonly key: string;
  readonly label: string;
  readonly measure: Measure;
}

/**
 * A figure that is not a metric: a ratio, a change, a sum of lines, a remainder of a statement's total, or a figure
 * that only the screener has.
 */
export interface DerivedFigure<Key extends string = string> extends FigureDefinition {
  readonly formula: Formula<Key>;
}

/** An amount that is read from filings only to derive other figures; answers do not include it. */
export interface InternalFigure<Key extends string = string> {
  readonly key: string;
  readonly statement: StatementName;
  readonly formula?: never;
  readonly whenNotReported?: SumFormula<Key>;
}

/** The type `O` of given options, in which properties that `Known` lacks, such as misspelled ones, are type errors. */
export type Only<Known, O> = O & { readonly [Key in Exclude<keyof O, keyof Known>]: never };
export type NoOptions = Record<never, never>;

type SumOptions = Omit<SumFormula, 'kind' | 'plus' | 'sameFilings' | 'lines'>;

const declareSums =
  <const Own extends Partial<SumFormula>>(own: Own) =>
  <const P extends SumFormula['plus'], const O extends SumOptions = NoOptions>(plus: P, rules?: Only<SumOptions, O>) =>
    ({ kind: 'sum', plus, ...rules, ...own }) as { readonly kind: 'sum'; readonly plus: P } & NoInfer<O> & Own;

export const sum = declareSums({});
/** Returns a sum whose operands must come from the same filings (`sameFilings`). */
export const sumOfSameFilings = declareSums({ sameFilings: true });

export const ratio = <const N extends string, const D extends string>(numerator: N, denominator: D) =>
  ({ kind: 'ratio', numerator, denominator }) as const;
export const growth = <const Key extends string>(of: Key, years = 1) => ({ kind: 'growth', of, years }) as const;
export const compoundGrowth = <const Key extends string>(of: Key, years: number) =>
  ({ kind: 'compound_growth', of, years }) as const;
export const yearBefore = <const Key extends string>(of: Key) => ({ kind: 'year_before', of }) as const;
export const twelveMonths = <const Key extends string>(of: Key) => ({ kind: 'twelve_months', of }) as const;
