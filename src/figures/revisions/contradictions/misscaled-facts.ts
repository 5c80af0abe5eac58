/**
 * Finds facts with a wrong scale (amounts in thousands tagged as dollars, share counts a thousand times too large) or a
 * wrong sign.
 * Size alone proves nothing: start-ups grow a thousandfold, and shells become companies. Another filing's value with
 * the same digits proves an error, as do earlier and later counts that agree with each other.
 */

import { compareText } from '../../../contract/compare-text.ts';
import {
  computeHalfOfLastPlace,
  findUpperMedian,
  multiply,
  negate,
  subtract,
  takeAbsoluteValue,
} from '../../../contract/decimal.ts';
import {
  compareDecimals,
  type Decimal,
  isNegative,
  isZero,
  shiftDecimal,
  trimTrailingZeros,
} from '../../../contract/decimal-text.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import { assertDefined, getOrInsert, groupBy } from '../../../platform/collections.ts';
import { pickLaterDay, setEarliestDay } from '../../../platform/dates.ts';
import { countFilings, type FactSeries, type PeriodFacts } from '../../facts/fact-series.ts';
import type { Split } from '../../shares/splits.ts';

/** Returns facts with a wrong scale or sign, each with the day from which filings show the error. */
export function findScaleAndSignErrors(series: readonly FactSeries[], splits: readonly Split[]): Map<Fact, string> {
  const errorDayByFact = new Map<Fact, string>();
  for (const { mappings, periods } of series) {
    const maxFactor = mappings.map(({ metricKey }) => MAX_FACTORS[metricKey]).find((factor) => factor !== undefined);
    if (maxFactor === undefined && !periods.some(({ isDisputed }) => isDisputed)) continue;
    // Cash flow statements add share-based compensation back, but some filers tag it as a deduction.
    const isAddBack = mappings.some(({ metricKey }) => metricKey === 'share_based_compensation');
    for (const sameLength of groupBy(periods, ({ kind }) => kind).values()) {
      const errorDays = new Map<Fact, string>();
      addErrors(errorDays, findShiftedValues(sameLength, splits));
      addErrors(errorDays, findOppositeSigns(sameLength, isAddBack));
      // Adds errors to the map while it is read, so that repetitions by facts found to be wrong no longer count.
      addErrors(errorDays, findSimilarToMisscaled(sameLength, errorDays, isAddBack));
      if (maxFactor !== undefined) addErrors(errorDays, findOutlyingCounts(sameLength, maxFactor, splits));
      for (const [fact, day] of errorDays) errorDayByFact.set(fact, day);
    }
  }
  addErrors(errorDayByFact, findFactsOfMisscaledFilings(series, errorDayByFact));
  return errorDayByFact;
}

/** A wrong fact, with the day from which filings show the error. */
export type DatedError = readonly [fact: Fact, day: string];

function addErrors(dayByFact: Map<Fact, string>, errors: Iterable<DatedError>): void {
  for (const [fact, day] of errors) setEarliestDay(dayByFact, fact, day);
}

/** The periods of one concept and unit that have the same kind. */
type SameLengthPeriods = readonly PeriodFacts[];

/** Returns the nonzero facts of periods with another end. */
const listFactsOfOtherPeriods = (periods: SameLengthPeriods, { end }: PeriodFacts): readonly Fact[] =>
  periods.flatMap((other) => (other.end === end ? [] : other.facts.filter(({ value }) => !isZero(value))));

/** Powers of ten between amounts in units, thousands, millions and billions. */
const SCALE_EXPONENTS = [3, 6, 9];
/**
 * Minimum factor between two amounts of a different scale: slightly less than a thousand, because the smaller amount
 * may be rounded to two digits.
 */
const MIN_SCALE_FACTOR: Decimal = '900';
/** Maximum factor between a correct value and the values of other periods; a misscaled value differs by more. */
const MAX_NEAR_FACTOR: Decimal = '30';

/** Maximum number of compared pairs per period: a hundred times the number that any known company has. */
const MAX_PAIRS_OF_PERIOD = 10_000;

/**
 * Finds values that two filings report with the same digits in different scales, and yields the value that other
 * periods contradict.
 */
function* findShiftedValues(periods: SameLengthPeriods, splits: readonly Split[]): Generator<DatedError> {
  for (const period of periods.filter(({ isDisputed }) => isDisputed)) {
    let otherFacts: readonly Fact[] | undefined;
    for (const pair of enumerateShiftedPairs(period.facts)) {
      otherFacts ??= listFactsOfOtherPeriods(periods, period);
      const datedError = isExplainedBySplit(pair, splits) ? null : findWrongFactOfPair(pair, otherFacts);
      if (datedError !== null) yield datedError;
    }
  }
}

type FactPair = readonly [small: Fact, large: Fact];

/** Yields pairs of facts with the same digits in different scales. */
function* enumerateShiftedPairs(facts: readonly Fact[]): Generator<FactPair> {
  const factsByValue = groupBy(facts, ({ value }) => value);
  let pairCount = 0;
  for (const [smallValue, smallFacts] of factsByValue)
    for (const [largeValue, largeFacts] of factsByValue) {
      pairCount += 1;
      const isShifted = isFarBelow(smallValue, largeValue) && haveSameDigits(smallValue, largeValue);
      for (const small of isShifted ? smallFacts : [])
        for (const large of largeFacts) {
          if (pairCount > MAX_PAIRS_OF_PERIOD) return;
          pairCount += 1;
          yield [small, large];
        }
      if (pairCount > MAX_PAIRS_OF_PERIOD) return;
    }
}

const isFarBelow = (small: Decimal, large: Decimal): boolean =>
  compareDecimals(multiply(takeAbsoluteValue(small), MIN_SCALE_FACTOR), takeAbsoluteValue(large)) < 0;

/**
 * Whether `large` has the digits of `small`, shifted left by a power of a thousand and possibly with further digits.
 */
function haveSameDigits(small: Decimal, large: Decimal): boolean {
  if (isZero(small)) return false;
  const digitCount = small.replace(/[-.]/g, '').replace(/^0+/, '').length;
  // One digit may match by chance if more digits follow.
  const tolerance = digitCount > 1 ? computeHalfOfLastPlace(small) : '0';
  return SCALE_EXPONENTS.some((power) => {
    const difference = takeAbsoluteValue(subtract(shiftDecimal(small, power), large));
    return compareDecimals(difference, shiftDecimal(tolerance, power)) <= 0;
  });
}

/** Whether a split lies between the filings. A split may multiply the number of shares by a thousand. */
function isExplainedBySplit(facts: readonly Fact[], splits: readonly Split[]): boolean {
  if (!facts.some(({ unit }) => /shares/i.test(unit))) return false;
  const filingDays = facts.map(({ filed }) => filed).sort();
  const [firstDay, lastDay] = [assertDefined(filingDays[0]), assertDefined(filingDays.at(-1))];
  return splits.some(({ effective }) => effective > firstDay && effective <= lastDay);
}

/** Minimum number of other filings that show an error: a single filing may have the same error. */
const MIN_OTHER_FILINGS = 2;

/**
 * Returns the fact of the pair whose value is far from the values of other periods, and the day from which filings show
 * this: the first day on which enough other filings report other periods. Null if there is no such day, or if both
 * values are far or both are near.
 * @param facts facts of other periods
 */
function findWrongFactOfPair([small, large]: FactPair, facts: readonly Fact[]): DatedError | null {
  const pairDay = pickLaterDay(small.filed, large.filed);
  const peers = facts.filter(({ accession }) => accession !== small.accession && accession !== large.accession);
  const days = [pairDay, ...peers.map(({ filed }) => filed)].filter((day) => day >= pairDay);
  for (const day of new Set(days.sort())) {
    const filedFacts = peers.filter(({ filed }) => filed <= day);
    if (countFilings(filedFacts) < MIN_OTHER_FILINGS) continue;
    const usualSize = findUpperMedian(filedFacts.map(({ value }) => takeAbsoluteValue(value)));
    const isSmallFactNear = areMagnitudesWithinFactor(small.value, usualSize, MAX_NEAR_FACTOR);
    const isLargeFactNear = areMagnitudesWithinFactor(large.value, usualSize, MAX_NEAR_FACTOR);
    return isSmallFactNear === isLargeFactNear ? null : [isSmallFactNear ? large : small, day];
  }
  return null;
}

/**
 * Finds amounts that two filings report with opposite signs, and yields the amount whose sign differs from the sign of
 * every amount that other filings report for other periods; also negative ones of an add-back of the cash flow
 * statement.
 */
function* findOppositeSigns(periods: SameLengthPeriods, isAddBack: boolean): Generator<DatedError> {
  for (const period of periods) {
    if (!period.isDisputed || !period.facts.some(({ value }) => isNegative(value))) continue;
    const otherFacts = listFactsOfOtherPeriods(periods, period);
    const firstDayByValue = new Map<Decimal, string>();
    for (const { value, filed } of period.facts) setEarliestDay(firstDayByValue, trimTrailingZeros(value), filed);
    for (const fact of period.facts) {
      const firstOppositeDay = firstDayByValue.get(trimTrailingZeros(negate(fact.value)));
      if (isZero(fact.value) || firstOppositeDay === undefined) continue;
      const day = pickLaterDay(fact.filed, firstOppositeDay);
      const peers = otherFacts.filter(({ accession, filed }) => accession !== fact.accession && filed <= day);
      const hasEnoughFilings = countFilings(peers) >= MIN_OTHER_FILINGS;
      const isProven = hasEnoughFilings && peers.every(({ value }) => isNegative(value) !== isNegative(fact.value));
      if (isProven || (isAddBack && isNegative(fact.value))) yield [fact, day];
    }
  }
}

/** Returns the amount without its sign and without zeros at the end of its decimals: 2.3 for -2.30. */
export const normalizeAbsoluteValue = (value: Decimal): Decimal => trimTrailingZeros(takeAbsoluteValue(value));

/**
 * Finds further misscaled values of a filing with a misscaled value: values of the same concept and of similar size
 * that no other filing repeats, and all negative add-backs.
 */
function* findSimilarToMisscaled(
  periods: SameLengthPeriods,
  dayByFact: ReadonlyMap<Fact, string>,
  isAddBack: boolean,
): Generator<DatedError> {
  if (dayByFact.size === 0) return;
  const wrongFactsByFiling = groupBy(dayByFact.keys(), ({ accession }) => accession);
  for (const period of periods) {
    const isSimilar = (fact: Fact, wrongFact: Fact) =>
      // A sign is wrong in one column only, unless filings disagree about the other column too.
      (isNegative(fact.value) === isNegative(wrongFact.value) || period.isDisputed) &&
      areMagnitudesWithinFactor(fact.value, wrongFact.value, MAX_NEAR_FACTOR);
    for (const fact of period.facts) {
      // A later filing may show this error too, so facts that are already known to be wrong are not skipped.
      const isRepeated = isRepeatedByOtherFiling(fact, period, dayByFact);
      for (const wrongFact of wrongFactsByFiling.get(fact.accession) ?? []) {
        const day = dayByFact.get(wrongFact);
        const isReversed = isAddBack && isNegative(fact.value) && isNegative(wrongFact.value);
        if (day !== undefined && (isReversed || (!isRepeated && isSimilar(fact, wrongFact)))) yield [fact, day];
      }
    }
  }
}

/** Whether another filing repeats the fact, and that repetition is not known to be misscaled. */
function isRepeatedByOtherFiling(
  { value, accession }: Fact,
  { facts }: PeriodFacts,
  dayByFact: ReadonlyMap<Fact, string>,
): boolean {
  return facts.some((other) => other.value === value && other.accession !== accession && !dayByFact.has(other));
}

/**
 * If this number of concepts in a filing are misscaled, so is the whole filing. A filing of which another filing
 * repeats an amount is exempt.
 */
const MIN_CONCEPTS_OF_FILING = 3;

/**
 * Yields all nonzero amounts in one unit from the statements of misscaled filings: several concepts are known to be
 * misscaled, and no other filing repeats any of the other amounts. The day is the first on which enough concepts are.
 */
function* findFactsOfMisscaledFilings(
  series: readonly FactSeries[],
  dayByFact: ReadonlyMap<Fact, string>,
): Generator<DatedError> {
  const byFiling = new Map<string, Map<string, string>>();
  for (const [{ accession, unit, concept }, day] of dayByFact) {
    const dayByConcept = getOrInsert(byFiling, `${accession} ${unit}`, () => new Map<string, string>());
    setEarliestDay(dayByConcept, concept, day);
  }
  for (const [key, dayByConcept] of byFiling) {
    const day = [...dayByConcept.values()].sort()[MIN_CONCEPTS_OF_FILING - 1];
    if (day === undefined) continue;
    // Excludes covers: a cover is prepared separately, so its scale may differ from the scale of the statements.
    const statementSeries = series.filter(({ taxonomy }) => taxonomy !== 'dei');
    const isOfFiling = ({ accession, unit, value }: Fact) => `${accession} ${unit}` === key && !isZero(value);
    const isRepeatedElsewhere = (period: PeriodFacts) =>
      period.facts.some(
        (fact) => isOfFiling(fact) && !dayByFact.has(fact) && isRepeatedByOtherFiling(fact, period, dayByFact),
      );
    if (statementSeries.some(({ periods }) => periods.some(isRepeatedElsewhere))) continue;
    for (const { facts } of statementSeries) for (const fact of facts) if (isOfFiling(fact)) yield [fact, day];
  }
}

/**
 * Maximum factor, by metric, between two counts that agree. If the counts before and after a count agree with each
 * other but not with this count, its scale may be wrong.
 */
const MAX_FACTORS: Readonly<Record<string, Decimal | undefined>> = {
  common_shares_outstanding: '1.25',
  public_float: '3',
};

/**
 * Finds share counts and public floats whose scale differs from the scale of their neighbors in other filings: the last
 * count of an earlier day, and the first count of a later day.
 */
function* findOutlyingCounts(
  periods: SameLengthPeriods,
  maxFactor: Decimal,
  splits: readonly Split[],
): Generator<DatedError> {
  const counts = periods
    .flatMap(({ facts }) => facts.filter(({ value }) => !isZero(value)))
    .sort((a, b) => compareText(a.end, b.end) || compareText(a.filed, b.filed));
  const isNear = (a: Decimal, b: Decimal) => areMagnitudesWithinFactor(a, b, maxFactor);
  for (const [index, fact] of counts.entries()) {
    const isOther = (count: Fact | undefined) =>
      count === undefined || (count.end !== fact.end && count.accession !== fact.accession);
    let [previousIndex, nextIndex] = [index - 1, index + 1];
    while (!isOther(counts[previousIndex])) previousIndex -= 1;
    while (!isOther(counts[nextIndex])) nextIndex += 1;
    const [previous, next] = [counts[previousIndex], counts[nextIndex]];
    if (previous === undefined || next === undefined) continue;
    if (isNear(fact.value, previous.value) || !isNear(previous.value, next.value)) continue;
    const shifted = SCALE_EXPONENTS.flatMap((power) => [power, -power]).map((power) => shiftDecimal(fact.value, power));
    if (!shifted.some((value) => isNear(value, previous.value) && isNear(value, next.value))) continue;
    if (isExplainedBySplit([previous, fact, next], splits)) continue;
    // The previous count may be from a late amendment, so the first report of this count is used.
    const { filed } = counts.find(({ end, value }) => end === previous.end && value === previous.value) ?? previous;
    yield [fact, pickLaterDay(filed, pickLaterDay(fact.filed, next.filed))];
  }
}

/** Whether neither amount is more than `factor` times the other, ignoring signs. */
export function areMagnitudesWithinFactor(a: Decimal, b: Decimal, factor: Decimal): boolean {
  const [sizeA, sizeB] = [takeAbsoluteValue(a), takeAbsoluteValue(b)];
  return compareDecimals(sizeA, multiply(sizeB, factor)) <= 0 && compareDecimals(sizeB, multiply(sizeA, factor)) <= 0;
}
