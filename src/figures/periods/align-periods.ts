/**
 * Assigns one pair of dates to each period. Filers shift a period's dates between filings by a day or a week (to the
 * last day of the previous period, the end of the month, or another day of the week).
 */

import { compareText } from '../../contract/compare-text.ts';
import { isEqual, isZero } from '../../contract/decimal-text.ts';
import { type Fact, hasInferredDates, makeFactKey } from '../../edgar/facts/fact-row.ts';
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
export const MAX_DATE_SHIFT_DAYS = 9;

/** Whether two dates may be the same first or last day of a period. */
export const isSameBoundary = (a: string, b: string): boolean =>
  Math.abs(countDaysBetween(a, b)) <= MAX_DATE_SHIFT_DAYS;

type PeriodDates = Pick<Fact, 'start' | 'end'>;

/** A period, with its start and end as day numbers. */
interface FactPeriod {
  readonly start: number;
  readonly end: number;
  readonly kind: PeriodKind;
  readonly dates: PeriodDates;
  /** The first filing that states the period. */
  readonly filing: Pick<Fact, 'accession' | 'filed' | 'source'>;
}

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
 * the dates. Inferred dates represent a period only if no filing states dates. If that filing states several dates, the
 * most frequent are used, then those with the earliest end, then the latest start. A quarter and a year that end within
 * days of each other have one end, too. Periods with one end and the same amounts are one period, even if their starts
 * differ by weeks. If a filing repeats a fact with different dates, only one is kept.
 */
export function alignPeriods(facts: readonly Fact[], skip: (reason: string) => void): readonly AlignedFact[] {
  const replacements = findReplacementDates(facts);
  if (replacements.length === 0) return facts;
  const byDates = new PeriodMap<PeriodDates>();
  const alignedDates = new PeriodMap<true>();
  for (const { filedDates, dates } of replacements) {
    byDates.set(filedDates, dates);
    alignedDates.set(dates, true);
  }
  const seen = new Set<string>();
  for (const fact of facts) if (alignedDates.get(fact) === true) seen.add(makeFactKey(fact));
  const aligned: AlignedFact[] = [];
  for (const fact of facts) {
    const dates = byDates.get(fact);
    if (dates === undefined) {
      aligned.push(fact);
      continue;
    }
    const { start, end } = dates;
    const movedFact = { ...fact, start, end, filedPeriod: { start: fact.start, end: fact.end } };
    const key = makeFactKey(movedFact);
    if (seen.has(key)) skip('a fact that the same filing also states with slightly different dates');
    else aligned.push(movedFact);
    seen.add(key);
  }
  return aligned;
}

interface DateReplacement {
  readonly filedDates: PeriodDates;
  readonly dates: PeriodDates;
}

/** Returns the filed dates to replace, each with the dates that replace them. */
function findReplacementDates(facts: readonly Fact[]): DateReplacement[] {
  const byKind = new Map<PeriodKind, FactPeriod[]>();
  /** Ends of periods of any kind, by day number. */
  const endByDay = new Map<number, string>();
  const replacements: DateReplacement[] = [];
  const handled = new PeriodMap<true>();
  const isEqualTo = createAmountComparison(facts);
  for (const filedPeriod of listPeriodsInFilingOrder(facts)) {
    const filedDates = filedPeriod.dates;
    if (handled.get(filedDates) === true) continue;
    handled.set(filedDates, true);
    const ofKind = byKind.get(filedPeriod.kind) ?? [];
    let period =
      ofKind.find((other) => isSamePeriod(filedPeriod, other)) ?? ofKind.find((other) => isEqualTo(filedPeriod, other));
    if (period === undefined) {
      period = alignEnd(filedPeriod, endByDay);
      pushTo(byKind, period.kind, period);
      endByDay.set(period.end, period.dates.end);
    }
    const { dates } = period;
    if (dates.start !== filedDates.start || dates.end !== filedDates.end) replacements.push({ filedDates, dates });
  }
  return replacements;
}

/** Minimum number of nonzero amounts that show that two periods are one. */
const MIN_EQUAL_AMOUNTS = 3;

/**
 * Returns a function that decides whether two periods with one end are one, although their starts differ by more than
 * `MAX_DATE_SHIFT_DAYS`: every amount that the first filing of the later period states for it was also stated for
 * the earlier period, by that filing or before. A company's months after a merger have other amounts.
 */
function createAmountComparison(facts: readonly Fact[]): (period: FactPeriod, earlierPeriod: FactPeriod) => boolean {
  let byDates: PeriodMap<Fact[]> | undefined;
  return ({ end, dates, filing }, other) => {
    if (end !== other.end) return false;
    if (byDates === undefined) {
      byDates = new PeriodMap();
      for (const fact of facts) byDates.getOrInsert(fact, () => []).push(fact);
    }
    const amounts = (byDates.get(dates) ?? []).filter(
      ({ accession, value }) => accession === filing.accession && !isZero(value),
    );
    const earlierFacts = (byDates.get(other.dates) ?? []).filter(({ filed }) => filed <= filing.filed);
    const isRepeated = ({ concept, unit, value }: Fact) =>
      earlierFacts.some((fact) => fact.concept === concept && fact.unit === unit && isEqual(fact.value, value));
    return amounts.length >= MIN_EQUAL_AMOUNTS && amounts.every(isRepeated);
  };
}

/**
 * Returns the period with the nearest end of an earlier period of another kind, for example of the year whose last
 * quarter it is. Returns the period unchanged if no end is near, or if another length would change its kind.
 */
function alignEnd(period: FactPeriod, endByDay: ReadonlyMap<number, string>): FactPeriod {
  for (let distance = 0; distance <= MAX_DATE_SHIFT_DAYS; distance++) {
    for (const day of [period.end - distance, period.end + distance]) {
      const end = endByDay.get(day);
      if (end !== undefined && detectKindOfLength(day - period.start + 1) === period.kind)
        return { ...period, end: day, dates: { start: period.dates.start, end } };
    }
  }
  return period;
}

const isSamePeriod = (a: FactPeriod, b: FactPeriod): boolean =>
  Math.abs(a.start - b.start) <= MAX_DATE_SHIFT_DAYS && Math.abs(a.end - b.end) <= MAX_DATE_SHIFT_DAYS;

/**
 * Returns the periods of all filings in filing order, those with inferred dates last; within a filing, the most
 * frequent period first.
 */
function listPeriodsInFilingOrder(facts: readonly Fact[]): FactPeriod[] {
  const byFiling = new Map<string, FiledPeriods>();
  for (const fact of facts) {
    if (fact.start === null || classifyForm(fact.form) === null) continue;
    let filing = byFiling.get(fact.accession);
    if (filing === undefined) {
      filing = { fact, periodCountByDates: new PeriodMap(), periods: [] };
      byFiling.set(fact.accession, filing);
    }
    const existing = filing.periodCountByDates.get(fact);
    if (existing !== undefined) {
      existing.count++;
      continue;
    }
    const [start, end] = [toDayNumber(fact.start), toDayNumber(fact.end)];
    const kind = detectKindOfLength(end - start + 1);
    if (kind === null) continue;
    const newPeriod = { period: { start, end, kind, dates: fact, filing: fact }, count: 1 };
    filing.periodCountByDates.set(fact, newPeriod);
    filing.periods.push(newPeriod);
  }
  return [...byFiling.values()]
    .sort(({ fact: a }, { fact: b }) => compareText(a.filed, b.filed) || compareText(a.accession, b.accession))
    .flatMap(({ periods }) =>
      periods
        .sort((a, b) => b.count - a.count || a.period.end - b.period.end || b.period.start - a.period.start)
        .map(({ period }) => period),
    )
    .sort((a, b) => Number(hasInferredDates(a.filing)) - Number(hasInferredDates(b.filing)));
}
