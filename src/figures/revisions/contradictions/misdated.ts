/**
 * Finds facts tagged with the dates of another period, for example this year's quarters with dates of the year before.
 */
import { type Decimal, extractSignificantDigits, isEqual, isZero } from '../../../contract/decimal-text.ts';
import { onFirstUse } from '../../../contract/on-first-use.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import { getOrInsert, groupBy, pushTo, sortIfNeeded } from '../../../platform/collections.ts';
import { countDaysBetween } from '../../../platform/dates.ts';
import { countFilings, type FactSeries, type PeriodFacts } from '../../facts/fact-series.ts';
import { compareByFiling } from '../../facts/tagged-facts.ts';
import { isFlow } from '../../metrics/metric-rules.ts';
import { areYearsApart, detectPeriodKind } from '../../periods/period-kind.ts';

/**
 * Minimum number of digits of an amount that identifies its period: amounts of two periods rarely have this many equal
 * digits. Fewer digits (`MIN_REPEATED_DIGITS`) are sufficient if two amounts of one filing match.
 */
const MIN_IDENTIFYING_DIGITS = 4;
const MIN_REPEATED_DIGITS = 3;
/** Two quarters of one fiscal year end at most about 274 days apart, and quarters of the same name about 364. */
const DAYS_IN_THREE_QUARTERS = 290;
/** Minimum number of days between two compared balances, because balances of consecutive days may be equal. */
const MIN_DAYS_BETWEEN_PERIOD_ENDS = 20;

/**
 * Finds amounts of money that contradict the values reported by earlier filings for the same period, and that belong to
 * another period by one of these signs:
 * - the filing itself reports the amount for the other period, too;
 * - at least two of the filing's amounts were first reported for the year before or after. Then amounts of the same
 *   periods with fewer digits count, too; so do all quarters of a concept that has two such quarters in one year;
 * - the amount is a balance that two earlier filings state for the day one year before or after, and two others for the
 *   day itself state another amount;
 * - the dates of the amount differ slightly from the period's dates, and no other fact of the filing has these dates.
 * Also finds a year's amount that a filing tags as the amount of the last quarter. Compares only with earlier filings,
 * so that later filings change nothing.
 */
export function findMisdatedFacts(series: readonly FactSeries[]): ReadonlySet<Fact> {
  const misdatedFacts = new Set<Fact>();
  const suspectsByFiling = new Map<string, Fact[]>();
  const changedFactsByFiling = new Map<string, Fact[]>();
  const isolated = findFactsWithIsolatedDates(series);
  const moneySeries = series.filter(({ unit }) => !unit.toLowerCase().includes('share'));
  for (const factSeries of moneySeries) {
    for (const fact of findBalancesOfAdjacentYear(factSeries)) misdatedFacts.add(fact);
    const { periods } = factSeries;
    // Grouped on first use, because most series have no changed facts.
    const groupByFirstValue = onFirstUse(() => groupBy(periods, (period) => findFirstFact(period).value));
    for (const period of periods.filter(({ isDisputed, kind }) => isDisputed && kind !== null))
      for (const fact of findChangedFacts(period)) {
        pushTo(changedFactsByFiling, fact.accession, fact);
        const equalPeriods = (groupByFirstValue().get(fact.value) ?? []).filter(({ kind }) => kind === period.kind);
        if (isolated.has(fact) || isReportedForOtherPeriod(fact, period, equalPeriods)) misdatedFacts.add(fact);
        else if (isFromAdjacentYear(fact, period, equalPeriods)) pushTo(suspectsByFiling, fact.accession, fact);
      }
  }
  for (const periods of groupPeriodsOfMetrics(moneySeries)) {
    for (const fact of findYearsAsQuarters(periods)) misdatedFacts.add(fact);
  }
  for (const [accession, suspects] of suspectsByFiling) {
    const changedFacts = changedFactsByFiling.get(accession) ?? [];
    for (const fact of findFactsOfAdjacentYear(suspects, changedFacts)) misdatedFacts.add(fact);
  }
  return misdatedFacts;
}

/**
 * Yields the misdated amounts of one filing; none if fewer than two of them have enough digits.
 * @param suspects amounts that were first reported for the year before or after
 * @param changedFacts all amounts that change an earlier report
 */
function* findFactsOfAdjacentYear(suspects: readonly Fact[], changedFacts: readonly Fact[]): Generator<Fact> {
  const identifiedFacts = suspects.filter(({ value }) => extractSignificantDigits(value).length >= MIN_REPEATED_DIGITS);
  if (identifiedFacts.length < 2) return;
  const misdatedFacts = suspects.filter(({ start, end }) =>
    identifiedFacts.some((fact) => fact.start === start && fact.end === end),
  );
  yield* misdatedFacts;
  const isQuarter = ({ start, end }: Fact) => detectPeriodKind(start, end) === 'quarter';
  const misdatedQuarters = misdatedFacts.filter(isQuarter);
  for (const fact of changedFacts.filter(isQuarter)) {
    const isInYear = ({ concept, end }: Fact) =>
      concept === fact.concept && Math.abs(countDaysBetween(end, fact.end)) < DAYS_IN_THREE_QUARTERS;
    if (misdatedQuarters.filter(isInYear).length > 1) yield fact;
  }
}

/** Minimum number of earlier filings that must state the balance of a day; a single filing may be wrong. */
const MIN_FILINGS_OF_BALANCE = 2;

/** Yields balances that earlier filings state for the same day one year before or after, and not for their own day. */
function* findBalancesOfAdjacentYear({ periods }: FactSeries): Generator<Fact> {
  for (const period of periods) {
    if (period.start !== null || !period.isDisputed) continue;
    const adjacentPeriods = periods.filter((other) => other.start === null && isYearApart(other, period));
    if (adjacentPeriods.length === 0) continue;
    const { value: firstValue } = findFirstFact(period);
    for (const fact of period.facts) {
      const isKnown = ({ facts }: PeriodFacts, balance: Decimal) =>
        countFilings(facts.filter(({ value, filed }) => filed < fact.filed && isEqual(value, balance))) >=
        MIN_FILINGS_OF_BALANCE;
      if (extractSignificantDigits(fact.value).length < MIN_REPEATED_DIGITS) continue;
      if (isEqual(fact.value, firstValue) || !isKnown(period, firstValue)) continue;
      if (adjacentPeriods.some((other) => isKnown(other, fact.value))) yield fact;
    }
  }
}

/**
 * Returns the periods of each flow of money, by any concept of the metric: a filing may tag the year with one concept
 * and the quarter with another.
 */
function groupPeriodsOfMetrics(series: readonly FactSeries[]): Iterable<readonly PeriodFacts[]> {
  const byMetric = new Map<string, PeriodFacts[]>();
  for (const { mappings, unit, periods } of series) {
    for (const { metricKey } of mappings)
      if (isFlow(metricKey)) getOrInsert(byMetric, `${metricKey} ${unit}`, () => [] as PeriodFacts[]).push(...periods);
  }
  return byMetric.values();
}

/**
 * Yields amounts of a year that a filing tags as the fourth quarter. This filing or an earlier one reports the same
 * amount for the whole year, but an earlier part of the year is not zero, so the amount cannot be the fourth quarter's.
 * @param periods periods of one metric and unit
 */
function* findYearsAsQuarters(periods: readonly PeriodFacts[]): Generator<Fact> {
  const years = periods.filter(({ kind }) => kind === 'annual');
  const yearsByEnd = groupBy(years, ({ end }) => end);
  for (const quarter of periods.filter(({ kind }) => kind === 'quarter')) {
    for (const year of yearsByEnd.get(quarter.end) ?? []) {
      const isYearValue = ({ value, filed }: Fact) =>
        extractSignificantDigits(value).length >= MIN_IDENTIFYING_DIGITS &&
        year.facts.some((fact) => isEqual(fact.value, value) && fact.filed <= filed);
      const suspects = quarter.facts.filter(isYearValue);
      if (suspects.length > 0 && periods.some((part) => isEarlierPart(part, quarter, year))) yield* suspects;
    }
  }
}

/** Whether the period lies within the year, ends before the quarter starts, and has a nonzero amount. */
function isEarlierPart({ start, end, facts }: PeriodFacts, quarter: PeriodFacts, year: PeriodFacts): boolean {
  if (start === null || quarter.start === null || year.start === null) return false;
  return start >= year.start && end < quarter.start && facts.some(({ value }) => !isZero(value));
}

/** Returns facts whose filed dates differ from their period's dates and occur only once in the filing. */
function findFactsWithIsolatedDates(series: readonly FactSeries[]): ReadonlySet<Fact> {
  const movedFacts = series.flatMap(({ facts }) => facts.filter(({ filedPeriod }) => filedPeriod !== undefined));
  const byDates = groupBy(movedFacts, ({ accession, filedPeriod }) =>
    [accession, filedPeriod?.start, filedPeriod?.end].join(' '),
  );
  return new Set([...byDates.values()].filter(({ length }) => length === 1).flat());
}

/**
 * Yields facts whose value differs from every value that earlier filings report for the period. Omits facts without an
 * earlier filing.
 */
function* findChangedFacts({ facts }: PeriodFacts): Generator<Fact> {
  const earlierValues = new Set<Decimal>();
  let lastAccession: string | null = null;
  for (const fact of sortIfNeeded([...facts], compareByFiling)) {
    if (earlierValues.size > 0 && fact.accession !== lastAccession && !earlierValues.has(fact.value)) yield fact;
    earlierValues.add(fact.value);
    lastAccession = fact.accession;
  }
}

/** @param others periods of the same kind whose first reported value equals the fact's value */
function isReportedForOtherPeriod({ accession, value }: Fact, { end }: PeriodFacts, others: readonly PeriodFacts[]) {
  if (extractSignificantDigits(value).length < MIN_IDENTIFYING_DIGITS) return false;
  const distant = others.filter((other) => Math.abs(countDaysBetween(other.end, end)) > MIN_DAYS_BETWEEN_PERIOD_ENDS);
  return distant.some((other) => other.findFactsOfFiling(accession).some((fact) => fact.value === value));
}

const isFromAdjacentYear = ({ filed }: Fact, period: PeriodFacts, others: readonly PeriodFacts[]): boolean =>
  others.some((other) => isYearApart(other, period) && other.facts.some((fact) => fact.filed < filed));

const isYearApart = (a: PeriodFacts, b: PeriodFacts): boolean =>
  areYearsApart(a.end, b.end) || areYearsApart(b.end, a.end);

const findFirstFact = ({ facts }: PeriodFacts): Fact =>
  facts.reduce((earliest, fact) => (compareByFiling(fact, earliest) < 0 ? fact : earliest));
