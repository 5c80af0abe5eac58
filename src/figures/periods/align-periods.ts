/**
 * Assigns one pair of dates to each period. Filers shift a period's dates between filings by a day or a week (to the
 * last day of the previous period, the end of the month, or another day of the week).
 */

import { compareText } from '../../contract/compare-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { makeFactKey } from '../../edgar/facts/fact-row.ts';
import { classifyForm } from '../../edgar/filings/forms.ts';
import { pushTo } from '../../platform/collections.ts';
import { countDaysBetween, toDayNumber } from '../../platform/dates.ts';
import { detectKindOfLength, type PeriodKind } from './period-kind.ts';
import { PeriodMap } from './period-map.ts';

/** A fact with the dates that represent its period in all filings. */
export interface AlignedFact extends Fact {
  /** The period's dates in the filing; absent if they equal the dates of this fact. */
  readonly filedPeriod?: Pick<Fact, 'start' | 'end'>;
}

/**
 * Maximum distance in days between dates that denote one period. Measured: 305 pairs of reported periods are at most
 * nine days apart, and each pair denotes one period. The next closest pairs are 22 days apart and denote two periods.
 */
export const MAX_BOUNDARY_SHIFT_DAYS = 9;

/** Whether two dates may be the same first or last day of a period. */
export function isSameBoundary(a: string, b: string): boolean {
  return Math.abs(countDaysBetween(a, b)) <= MAX_BOUNDARY_SHIFT_DAYS;
}

/** A period, with its start and end as day numbers. */
interface FactPeriod {
  readonly start: number;
  readonly end: number;
  readonly kind: PeriodKind;
  /** The fact whose dates represent the period. */
  readonly fact: Fact;
}

/** All periods that one filing reports. */
interface FiledPeriods {
  /** Any fact of the filing. */
  readonly fact: Fact;
  readonly periodCountByDates: PeriodMap<CountedPeriod>;
  readonly periods: CountedPeriod[];
}

/** A period, and the number of facts that one filing states for it. */
interface CountedPeriod {
  readonly period: FactPeriod;
  count: number;
}

/**
 * Returns the facts with the dates that the first filing stated for their period, so that later filings do not change
 * the dates. If that filing states several dates, the most frequent are used, then those with the earliest end, then
 * the latest start. If a filing repeats a fact with slightly different dates, only one is kept.
 */
export function alignPeriods(facts: readonly Fact[], skip: (reason: string) => void): readonly AlignedFact[] {
  const dateReplacements = findReplacementDates(facts);
  if (dateReplacements.length === 0) return facts;
  const replacementByDates = new PeriodMap<Fact>();
  const representativeDates = new PeriodMap<true>();
  for (const { filedFact, fact } of dateReplacements) {
    replacementByDates.set(filedFact, fact);
    representativeDates.set(fact, true);
  }
  const seenKeys = new Set<string>();
  for (const fact of facts) if (representativeDates.get(fact) === true) seenKeys.add(makeFactKey(fact));
  const alignedFacts: AlignedFact[] = [];
  for (const fact of facts) {
    const replacement = replacementByDates.get(fact);
    if (replacement === undefined) {
      alignedFacts.push(fact);
      continue;
    }
    const { start, end } = replacement;
    const alignedFact = { ...fact, start, end, filedPeriod: { start: fact.start, end: fact.end } };
    const key = makeFactKey(alignedFact);
    if (seenKeys.has(key)) skip('a fact that the same filing also states with slightly different dates');
    else alignedFacts.push(alignedFact);
    seenKeys.add(key);
  }
  return alignedFacts;
}

/** Returns the filed dates to replace, each with the fact whose dates replace them. */
function findReplacementDates(facts: readonly Fact[]): { readonly filedFact: Fact; readonly fact: Fact }[] {
  const periodsByKind = new Map<PeriodKind, FactPeriod[]>();
  const replacements: { readonly filedFact: Fact; readonly fact: Fact }[] = [];
  const handledDates = new PeriodMap<true>();
  for (const period of listPeriodsInFilingOrder(facts)) {
    if (handledDates.get(period.fact) === true) continue;
    handledDates.set(period.fact, true);
    const earlierPeriod = periodsByKind.get(period.kind)?.find((otherPeriod) => isSamePeriod(period, otherPeriod));
    if (earlierPeriod === undefined) pushTo(periodsByKind, period.kind, period);
    else replacements.push({ filedFact: period.fact, fact: earlierPeriod.fact });
  }
  return replacements;
}

function isSamePeriod(a: FactPeriod, b: FactPeriod): boolean {
  return Math.abs(a.start - b.start) <= MAX_BOUNDARY_SHIFT_DAYS && Math.abs(a.end - b.end) <= MAX_BOUNDARY_SHIFT_DAYS;
}

/** Returns the periods of all filings in filing order; within a filing, the most frequent period first. */
function listPeriodsInFilingOrder(facts: readonly Fact[]): FactPeriod[] {
  const periodsByFiling = new Map<string, FiledPeriods>();
  for (const fact of facts) {
    if (fact.start === null || classifyForm(fact.form) === null) continue;
    let filedPeriods = periodsByFiling.get(fact.accession);
    if (filedPeriods === undefined) {
      filedPeriods = { fact, periodCountByDates: new PeriodMap(), periods: [] };
      periodsByFiling.set(fact.accession, filedPeriods);
    }
    const existingPeriod = filedPeriods.periodCountByDates.get(fact);
    if (existingPeriod !== undefined) {
      existingPeriod.count++;
      continue;
    }
    const [start, end] = [toDayNumber(fact.start), toDayNumber(fact.end)];
    const kind = detectKindOfLength(end - start + 1);
    if (kind === null) continue;
    const newPeriod = { period: { start, end, kind, fact }, count: 1 };
    filedPeriods.periodCountByDates.set(fact, newPeriod);
    filedPeriods.periods.push(newPeriod);
  }
  return [...periodsByFiling.values()]
    .sort(({ fact: a }, { fact: b }) => compareText(a.filed, b.filed) || compareText(a.accession, b.accession))
    .flatMap(({ periods }) =>
      periods
        .sort((a, b) => b.count - a.count || a.period.end - b.period.end || b.period.start - a.period.start)
        .map(({ period }) => period),
    );
}
