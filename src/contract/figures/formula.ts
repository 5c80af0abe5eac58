/** What a figure is, and the formulas it may follow from. */

export type StatementName = 'income' | 'cash_flow' | 'balance' | 'cover';

/** How a figure is measured, which is also how it is shown to a person. */
export type Measure = 'money' | 'per_share' | 'shares' | 'fraction' | 'multiple';

/** The sum of `plus` less `minus`, all of one period. Of a list, the first that has a value. */
export interface SumFormula<Key extends string = string> {
  readonly kind: 'sum';
  readonly plus: readonly (Key | readonly Key[])[];
  readonly plusIfReported?: readonly Key[];
  readonly minus?: readonly (Key | readonly Key[])[];
  readonly minusIfReported?: readonly Key[];
  /** Only where all parts were reported by the same filings; one of two may have moved amounts between lines. */
  readonly sameFilings?: boolean;
  /** Only where this figure of the same period has the same value: two ways to one amount prove each other. */
  readonly equals?: Key;
  /** Only where this figure has no value. */
  readonly unless?: Key;
  /**
   * What a total has beyond its parts: only where a part is known and something remains. What remains of assets and
   * liabilities is above zero, else a part is not one of this total.
   */
  readonly remainder?: 'above_zero' | 'any';
}

export type Formula<Key extends string = string> =
  | SumFormula<Key>
  /** Only over a denominator above zero. */
  | { readonly kind: 'ratio'; readonly numerator: Key; readonly denominator: Key }
  /** The change from the year before over the absolute value of the year before; shares on one share basis. */
  | { readonly kind: 'growth'; readonly of: Key }
  | { readonly kind: 'year_before'; readonly of: Key }
  | { readonly kind: 'twelve_months'; readonly of: Key }
  /** Of the latest market price; `product` says what is multiplied. */
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
  /** For a metric that is derived where no filing reports it. */
  readonly whenNotReported?: SumFormula<Key>;
}

/** A figure that no statement prints: a ratio, a change, or one of the screener's row alone. */
export interface DerivedFigure<Key extends string = string> extends Definition {
  readonly formula: Formula<Key>;
}

/** An amount that is read from filings because others are derived from it; in no answer. */
export interface InternalFigure<Key extends string = string> {
  readonly key: string;
  readonly statement: StatementName;
  readonly formula?: never;
  readonly whenNotReported?: SumFormula<Key>;
}

export const ratio = <const Top extends string, const Bottom extends string>(numerator: Top, denominator: Bottom) =>
  ({ kind: 'ratio', numerator, denominator }) as const;
export const growth = <const Key extends string>(of: Key) => ({ kind: 'growth', of }) as const;
export const yearBefore = <const Key extends string>(of: Key) => ({ kind: 'year_before', of }) as const;
export const twelveMonths = <const Key extends string>(of: Key) => ({ kind: 'twelve_months', of }) as const;
