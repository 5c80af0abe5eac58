/**
 * Decides which share counts become figures, and which of them are used for ratios. A balance sheet's count is used
 * only if no cover has a count: it may be of another day, of one class, or a placeholder.
 */
import { findUpperMedian, multiply } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { convertToNewShares, convertToPerNewShare } from '../../contract/split-ratio.ts';
import { assertDefined } from '../../platform/collections.ts';
import { countDaysBetween } from '../../platform/dates.ts';
import { findSplitEffect } from '../metrics/metric-rules.ts';
import { createRatioFinderByFilings, type Split, type SplitRatioFinder } from '../shares/splits.ts';
import type { Figure } from './figure.ts';

export const SHARE_COUNT_KEY = 'common_shares_outstanding';
/**
 * Maximum factor between two plausible counts without a split between them. A larger factor is an error of scale, or
 * one of the two counts is of a single class.
 */
const MAX_FACTOR = '5';
const MEDIAN_WINDOW_DAYS = 730;

/**
 * Omits a balance sheet's count for a fiscal period if a cover states a count for the same period. Figures as of a day
 * use only covers filed by that day, so later filings do not change the result.
 */
export function preferCoverCounts(figures: readonly Figure[]): Figure[] {
  const coverPeriods = new Set<string>();
  for (const figure of figures)
    if (isShareCount(figure) && isFromCover(figure)) coverPeriods.add(makeFiscalPeriodKey(figure));
  if (coverPeriods.size === 0) return [...figures];
  return figures.filter(
    (figure) => !isShareCount(figure) || isFromCover(figure) || !coverPeriods.has(makeFiscalPeriodKey(figure)),
  );
}

/**
 * Returns the counts up to the last plausible count, earliest first. Omits a count at the end that is far from both the
 * previous count and the median of two years, because it may be an error.
 */
export function selectCredibleCounts(figures: readonly Figure[], splits: readonly Split[]): Figure[] {
  const counts = figures.filter(isShareCount).sort((a, b) => (a.end < b.end ? -1 : a.end > b.end ? 1 : 0));
  for (let last = counts.pop(); last !== undefined; last = counts.pop()) {
    if (isCredible(last, counts, splits)) return [...counts, last];
  }
  return [];
}

/** Returns the figures without the share counts that `selectCredibleCounts` omits. */
export function removeImplausibleCounts(figures: readonly Figure[], splits: readonly Split[]): Figure[] {
  const credibleCounts = new Set(selectCredibleCounts(figures, splits));
  return figures.filter((figure) => !isShareCount(figure) || credibleCounts.has(figure));
}

function isCredible(count: Figure, previous: readonly Figure[], splits: readonly Split[]): boolean {
  const ratioBetween = createRatioFinderByFilings(splits);
  const adjustedCounts = previous
    .filter(({ end }) => countDaysBetween(end, count.end) <= MEDIAN_WINDOW_DAYS)
    .map((figure) => assertDefined(adjustForSplits(figure, findSplitAdjustmentDay(count), ratioBetween)));
  const latest = adjustedCounts.at(-1);
  return (
    latest === undefined ||
    isWithinFactor(count.value, latest) ||
    isWithinFactor(count.value, findUpperMedian(adjustedCounts))
  );
}

const isShareCount = ({ metricKey }: Figure): boolean => metricKey === SHARE_COUNT_KEY;

const isFromCover = ({ terms }: Figure): boolean => terms[0]?.source.reported.taxonomy === 'dei';

const makeFiscalPeriodKey = ({ fiscalYear, fiscalPeriod }: Figure): string => `${fiscalYear} ${fiscalPeriod}`;

function isWithinFactor(a: Decimal, b: Decimal): boolean {
  return compareDecimals(a, multiply(b, MAX_FACTOR)) <= 0 && compareDecimals(b, multiply(a, MAX_FACTOR)) <= 0;
}

/**
 * Returns the day up to which a figure is adjusted for splits: the cover's date for a cover's count, otherwise the
 * filing day, because filings restate earlier figures for splits.
 */
export function findSplitAdjustmentDay(figure: Figure): string {
  const value = figure.terms[0]?.source.reported;
  return value === undefined || value.taxonomy === 'dei' ? figure.end : value.filed;
}

/**
 * Returns the figure's value, adjusted for splits up to the day; null if the split ratio is unknown. Returns amounts of
 * money unchanged.
 */
export function adjustForSplits(figure: Figure, day: string, ratioBetween: SplitRatioFinder): Decimal | null {
  const effect = findSplitEffect(figure.metricKey);
  if (effect === null) return figure.value;
  const ratio = ratioBetween(findSplitAdjustmentDay(figure), day);
  if (ratio === null) return null;
  return effect === 'shares' ? convertToNewShares(figure.value, ratio) : convertToPerNewShare(figure.value, ratio);
}
