/** The definition of figures, and the kinds of formulas. */

export type StatementName = 'income' | 'cash_flow' | 'balance' | 'cover';

/** The measure of a figure, which determines how it is shown. */
export type Measure = 'money' | 'per_share' | 'shares' | 'fraction' | 'multiple';

/** The sum of `plus` less `minus`, all for one period. In a list, the first figure with a value is used. */
export interface SumFormula<Key extends string = string> {
  readonly kind: 'sum';
  readonly plus: readonly (Key | readonly Key[])[];
  readonly plusIfReported?: readonly Key[];
  readonly minus?: readonly (Key | readonly Key[])[];
  readonly minusIfReported?: readonly Key[];
  /** Valid only if the same filings reported all parts: different filings may have moved amounts between lines. */
  readonly sameFilings?: boolean;
  /** Valid only if this figure of the same period has the same value, so that both derivations confirm each other. */
  readonly equals?: Key;
  /** Valid only if this figure has no value. */
  readonly unless?: Key;
  /**
   * A total less its parts; valid only if a part is known and the remainder is not zero. For assets and liabilities
   * it must be above zero, otherwise a part does not belong to the total.
   */
  readonly remainder?: 'above_zero' | 'any';
}

export type Formula<Key extends string = string> =
  | SumFormula<Key>
  /** Valid only if the denominator is above zero. */
  | { readonly kind: 'ratio'; readonly numerator: Key; readonly denominator: Key }
  /** The change over one or more years divided by the earlier absolute value, on one share basis. */
  | { readonly kind: 'growth'; readonly of: Key; readonly years: number }
  /** The yearly growth rate (CAGR) of a flow above zero; valid only if the basis does not change between its ends. */
  | { readonly kind: 'compound_growth'; readonly of: Key; readonly years: number }
  | { readonly kind: 'year_before'; readonly of: Key }
  | { readonly kind: 'twelve_months'; readonly of: Key }
  /** Computed from the latest market price, multiplied by `product`. */
  | { readonly kind: 'market'; readonly product?: readonly Key[] };

interface Definition {
  readonly key: string;
  readonly label: string;
  readonly measure: Measure;
}

/** A figure of a financial statement or a report's cover, for every period. */
export interface Metric<Key extends string = string> extends Definition {
  readonly statement: StatementName;
  readonly description: string;
  /** For a metric that is always derived. */
  readonly formula?: SumFormula<Key>;
  /** For a metric that is derived if no filing reports it. */
  readonly whenNotReported?: SumFormula<Key>;
}

/** A figure outside statements: a ratio, a change, or one that only the screener's row has. */
export interface DerivedFigure<Key extends string = string> extends Definition {
  readonly formula: Formula<Key>;
}

/** An amount that is read from filings only to derive others from it; answers do not contain it. */
export interface InternalFigure<Key extends string = string> {
  readonly key: string;
  readonly statement: StatementName;
  readonly formula?: never;
  readonly whenNotReported?: SumFormula<Key>;
}

export const ratio = <const Top extends string, const Bottom extends string>(numerator: Top, denominator: Bottom) =>
  ({ kind: 'ratio', numerator, denominator }) as const;
export const growth = <const Key extends string>(of: Key, years = 1) => ({ kind: 'growth', of, years }) as const;
export const compoundGrowth = <const Key extends string>(of: Key, years: number) =>
  ({ kind: 'compound_growth', of, years }) as const;
export const yearBefore = <const Key extends string>(of: Key) => ({ kind: 'year_before', of }) as const;
export const twelveMonths = <const Key extends string>(of: Key) => ({ kind: 'twelve_months', of }) as const;
