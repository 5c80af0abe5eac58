/**
 * Finds weighted shares whose scale contradicts their own filing: income divided by earnings per share gives the number
 * of shares.
 */

import { multiply, takeAbsoluteValue } from '../../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero, shiftDecimal } from '../../../contract/decimal-text.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import { pickLaterDay } from '../../../platform/dates.ts';
import { createAmountLookup } from '../../evidence/filing-amounts.ts';
import type { FactSeries } from '../../facts/fact-series.ts';
import { listConceptsOfMetric } from '../../metrics/concepts.ts';
import { areMagnitudesWithinFactor } from './misscaled-facts.ts';

interface ShareFindings {
  /** Misscaled facts, each with the day of the filing that shows the error, which is usually the fact's own filing. */
  readonly dayByWrongFact: ReadonlyMap<Fact, string>;
  /** Facts that match the income and earnings per share of their filing. */
  readonly confirmedFacts: ReadonlySet<Fact>;
}

const WEIGHTED_SHARE_METRICS = ['weighted_shares_basic', 'weighted_shares_diluted'];
const listConceptNames = (...keys: readonly string[]) => [...new Set(keys.flatMap(listConceptsOfMetric))];
const INCOME_CONCEPTS = listConceptNames('net_income');
const PER_SHARE_CONCEPTS = listConceptNames('eps_basic', 'eps_diluted');

/** Powers of ten between a tagged number and the correct number: statements are printed in thousands or millions. */
const SCALE_EXPONENTS = [3, 6, -3, -6];
/**
 * Maximum factor between income per share and the stated earnings per share that rounding, dilution and preferred
 * dividends explain. The smallest error of scale is a factor of a thousand.
 */
const MAX_NEAR_FACTOR: Decimal = '3';
/**
 * Maximum plausible earnings per share. The few companies that earn more have not tagged share counts in another scale.
 */
const MAX_EARNINGS_PER_SHARE: Decimal = '1000';
/** Maximum number of facts of one concept; larger series are not compared with each other. */
const MAX_FACTS_OF_CONCEPT = 5000;

/** Returns the weighted shares that the income per share of their filing contradicts, and those that it confirms. */
export function findMisscaledShares(series: readonly FactSeries[]): ShareFindings {
  const [dayByWrongFact, confirmedFacts] = [new Map<Fact, string>(), new Set<Fact>()];
  const weightedShareSeries = series.filter(({ mappings }) =>
    mappings.some(({ metricKey }) => WEIGHTED_SHARE_METRICS.includes(metricKey)),
  );
  if (weightedShareSeries.length === 0) return { dayByWrongFact, confirmedFacts };
  const findSizes = createSizeLookup(series);
  const currencies = listCurrencies(series);
  for (const { facts } of weightedShareSeries) {
    for (const fact of facts) {
      const power = findPowerFromEarnings(fact, currencies, findSizes);
      if (power === 0) confirmedFacts.add(fact);
      else if (power !== null) dayByWrongFact.set(fact, fact.filed);
    }
    // The second rule compares with the counts that the first one finds.
    for (const findDay of [findDayOfLargerCount, findDayOfSimilarCount]) {
      const undecidedFacts = facts.filter((fact) => !dayByWrongFact.has(fact) && !confirmedFacts.has(fact));
      const wrongFacts = facts.filter((fact) => dayByWrongFact.has(fact));
      for (const fact of undecidedFacts) {
        const day = findDay(fact, { facts, wrongFacts, dayByWrongFact, findSizes });
        if (day !== null) dayByWrongFact.set(fact, day);
      }
    }
  }
  return { dayByWrongFact, confirmedFacts };
}

interface SeriesFindings extends Pick<FactSeries, 'facts'>, Pick<ShareFindings, 'dayByWrongFact'> {
  readonly wrongFacts: readonly Fact[];
  readonly findSizes: SizeLookup;
}

/**
 * Returns the day from which filings show that a count is misscaled: income divided by the count is implausible, and
 * another count of the series is about a thousand or a million times as large. Null if filings do not show this. Needs
 * no earnings per share.
 */
function findDayOfLargerCount(fact: Fact, { facts, findSizes }: SeriesFindings): string | null {
  if (facts.length > MAX_FACTS_OF_CONCEPT || isZero(fact.value)) return null;
  const maxIncome = multiply(fact.value, MAX_EARNINGS_PER_SHARE);
  if (!findSizes(INCOME_CONCEPTS, 'USD', fact).some((income) => compareDecimals(income, maxIncome) > 0)) return null;
  const largerFacts = facts.filter(({ value }) => (findPowerBetween(fact.value, [value]) ?? 0) > 0);
  const proof = largerFacts.find(({ filed }) => filed <= fact.filed) ?? largerFacts[0];
  return proof === undefined ? null : pickLaterDay(proof.filed, fact.filed);
}

/**
 * Returns the day from which filings show that a count of similar size in the same filing is misscaled: this count then
 * has the same error. Null if the filing has no such count.
 */
function findDayOfSimilarCount(fact: Fact, { wrongFacts, dayByWrongFact }: SeriesFindings): string | null {
  const ofFiling = wrongFacts.filter(({ accession }) => accession === fact.accession);
  const similarFact = ofFiling.find(({ value }) => areMagnitudesWithinFactor(value, fact.value, MAX_NEAR_FACTOR));
  return similarFact === undefined ? null : (dayByWrongFact.get(similarFact) ?? null);
}

/**
 * Returns the power of ten by which the product of shares and earnings per share differs from the income; null if an
 * amount is missing or no power matches.
 */
function findPowerFromEarnings(fact: Fact, currencies: readonly string[], findSizes: SizeLookup): number | null {
  if (isZero(fact.value)) return null;
  let firstPower: number | null = null;
  for (const currency of currencies) {
    const earnings = findSizes(PER_SHARE_CONCEPTS, `${currency}/shares`, fact);
    const incomes = earnings.length === 0 ? [] : findSizes(INCOME_CONCEPTS, currency, fact);
    for (const perShare of earnings) {
      const power = findPowerBetween(multiply(perShare, fact.value), incomes);
      if (power === 0) return power;
      firstPower ??= power;
    }
  }
  return firstPower;
}

/** Returns the nonzero amounts of concepts that the fact's filing states for its period, without signs. */
type SizeLookup = (concepts: readonly string[], unit: string, fact: Fact) => Decimal[];

function createSizeLookup(series: readonly FactSeries[]): SizeLookup {
  const findAmounts = createAmountLookup(series);
  return (concepts, unit, { accession, start, end }) =>
    findAmounts({ accession, unit, start, end }).listNonzero(concepts).map(takeAbsoluteValue);
}

/** Returns the power of ten that brings the value near one of the other values; null if no power of ten does. */
function findPowerBetween(value: Decimal, otherValues: readonly Decimal[]): number | null {
  const isNear = (shifted: Decimal) =>
    otherValues.some((other) => areMagnitudesWithinFactor(shifted, other, MAX_NEAR_FACTOR));
  if (isNear(value)) return 0;
  return SCALE_EXPONENTS.find((power) => isNear(shiftDecimal(value, power))) ?? null;
}

function listCurrencies(series: readonly FactSeries[]): string[] {
  const units = series.filter(({ concept }) => PER_SHARE_CONCEPTS.includes(concept)).map(({ unit }) => unit);
  return [...new Set(units.filter((unit) => unit.endsWith('/shares')).map((unit) => unit.slice(0, unit.indexOf('/'))))];
}
