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

function distributionOf(column: string, sortedValues: readonly Decimal[], rows: readonly ScreenRow[]): Distribution {
  const percentileAt = (tenths: number) => percentileOf(sortedValues, tenths);
  return {
    ...{ column, label: columnLabel(column), count: sortedValues.length, missing: rows.length - sortedValues.length },
    ...{ p10: percentileAt(1), median: percentileAt(5), p90: percentileAt(9) },
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
    const higher = values.filter((otherValue) => compareDecimals(otherValue, value) > 0).length;
    const lower = values.filter((otherValue) => compareDecimals(otherValue, value) < 0).length;
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
function percentileOf(sortedValues: readonly Decimal[], tenths: number): Decimal | null {
  const scaledPosition = (sortedValues.length - 1) * tenths;
  const [lowValue, highValue] = [
    sortedValues[Math.floor(scaledPosition / 10)],
    sortedValues[Math.ceil(scaledPosition / 10)],
  ];
  if (lowValue === undefined || highValue === undefined) return null;
  return add(lowValue, multiply(subtract(highValue, lowValue), `0.${scaledPosition % 10}`));
}

/**
 * The columns of a table of distributions.
 * @param ownColumns columns between the figure and its distribution
 */
export function distributionColumns<Record extends Distribution>(
  columns: readonly string[],
  ownColumns: readonly Column<Record>[] = [],
): readonly Column<Record>[] {
  const pricedFlag = columns.some((column) => PRICED_COLUMNS.has(column)) ? { priced: true } : {};
  return [
    { key: 'column' },
    { key: 'label', label: 'Figure', shrinkTo: 12 },
    ...ownColumns,
    ...(['p10', 'median', 'p90'] as const).map((key) => ({ ...figureColumn<Record>(key), ...pricedFlag })),
    { key: 'count', align: 'right' },
    { key: 'missing', align: 'right' },
  ];
}

/** A column of figures with different measures. */
export const figureColumn = <Record extends Distribution>(key: keyof Record & string): Column<Record> => ({
  ...{ key, align: 'right', measure: 'multiple' },
  cell: (record) => figure(record[key] as Decimal | null, FIGURES.get(record.column)?.measure ?? 'multiple'),
});
