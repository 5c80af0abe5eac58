/** How figures are distributed over companies, and where one company stands among them. */
import { add, divide, multiply, subtract } from '../../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../../contract/decimal-text.ts';
import type { ScreenRow } from '../../../contract/resources/screen.ts';
import { PRICED_COLUMNS } from '../../../contract/screen-columns.ts';
import { figure } from '../../../result/blocks.ts';
import { columnLabel } from '../../../result/labels.ts';
import { ownValue } from '../../../result/rows.ts';
import type { Column } from '../../../result/table.ts';
import { FIGURES } from './screen-table.ts';

/** A figure of several companies. */
export interface Distribution {
  readonly column: string;
  readonly label: string;
  /** Number of companies with a value, and without one. */
  readonly count: number;
  readonly missing: number;
  readonly p10: Decimal | null;
  readonly median: Decimal | null;
  readonly p90: Decimal | null;
}

/** A figure of one company among those of several. */
export interface Standing extends Distribution {
  readonly value: Decimal | null;
  /** 1 is the highest value. */
  readonly rank: number | null;
  /** The share of the other companies with a lower value. */
  readonly percentile: Decimal | null;
}

/** Returns the distributions of those columns that are figures, in their order. */
export const distributionsOf = (columns: readonly string[], rows: readonly ScreenRow[]): readonly Distribution[] =>
  columns.filter((column) => FIGURES.has(column)).map((column) => distributionOf(column, valuesOf(column, rows), rows));

function distributionOf(column: string, sorted: readonly Decimal[], rows: readonly ScreenRow[]): Distribution {
  const percentile = (tenths: number) => percentileOf(sorted, tenths);
  return {
    ...{ column, label: columnLabel(column), count: sorted.length, missing: rows.length - sorted.length },
    ...{ p10: percentile(1), median: percentile(5), p90: percentile(9) },
  };
}

/** @param subject a row of the company, which is among the rows; null if it has none */
export const standingsOf = (
  columns: readonly string[],
  rows: readonly ScreenRow[],
  subject: ScreenRow | null,
): readonly Standing[] =>
  distributionsOf(columns, rows).map((distribution) => {
    const value = subject === null ? null : decimalOf(subject, distribution.column);
    if (value === null) return { ...distribution, value, rank: null, percentile: null };
    const values = valuesOf(distribution.column, rows);
    const higher = values.filter((other) => compareDecimals(other, value) > 0).length;
    const lower = values.filter((other) => compareDecimals(other, value) < 0).length;
    return { ...distribution, value, rank: higher + 1, percentile: divide(`${lower}`, `${values.length - 1}`) };
  });

const valuesOf = (column: string, rows: readonly ScreenRow[]): readonly Decimal[] =>
  rows.flatMap((row) => decimalOf(row, column) ?? []).sort(compareDecimals);

const decimalOf = (row: ScreenRow, column: string): Decimal | null => {
  const value = ownValue(row, column);
  return typeof value === 'string' ? value : null;
};

/**
 * Returns the value below which a number of tenths of the values lie, between two values in proportion, exactly; null
 * without values.
 */
function percentileOf(sorted: readonly Decimal[], tenths: number): Decimal | null {
  const place = (sorted.length - 1) * tenths;
  const [low, high] = [sorted[Math.floor(place / 10)], sorted[Math.ceil(place / 10)]];
  if (low === undefined || high === undefined) return null;
  return add(low, multiply(subtract(high, low), `0.${place % 10}`));
}

/**
 * The columns of a table of distributions.
 * @param own columns between the figure and its distribution
 */
export function distributionColumns<Record extends Distribution>(
  columns: readonly string[],
  own: readonly Column<Record>[] = [],
): readonly Column<Record>[] {
  const priced = columns.some((column) => PRICED_COLUMNS.has(column)) ? { priced: true } : {};
  return [
    { key: 'column' },
    { key: 'label', label: 'Figure', shrinkTo: 12 },
    ...own,
    ...(['p10', 'median', 'p90'] as const).map((key) => ({ ...figureColumn<Record>(key), ...priced })),
    { key: 'count', align: 'right' },
    { key: 'missing', align: 'right' },
  ];
}

/** A column of figures with different measures. */
export const figureColumn = <Record extends Distribution>(key: keyof Record & string): Column<Record> => ({
  ...{ key, align: 'right', measure: 'multiple' },
  cell: (record) => figure(record[key] as Decimal | null, FIGURES.get(record.column)?.measure ?? 'multiple'),
});
