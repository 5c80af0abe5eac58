/** Facts that a filing tags with the dates of another period, mostly a table of quarters under the year before. */
import { compareText } from '../../contract/compare-text.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { pushTo, sortIfNeeded } from '../../platform/collections.ts';
import { dayNumber } from '../../platform/dates.ts';
import { isYearApart } from '../periods/fiscal-years.ts';
import type { FactSeries, PeriodFacts } from './fact-series.ts';

/** Two periods whose amounts share so many digits are rarely two periods; where two amounts of a filing do, never. */
const TELLING_DIGITS = 4;
const REPEATED_DIGITS = 3;
/** Balances of one day and the next may be equal. */
const LEAST_DAYS_APART = 20;

/**
 * The amounts of money that contradict what earlier filings reported for their period, and are another period's:
 *
 * - the filing itself gives the amount for that one too;
 * - at least two of the filing's amounts are those first reported for the year before or after;
 * - or its dates are not those of the period, and the filing dates nothing else so.
 *
 * Only earlier filings are compared, so that nothing filed later has an influence.
 */
export function misdatedFacts(series: readonly FactSeries[]): ReadonlySet<Fact> {
  const found = new Set<Fact>();
  const byFiling = new Map<string, Fact[]>();
  const strays = strayFacts(series);
  for (const { unit, periods } of series) {
    for (const period of periods) {
      if (!period.isDisputed || period.kind === null || unit.toLowerCase().includes('share')) continue;
      for (const fact of contradictions(period)) {
        if (strays.has(fact) || isGivenTwice(fact, period, periods)) found.add(fact);
        else if (isOfYearApart(fact, period, periods)) pushTo(byFiling, fact.accession, fact);
      }
    }
  }
  for (const suspects of byFiling.values()) {
    if (suspects.length > 1) for (const fact of suspects) found.add(fact);
  }
  return found;
}

/** The facts under dates that are not their period's, and no other fact's of the filing. */
function strayFacts(series: readonly FactSeries[]): ReadonlySet<Fact> {
  const dated = new Map<string, Fact[]>();
  for (const { facts } of series) {
    for (const fact of facts) {
      const { filedPeriod, accession } = fact;
      if (filedPeriod !== undefined) pushTo(dated, `${accession} ${filedPeriod.start} ${filedPeriod.end}`, fact);
    }
  }
  return new Set([...dated.values()].filter(({ length }) => length === 1).flat());
}

/** The facts whose value no earlier filing reports for the period, though some filing reports one. */
function* contradictions({ facts }: PeriodFacts): Generator<Fact> {
  const values = new Set<Decimal>();
  let accession: string | null = null;
  for (const fact of sortIfNeeded([...facts], byFilingDay)) {
    if (values.size > 0 && fact.accession !== accession && !values.has(fact.value)) yield fact;
    values.add(fact.value);
    accession = fact.accession;
  }
}

function isGivenTwice(fact: Fact, period: PeriodFacts, all: readonly PeriodFacts[]): boolean {
  if (digitsOf(fact.value) < TELLING_DIGITS) return false;
  return all.some(
    (other) =>
      other.kind === period.kind &&
      other.facts.some(({ accession, value }) => accession === fact.accession && value === fact.value) &&
      Math.abs(dayNumber(other.end) - dayNumber(period.end)) > LEAST_DAYS_APART &&
      firstOf(other).value === fact.value,
  );
}

function isOfYearApart(fact: Fact, period: PeriodFacts, all: readonly PeriodFacts[]): boolean {
  if (digitsOf(fact.value) < REPEATED_DIGITS) return false;
  return all.some((other) => {
    if (other.kind !== period.kind || !other.facts.some(({ value }) => value === fact.value)) return false;
    if (!isYearApart(other.end, period.end) && !isYearApart(period.end, other.end)) return false;
    const first = firstOf(other);
    return first.value === fact.value && first.filed < fact.filed;
  });
}

function firstOf({ facts }: PeriodFacts): Fact {
  return facts.reduce((first, fact) => (byFilingDay(fact, first) < 0 ? fact : first));
}

function digitsOf(value: Decimal): number {
  return value.replace(/[-.]/g, '').replace(/^0+|0+$/g, '').length;
}

function byFilingDay(a: Fact, b: Fact): number {
  return compareText(a.filed, b.filed) || compareText(a.accession, b.accession);
}
