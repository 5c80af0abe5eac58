/**
 * Finds weighted shares whose scale contradicts their own filing: income divided by earnings per share gives the number
 * of shares.
 */

import { multiply, takeAbsoluteValue } from '../../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero, shiftDecimal } from '../../../contract/decimal-text.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import { type AmountLookup, createAmountLookup, type FilingPeriod } from '../../evidence/filing-amounts.ts';
import type { FactSeries } from '../../facts/fact-series.ts';
import { listMappingsOfMetric } from '../../metrics/concepts.ts';
import { areMagnitudesWithinFactor } from './misscaled-facts.ts';

interface ShareFindings {
  /** Misscaled facts, each with the day of the filing that shows the error, which is usually the fact's own filing. */
  readonly dayByWrongFact: ReadonlyMap<Fact, string>;
  /** Facts that match the income and earnings per share of their filing. */
  readonly confirmedFacts: ReadonlySet<Fact>;
}

const WEIGHTED_SHARE_METRICS = ['weighted_shares_basic', 'weighted_shares_diluted'];
const listConceptNames = (...keys: readonly string[]) => [
  ...new Set(keys.flatMap((key) => listMappingsOfMetric(key).map(({ concept }) => concept))),
];
const INCOME_CONCEPTS = listConceptNames('net_income');
const PER_SHARE_CONCEPTS = listConceptNames('eps_basic', 'eps_diluted');

/** Powers of ten between a tagged number and the correct number: statements are printed in thousands or millions. */
const SCALE_EXPONENTS = [3, 6, -3, -6];
/**
 * Maximum factor between income per share and the stated earnings per share that rounding, dilution and preferred
 * dividends explain. The smallest error of scale is a factor of a thousand.
 */
const MAX_NEAR_FACTOR: Decimal = '3';
/** Maximum number of facts of one concept; larger series are not compared. */
const MAX_FACTS_OF_CONCEPT = 5000;

/** Compares weighted shares with the income per share of their filing. */
export function checkWeightedShares(series: readonly FactSeries[]): ShareFindings {
  const [dayByWrongFact, confirmedFacts] = [new Map<Fact, string>(), new Set<Fact>()];
  const weightedShareSeries = series.filter(({ mappings }) =>
    mappings.some(({ metricKey }) => WEIGHTED_SHARE_METRICS.includes(metricKey)),
  );
  if (weightedShareSeries.length === 0) return { dayByWrongFact, confirmedFacts };
  const findAmounts = createAmountLookup(series);
  const currencies = listCurrencies(series);
  for (const fact of weightedShareSeries.flatMap(({ facts }) => facts)) {
    if (isZero(fact.value)) continue;
    const power = findPowerFromEarnings(fact, findAmounts, currencies);
    if (power === 0) confirmedFacts.add(fact);
    else if (power !== null) dayByWrongFact.set(fact, fact.filed);
  }
  for (const factSeries of weightedShareSeries) {
    for (const [fact, day] of findImplausibleCounts(factSeries, dayByWrongFact, confirmedFacts, findAmounts))
      dayByWrongFact.set(fact, day);
    for (const [fact, day] of findSimilarCounts(factSeries, dayByWrongFact, confirmedFacts))
      dayByWrongFact.set(fact, day);
  }
  return { dayByWrongFact, confirmedFacts };
}

type DatedError = readonly [fact: Fact, day: string];
type DayByFact = ReadonlyMap<Fact, string>;

/**
 * Maximum plausible earnings per share. The few companies that earn more have not tagged share counts in another scale.
 */
const MAX_EARNINGS_PER_SHARE: Decimal = '1000';

/**
 * Finds misscaled counts among those that no other check shows to be wrong or right: such a count implies implausible
 * earnings per share, and another count of the series is about a thousand or a million times as large.
 */
function* findImplausibleCounts(
  { facts }: FactSeries,
  dayByWrongFact: DayByFact,
  confirmedFacts: ReadonlySet<Fact>,
  findAmounts: AmountLookup,
): Generator<DatedError> {
  if (facts.length > MAX_FACTS_OF_CONCEPT) return;
  for (const fact of facts) {
    if (dayByWrongFact.has(fact) || confirmedFacts.has(fact) || isZero(fact.value)) continue;
    const maxIncome = multiply(fact.value, MAX_EARNINGS_PER_SHARE);
    const incomes = listNonzeroAbsoluteAmounts(INCOME_CONCEPTS, toFilingPeriod('USD', fact), findAmounts);
    if (!incomes.some((income) => compareDecimals(income, maxIncome) > 0)) continue;
    const earlierMatch = facts.find(
      ({ value, filed }) => filed <= fact.filed && (findPowerBetween(fact.value, [value]) ?? 0) > 0,
    );
    const matchingFact = earlierMatch ?? facts.find(({ value }) => (findPowerBetween(fact.value, [value]) ?? 0) > 0);
    if (matchingFact !== undefined) yield [fact, matchingFact.filed > fact.filed ? matchingFact.filed : fact.filed];
  }
}

/**
 * Finds further misscaled counts of a filing with a misscaled count: counts of the same concept and of similar size.
 */
function* findSimilarCounts(
  { facts }: FactSeries,
  dayByWrongFact: DayByFact,
  confirmedFacts: ReadonlySet<Fact>,
): Generator<DatedError> {
  const wrongFacts = facts.filter((fact) => dayByWrongFact.has(fact));
  if (wrongFacts.length === 0) return;
  for (const fact of facts) {
    if (dayByWrongFact.has(fact) || confirmedFacts.has(fact)) continue;
    const otherFact = wrongFacts.find(
      (wrongFact) =>
        wrongFact.accession === fact.accession &&
        areMagnitudesWithinFactor(wrongFact.value, fact.value, MAX_NEAR_FACTOR),
    );
    if (otherFact !== undefined) yield [fact, dayByWrongFact.get(otherFact) ?? fact.filed];
  }
}

/**
 * Returns the power of ten by which the product of shares and earnings per share differs from the income; null if an
 * amount is missing or no power matches.
 */
function findPowerFromEarnings(fact: Fact, findAmounts: AmountLookup, currencies: readonly string[]): number | null {
  for (const currency of currencies) {
    const perShareEarnings = listNonzeroAbsoluteAmounts(
      PER_SHARE_CONCEPTS,
      toFilingPeriod(`${currency}/shares`, fact),
      findAmounts,
    );
    if (perShareEarnings.length === 0) continue;
    const incomes = listNonzeroAbsoluteAmounts(INCOME_CONCEPTS, toFilingPeriod(currency, fact), findAmounts);
    let firstPower: number | null = null;
    for (const eps of perShareEarnings) {
      const power = findPowerBetween(multiply(eps, fact.value), incomes);
      if (power === 0) return power;
      firstPower ??= power;
    }
    if (firstPower !== null) return firstPower;
  }
  return null;
}

const toFilingPeriod = (unit: string, { accession, start, end }: Fact): FilingPeriod => ({
  accession,
  unit,
  start,
  end,
});

function listNonzeroAbsoluteAmounts(
  concepts: readonly string[],
  filingPeriod: FilingPeriod,
  findAmounts: AmountLookup,
): Decimal[] {
  const amounts = findAmounts(filingPeriod);
  const sizes: Decimal[] = [];
  for (const concept of concepts) {
    const amount = amounts.get(concept);
    if (amount !== undefined && !isZero(amount)) sizes.push(takeAbsoluteValue(amount));
  }
  return sizes;
}

/** Returns the power of ten that brings the value near one of the other values; null if no power of ten does. */
function findPowerBetween(value: Decimal, otherValues: readonly Decimal[]): number | null {
  if (otherValues.some((otherValue) => areMagnitudesWithinFactor(value, otherValue, MAX_NEAR_FACTOR))) return 0;
  const matchingPower = SCALE_EXPONENTS.find((power) =>
    otherValues.some((otherValue) =>
      areMagnitudesWithinFactor(shiftDecimal(value, power), otherValue, MAX_NEAR_FACTOR),
    ),
  );
  return matchingPower ?? null;
}

function listCurrencies(series: readonly FactSeries[]): string[] {
  const units = series.filter(({ concept }) => PER_SHARE_CONCEPTS.includes(concept)).map(({ unit }) => unit);
  return [...new Set(units.filter((unit) => unit.endsWith('/shares')).map((unit) => unit.slice(0, unit.indexOf('/'))))];
}
