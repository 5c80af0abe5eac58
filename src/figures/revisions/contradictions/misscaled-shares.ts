/**
 * Finds weighted shares with a wrong scale by their own filing: income equals earnings per share times shares, and
 * the cover has an independent count.
 */
import { absolute, multiply, nearlyEqual } from '../../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero, shiftDecimal } from '../../../contract/decimal-text.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import { daysBetween } from '../../../platform/dates.ts';
import type { FactSeries } from '../../facts/fact-series.ts';
import { conceptsOf } from '../../metrics/concepts.ts';
import { type AmountsBeside, amountsBeside, type Place } from '../synonyms/amounts-beside.ts';
import { isNear } from './misscaled-facts.ts';

export interface JudgedShares {
  /** Wrong facts, each with the day of the filing that shows the error, usually its own. */
  readonly wrong: ReadonlyMap<Fact, string>;
  /** Facts that agree with income and earnings per share of their filing. */
  readonly confirmed: ReadonlySet<Fact>;
  /**
   * Filings whose shares and amounts agree with each other but not with the cover, with the power of ten between
   * them.
   */
  readonly filings: ReadonlyMap<string, number>;
}

const WEIGHTED = ['weighted_shares_basic', 'weighted_shares_diluted'];
const COVER_COUNT = 'EntityCommonStockSharesOutstanding';
const namesOf = (...keys: readonly string[]) => [
  ...new Set(keys.flatMap((key) => conceptsOf(key).map(({ concept }) => concept))),
];
const INCOMES = namesOf('net_income');
const PER_SHARE = namesOf('eps_basic', 'eps_diluted');

/** Statements are printed in thousands or millions. */
const POWERS = [3, 6, -3, -6];
/**
 * Maximum factor by which rounding, dilution and preferred dividends change earnings per share; less than any power
 * of a thousand.
 */
const NEAR: Decimal = '3';
/** Maximum number of days from a period's end to a cover that counts its shares. */
const SAME_SHARES_DAYS = 200;
/** Maximum numbers of reports of one period, and of one concept; larger groups are not compared. */
const [MAX_REPORTS, MAX_FACTS] = [500, 5000];

export function judgeShares(series: readonly FactSeries[]): JudgedShares {
  const [wrong, confirmed, filings] = [new Map<Fact, string>(), new Set<Fact>(), new Map<string, number>()];
  const weighted = series.filter(({ mappings }) => mappings.some(({ metricKey }) => WEIGHTED.includes(metricKey)));
  if (weighted.length === 0) return { wrong, confirmed, filings };
  const beside = amountsBeside(series);
  const currencies = currenciesOf(series);
  const covers = coverCounts(series);
  for (const fact of weighted.flatMap(({ facts }) => facts)) {
    if (isZero(fact.value)) continue;
    const byIncome = powerByIncome(fact, beside, currencies);
    const isOwnPeriod = daysBetween(fact.end, fact.filed) <= SAME_SHARES_DAYS;
    const cover = isOwnPeriod ? covers.get(fact.accession) : undefined;
    const byCover = cover === undefined ? null : powerBetween(fact.value, [cover]);
    if (byIncome === 0) {
      confirmed.add(fact);
      if (byCover !== null && byCover > 0) filings.set(fact.accession, byCover);
    } else if (byIncome === null ? byCover !== null && byCover !== 0 : byCover === null || byCover === byIncome) {
      wrong.set(fact, fact.filed);
    }
  }
  for (const one of weighted) {
    for (const [fact, day] of implausible(one, wrong, confirmed, beside)) wrong.set(fact, day);
    for (const [fact, day] of besideWrong(one, wrong, confirmed)) wrong.set(fact, day);
  }
  return { wrong, confirmed, filings };
}

type Finding = readonly [fact: Fact, day: string];
type Known = ReadonlyMap<Fact, string>;

/** Maximum earnings per share. The few shares that earned more have never been tagged in another scale. */
const MAX_EARNINGS_PER_SHARE: Decimal = '1000';

/**
 * In filings with neither earnings per share nor a count on the cover: counts that imply implausible earnings and
 * that other filings report in another scale.
 */
function* implausible(
  { facts }: FactSeries,
  wrong: Known,
  confirmed: ReadonlySet<Fact>,
  beside: AmountsBeside,
): Generator<Finding> {
  if (facts.length > MAX_FACTS) return;
  for (const fact of facts) {
    if (wrong.has(fact) || confirmed.has(fact) || isZero(fact.value)) continue;
    const most = multiply(fact.value, MAX_EARNINGS_PER_SHARE);
    const incomes = valuesOf(INCOMES, besideIn('USD', fact), beside);
    if (!incomes.some((income) => compareDecimals(income, most) > 0)) continue;
    const otherFact = facts.find(
      ({ value, filed }) => filed <= fact.filed && (powerBetween(fact.value, [value]) ?? 0) > 0,
    );
    const laterFact = otherFact ?? facts.find(({ value }) => (powerBetween(fact.value, [value]) ?? 0) > 0);
    if (laterFact !== undefined) yield [fact, laterFact.filed > fact.filed ? laterFact.filed : fact.filed];
  }
}

/** The filing's other counts of the concept that differ from other filings by the same scale. */
function* besideWrong({ facts }: FactSeries, wrong: Known, confirmed: ReadonlySet<Fact>): Generator<Finding> {
  const foundFacts = facts.filter((fact) => wrong.has(fact));
  if (foundFacts.length === 0) return;
  for (const fact of facts) {
    if (wrong.has(fact) || confirmed.has(fact)) continue;
    const otherFact = foundFacts.find((one) => one.accession === fact.accession && isNear(one.value, fact.value, NEAR));
    if (otherFact !== undefined) yield [fact, wrong.get(otherFact) ?? fact.filed];
  }
}

/** The power of ten between shares times earnings per share and the income; null if unknown. */
function powerByIncome(fact: Fact, beside: AmountsBeside, currencies: readonly string[]): number | null {
  for (const currency of currencies) {
    const earnings = valuesOf(PER_SHARE, besideIn(`${currency}/shares`, fact), beside);
    if (earnings.length === 0) continue;
    const incomes = valuesOf(INCOMES, besideIn(currency, fact), beside);
    let found: number | null = null;
    for (const one of earnings) {
      const power = powerBetween(multiply(one, fact.value), incomes);
      if (power === 0) return power;
      found ??= power;
    }
    if (found !== null) return found;
  }
  return null;
}

const besideIn = (unit: string, { accession, start, end }: Fact): Place => ({ accession, unit, start, end });

function valuesOf(concepts: readonly string[], place: Place, beside: AmountsBeside): Decimal[] {
  const amounts = beside(place);
  return concepts.flatMap((concept) => {
    const amount = amounts.get(concept);
    return amount === undefined || isZero(amount) ? [] : [absolute(amount)];
  });
}

/** The power of ten that brings a value near one of the others; null if none does. */
function powerBetween(value: Decimal, others: readonly Decimal[]): number | null {
  if (others.some((other) => isNear(value, other, NEAR))) return 0;
  const found = POWERS.find((power) => others.some((other) => isNear(shiftDecimal(value, power), other, NEAR)));
  return found ?? null;
}

function currenciesOf(series: readonly FactSeries[]): string[] {
  const units = series.filter(({ concept }) => PER_SHARE.includes(concept)).map(({ unit }) => unit);
  return [...new Set(units.filter((unit) => unit.endsWith('/shares')).map((unit) => unit.slice(0, unit.indexOf('/'))))];
}

/** The largest count on the cover of each filing. */
function coverCounts(series: readonly FactSeries[]): ReadonlyMap<string, Decimal> {
  const counts = new Map<string, Decimal>();
  for (const { facts } of series.filter(({ concept }) => concept === COVER_COUNT)) {
    for (const { accession, value } of facts) {
      const known = counts.get(accession);
      if (known === undefined || compareDecimals(value, known) > 0) counts.set(accession, value);
    }
  }
  return counts;
}

/**
 * Finds statements of filings whose cover shows another scale and that repeat an amount of an earlier filing in that
 * scale.
 * @param filings the power of ten by accession number
 */
export function misscaledFilings(series: readonly FactSeries[], filings: ReadonlyMap<string, number>): Fact[] {
  if (filings.size === 0) return [];
  const statements = series.filter(({ taxonomy }) => taxonomy !== 'dei');
  const proven = new Set<string>();
  for (const { facts } of statements.flatMap(({ periods }) =>
    periods.filter(({ isDisputed, facts }) => isDisputed && facts.length <= MAX_REPORTS),
  )) {
    for (const { accession, filed, value } of facts) {
      const power = filings.get(accession);
      if (power === undefined || isZero(value)) continue;
      const shifted = shiftDecimal(value, power);
      if (facts.some((otherFact) => otherFact.filed < filed && nearlyEqual(otherFact.value, shifted, ROUNDED)))
        proven.add(accession);
    }
  }
  return statements.flatMap(({ unit, facts }) =>
    unit.includes('/') ? [] : facts.filter(({ accession }) => proven.has(accession)),
  );
}

const ROUNDED: Decimal = '0.01';
