/**
 * Distribution (10th percentile, median, 90th percentile) of a figure over companies, the rank of one company, and the
 * result of `fin screen --summary`. Loaded on demand, because plain screens need no decimal arithmetic.
 */

import type { GivenOptions } from '../../ask/command/option-spec.ts';
import { makePastEndNotice } from '../../ask/notices.ts';
import { add, divide, multiply, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { PRICED_COLUMNS } from '../../contract/screen-columns.ts';
import type { ScreenRow } from '../../contract/screen-row.ts';
import { formatCount } from '../../contract/text/format-counts.ts';
import { option, say } from '../../contract/text/text.ts';
import { groupBy } from '../../platform/collections.ts';
import { makeFigureCell } from '../../result/blocks.ts';
import { findColumnLabel } from '../../result/labels.ts';
import { makeNote, type Notice } from '../../result/notice.ts';
import { readOwnValue, toObjects } from '../../result/rows.ts';
import { type Column, makeRows, makeTable } from '../../result/table.ts';
import { FIGURES_BY_KEY, listColumns, type ScreenAnswer } from './screen-table.ts';

export type Distribution = ReturnType<typeof computeDistributions>[number];

/** The distribution of a figure, with the value, rank and percentile of one company. */
export type Standing = ReturnType<typeof computeStandings>[number];

/** Returns a distribution for each column that is a figure, in the order of the columns. */
export const computeDistributions = (columns: readonly string[], rows: readonly ScreenRow[]) =>
  columns
    .filter((column) => FIGURES_BY_KEY.has(column))
    .map((column) => {
      const sorted = sortColumnValues(column, rows);
      return {
        column,
        label: findColumnLabel(column),
        /** Number of companies with a value; `missing` is the number of companies without a value. */
        count: sorted.length,
        missing: rows.length - sorted.length,
        p10: computePercentile(sorted, 1),
        median: computePercentile(sorted, 5),
        p90: computePercentile(sorted, 9),
      };
    });

/**
 * Returns, for each figure, the distribution over all companies and the rank of one company.
 * @param subject the company's row, which must be one of `rows`; null if the company has no row
 */
export const computeStandings = (columns: readonly string[], rows: readonly ScreenRow[], subject: ScreenRow | null) =>
  computeDistributions(columns, rows).map((spread) => {
    const value = subject === null ? null : findDecimal(subject, spread.column);
    if (value === null) return { ...spread, value, rank: null, percentile: null };
    const values = sortColumnValues(spread.column, rows);
    const higher = values.filter((other) => compareDecimals(other, value) > 0).length;
    const lower = values.filter((other) => compareDecimals(other, value) < 0).length;
    return {
      ...spread,
      value,
      /** Rank by value, starting at 1 for the highest value. */
      rank: higher + 1,
      /** Fraction of the other companies that have a lower value; null if no other company has a value. */
      percentile: divide(`${lower}`, `${values.length - 1}`),
    };
  });

const sortColumnValues = (column: string, rows: readonly ScreenRow[]): readonly Decimal[] =>
  rows.flatMap((row) => findDecimal(row, column) ?? []).sort(compareDecimals);

const findDecimal = (row: ScreenRow, column: string): Decimal | null => toText(readOwnValue(row, column));

/**
 * Returns a percentile, given in tenths (5 is the median), by exact linear interpolation between the two nearest
 * values; null if no values exist.
 */
function computePercentile(sorted: readonly Decimal[], tenths: number): Decimal | null {
  const position = (sorted.length - 1) * tenths;
  const [low, highValue] = [sorted[Math.floor(position / 10)], sorted[Math.ceil(position / 10)]];
  if (low === undefined || highValue === undefined) return null;
  return add(low, multiply(subtract(highValue, low), `0.${position % 10}`));
}

/** @param extra columns between the figure's name and its distribution */
export function makeDistributionColumns<Row extends Distribution>(
  columns: readonly string[],
  extra: readonly Column<Row>[] = [],
): readonly Column<Row>[] {
  const priceMark = columns.some((column) => PRICED_COLUMNS.has(column)) ? { priced: true } : {};
  return [
    { key: 'column' },
    { key: 'label', label: 'Figure', shrinkTo: 12 },
    ...extra,
    ...(['p10', 'median', 'p90'] as const).map((key) => ({ ...makeFigureColumn<Row>(key), ...priceMark })),
    { key: 'count', align: 'right' },
    { key: 'missing', align: 'right' },
  ];
}

/** Returns a column in which each row's figure has its own measure. */
export const makeFigureColumn = <Row extends Distribution>(key: keyof Row & string): Column<Row> => ({
  ...{ key, align: 'right', measure: 'multiple' },
  cell: (row) => makeFigureCell(row[key] as Decimal | null, FIGURES_BY_KEY.get(row.column)?.measure ?? 'multiple'),
});

type SummaryRow = Distribution & Readonly<Record<'sic' | 'industry', string | null>> & { readonly companies: number };

export function makeSummaryContent(answer: ScreenAnswer, options: GivenOptions) {
  const columns = listColumns(answer);
  const grouped = options.has('by');
  const groups = grouped ? groupByIndustry([...answer.items()]) : [[...answer.items()]];
  const summaries = groups.flatMap((rows): SummaryRow[] => {
    const [first] = rows;
    const fields = { sic: toText(first?.sic), industry: toText(first?.industry), companies: rows.length };
    return computeDistributions(columns, rows).map((spread) => ({ ...fields, ...spread }));
  });
  const offset = Number(options.get('offset')?.at(-1) ?? 0);
  const limit = Number(options.get('limit')?.at(-1) ?? summaries.length);
  const shown = summaries.slice(offset, offset + limit);
  const distribution = makeDistributionColumns<SummaryRow>(columns);
  const summary = makeTable<SummaryRow>({
    name: 'summary',
    columns: grouped ? [{ key: 'sic' }, { key: 'industry' }, { key: 'companies' }, ...distribution] : distribution,
    shownKeys: distribution.map(({ key }) => key).filter((key) => key !== 'column'),
    records: () => shown,
    ...(grouped ? { section: formatHeading } : {}),
  });
  const data = toObjects(makeRows(summary));
  const { meta, requests } = answer;
  return {
    tables: [summary] as const,
    total: summaries.length,
    notices: makePartialListNotices(offset, shown.length, summaries.length),
    document: () => [JSON.stringify({ data, meta, fin: { requests } })],
  };
}

function makePartialListNotices(offset: number, shown: number, total: number): readonly Notice[] {
  if (shown === total) return [];
  if (shown === 0) return [makePastEndNotice(offset, total, ' rows')];
  const [first, last] = [offset + 1, offset + shown];
  const text = say`Showing rows ${first} to ${last} of ${total}. To see all, remove ${option('limit')} and ${option('offset')}.`;
  return [makeNote('page_cut', text, { first, last, total })];
}

/** Groups rows by industry, largest industry first; companies without an industry come last. */
function groupByIndustry(rows: readonly ScreenRow[]): readonly (readonly ScreenRow[])[] {
  const groups = [...groupBy(rows, ({ sic }) => toText(sic))];
  const count = ([sic, rows]: readonly [string | null, readonly unknown[]]): number => (sic === null ? 0 : rows.length);
  return groups.sort((a, b) => count(b) - count(a) || ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1)).map(([, rows]) => rows);
}

function formatHeading({ sic, industry, companies }: SummaryRow, previous: SummaryRow | undefined): string | null {
  if (previous?.sic === sic && previous.companies === companies) return null;
  const industryText = sic === null ? 'No industry' : `${industry ?? '–'} (SIC ${sic})`;
  return `${industryText}: ${formatCount(companies, 'company', 'companies')}`;
}

const toText = (value: unknown): string | null => (typeof value === 'string' ? value : null);
