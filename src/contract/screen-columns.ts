/**
 * The screener's columns: the closed set of fields of a ScreenRow.
 *
 * The interface names 54 decimal figures and speaks of 55: the fifty-fifth is `fiscal_year`.
 */
import { FIGURES, isMetric, isPriced, type Metric, type ScreenFigure } from './figures.ts';

/** The decimal figures, in the interface's order. */
export const SCREEN_FIGURES: readonly (Metric | ScreenFigure)[] = FIGURES.filter(
  (figure) => !isMetric(figure) || figure.screened !== false,
);

/** Columns that are not decimals: they may be shown, and only `fiscal_year` filtered and sorted. */
export const SCREEN_DATES: readonly string[] = [
  'annual_end_date',
  'instant_end_date',
  'prior_annual_end_date',
  'public_float_end_date',
  'shares_outstanding_end_date',
  'price_day',
  'ttm_end_date',
];

/** What `where` and `sort` take: the 54 decimals and `fiscal_year`. */
export const SCREEN_FILTERS: readonly string[] = [...SCREEN_FIGURES.map((figure) => figure.key), 'fiscal_year'];

/** What `columns` takes: every field of a row but the four that are always there. */
export const SCREEN_COLUMNS: readonly string[] = [...SCREEN_FILTERS, ...SCREEN_DATES, 'coverage_state'];

/** Columns whose value a market price moves, and which a release therefore does not cover. */
export const PRICED_COLUMNS: ReadonlySet<string> = new Set([
  ...SCREEN_FIGURES.map((figure) => figure.key).filter(isPriced),
  'price_day',
]);
