/** Finds the largest number of shares that existed around a day, from the covers of reports. */

import { compareDecimals, type Decimal, isNegative, isZero } from '../../contract/decimal-text.ts';
import { combineRatios, convertToNewShares, invertRatio, type SplitRatio } from '../../contract/split-ratio.ts';
import { parseClassCounts } from '../../edgar/facts/fact-row.ts';
import type { ReportedValue } from '../../figures/revisions/revision-chain.ts';
import { combineSplits, type Split } from '../../figures/shares/splits.ts';
import { findShareClass, type ShareLimit } from '../../ownership/insiders/value-status.ts';
import { getOnlyElement } from '../../platform/collections.ts';
import { addDays, countDaysBetween } from '../../platform/dates.ts';

/** Maximum number of days between a trade and the date of a share count on a cover. */
const MAX_DAYS_TO_COUNT = 400;
/** Number of days before and after a split's declared day on which figures may be in old or in new shares. */
const UNCERTAIN_DAYS = 7;

type Cover = Pick<
  ReportedValue,
  'metricKey' | 'taxonomy' | 'value' | 'end' | 'filed' | 'classCounts' | 'contradictedOn'
>;

/**
 * Returns a function that finds the largest count of any cover within 400 days of a day, in shares of that day; null
 * without a count. If it is unknown whether a split lies between the cover and the day, the larger count is used.
 * @param reportedValues may contain other figures, which are ignored
 */
export function createShareLimitFinder(
  reportedValues: readonly Cover[],
  splits: readonly Split[],
): (day: string, securityTitle: string) => ShareLimit | null {
  const covers = reportedValues.filter(
    ({ metricKey, taxonomy, value, contradictedOn }) =>
      metricKey === 'common_shares_outstanding' && taxonomy === 'dei' && contradictedOn === null && isPositive(value),
  );
  return (day, securityTitle) => {
    const shareClass = findShareClass(securityTitle);
    let limit: ShareLimit | null = null;
    for (const cover of covers) {
      if (Math.abs(countDaysBetween(cover.end, day)) > MAX_DAYS_TO_COUNT) continue;
      const ratio = findLargestRatio(cover, day, splits);
      const total = convertToNewShares(cover.value, ratio);
      const ofClass = convertToNewShares(findClassCount(cover, shareClass) ?? cover.value, ratio);
      limit = {
        total: limit === null ? total : pickLarger(limit.total, total),
        ofClass: limit === null ? ofClass : pickLarger(limit.ofClass, ofClass),
      };
    }
    return limit;
  };
}

const isPositive = (value: Decimal): boolean => !isNegative(value) && !isZero(value);

const pickLarger = (a: Decimal, b: Decimal): Decimal => (compareDecimals(a, b) >= 0 ? a : b);

/** Returns the count of a class, such as A; null if the cover has no single count of this class. */
function findClassCount({ classCounts }: Cover, shareClass: string | null): Decimal | null {
  if (shareClass === null || classCounts === null) return null;
  const counts = parseClassCounts(classCounts).filter(
    ({ member, shares }) => /Class([A-Z])(?=[A-Z]|$)/.exec(member ?? '')?.[1] === shareClass && isPositive(shares),
  );
  return getOnlyElement(counts)?.shares ?? null;
}

/** Returns new shares per old share from the cover to the day; the largest ratio if a split's day is uncertain. */
function findLargestRatio(cover: Cover, day: string, splits: readonly Split[]): SplitRatio {
  const between: Split[] = [];
  const reversed: Split[] = [];
  for (const split of splits) {
    const coverSides = findSides(split, cover.end, cover.filed);
    const daySides = findSides(split, day, day);
    const isForward = compareDecimals(split.ratio, '1') > 0;
    const canApply = coverSides.before && daySides.after;
    const canReverse = coverSides.after && daySides.before;
    const canBeOnOneSide = (coverSides.before && daySides.before) || (coverSides.after && daySides.after);
    if (canApply && (isForward || !(canBeOnOneSide || canReverse))) between.push(split);
    else if (canReverse && (!isForward || !(canBeOnOneSide || canApply))) reversed.push(split);
  }
  return combineRatios(combineSplits(between), invertRatio(combineSplits(reversed)));
}

/**
 * Returns whether a figure can be in shares before the split, and whether it can be in shares after the split.
 * @param first the day of the figure
 * @param last the last day on which the figure may have been restated
 */
function findSides({ effective, after, until }: Split, first: string, last: string) {
  const isDeclared = until !== null && effective < until;
  const earliest = isDeclared ? addDays(effective, -UNCERTAIN_DAYS) : after === null ? effective : addDays(after, 1);
  const latest = isDeclared ? addDays(effective, UNCERTAIN_DAYS) : effective;
  return { before: first < latest, after: last >= earliest };
}
