/** Chooses the filing and concept that supply the breakdown of each period. */

import { groupBy } from '../../platform/collections.ts';
import { isAggregate } from './axes.ts';
import type { Breakdown } from './breakdowns.ts';
import { findPriority } from './measures.ts';
import { type LeafBreakdown, removeSubtotals } from './subtotals.ts';

/** Returns a key of measure, unit, period and axis. One breakdown is chosen per key. */
const makeMeasurePeriodKey = ({ axis, measure, unit, start, end }: Breakdown): string =>
  `${axis} ${measure} ${unit} ${start} ${end}`;

/** Returns every breakdown without its subtotals. Omits nested breakdowns that do not add up to the total. */
export function toLeafBreakdowns(breakdowns: readonly Breakdown[]): readonly LeafBreakdown[] {
  const byKey = groupBy(breakdowns, ({ accession, axis, concept, unit, start, isCrossed, isNested }) =>
    [accession, axis, concept, unit, start === null, isCrossed, isNested].join(' '),
  );
  return [...byKey.values()].flatMap(removeSubtotals).filter(({ isNested, isComplete }) => !isNested || isComplete);
}

/**
 * Returns one breakdown per period. Prefers members that add up to the total and are not nested, then several members,
 * then the latest filing, because later filings restate earlier periods by the new segments. Within a filing, prefers
 * direct members, then the better concept, then more members.
 */
export function chooseBreakdowns(breakdowns: readonly LeafBreakdown[]): readonly LeafBreakdown[] {
  const best = new Map<string, LeafBreakdown>();
  for (const breakdown of breakdowns) {
    const key = makeMeasurePeriodKey(breakdown);
    const existing = best.get(key);
    if (existing === undefined || compareBreakdowns(breakdown, existing) < 0) best.set(key, breakdown);
  }
  return [...best.values()];
}

function compareBreakdowns(a: LeafBreakdown, b: LeafBreakdown): number {
  if (scoreBreakdown(a) !== scoreBreakdown(b)) return scoreBreakdown(b) - scoreBreakdown(a);
  if (a.filed !== b.filed) return a.filed > b.filed ? -1 : 1;
  if (a.accession !== b.accession) return a.accession > b.accession ? -1 : 1;
  if (a.isCrossed !== b.isCrossed) return a.isCrossed ? 1 : -1;
  if (a.isNested !== b.isNested) return a.isNested ? 1 : -1;
  const order = findPriority(a.concept) - findPriority(b.concept);
  return order === 0 ? b.members.size - a.members.size : order;
}

/**
 * Ranks a breakdown: 2 if it is not nested and its members add up to the total, 1 for several members, otherwise 0.
 * Members that denote groups of other members do not count.
 */
function scoreBreakdown({ isComplete, members, isNested }: LeafBreakdown): number {
  const leaves = [...members.keys()].filter((member) => !isAggregate(member)).length;
  if (members.size > leaves && leaves < 2) return 0;
  return isComplete && !isNested ? 2 : leaves > 1 ? 1 : 0;
}
