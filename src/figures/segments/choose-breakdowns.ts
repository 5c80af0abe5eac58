/** Which filing, and which concept, speaks for a period. */

import type { Breakdown } from './breakdowns.ts';
import { priorityOf } from './measures.ts';
import type { LeafBreakdown } from './subtotals.ts';
import { withoutSubtotals } from './subtotals.ts';

/** What a choice is made for: one measure of one period along one axis. */
function periodKey({ axis, measure, unit, start, end }: Breakdown): string {
  return `${axis} ${measure} ${unit} ${start ?? ''} ${end}`;
}

/** Every cut without its subtotals. */
export function leafBreakdowns(cuts: readonly Breakdown[]): readonly LeafBreakdown[] {
  const together = new Map<string, Breakdown[]>();
  for (const cut of cuts) {
    const key = `${cut.accession} ${cut.axis} ${cut.concept} ${cut.unit} ${cut.start === null} ${cut.crossed}`;
    together.set(key, [...(together.get(key) ?? []), cut]);
  }
  return [...together.values()].flatMap(withoutSubtotals);
}

/**
 * One cut per period: the latest filing whose members account for the total, because a later filing states
 * the past in the segments of its own day; where no filing's do, the latest filing. Within a filing the
 * concept whose members account for the total, then the better concept, then the finer cut. Cuts of
 * different filings or concepts are never mixed.
 */
export function chooseBreakdowns(cuts: readonly LeafBreakdown[]): readonly LeafBreakdown[] {
  const best = new Map<string, LeafBreakdown>();
  for (const cut of cuts) {
    const key = periodKey(cut);
    const known = best.get(key);
    if (known === undefined || compare(cut, known) < 0) best.set(key, cut);
  }
  return [...best.values()];
}

function compare(a: LeafBreakdown, b: LeafBreakdown): number {
  if (standing(a) !== standing(b)) return standing(b) - standing(a);
  if (a.filed !== b.filed) return a.filed > b.filed ? -1 : 1;
  if (a.accession !== b.accession) return a.accession > b.accession ? -1 : 1;
  if (a.crossed !== b.crossed) return a.crossed ? 1 : -1;
  const rank = priorityOf(a.concept) - priorityOf(b.concept);
  return rank === 0 ? b.members.size - a.members.size : rank;
}

/** A breakdown that accounts for the whole, before one that compares members, before a member mentioned alone. */
function standing(cut: LeafBreakdown): number {
  return cut.complete ? 2 : cut.members.size > 1 ? 1 : 0;
}
