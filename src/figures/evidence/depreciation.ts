/**
 * Decides whether an amount of depreciation and amortization is the total. With the same concepts, some filers tag the
 * remainder after a separate amortization line, or only the part that is not in the cost of revenue.
 */
import { compareText } from '../../contract/compare-text.ts';
import { add, isNearlyEqual, multiply } from '../../contract/decimal.ts';
import { type Decimal, isEqual, isZero } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { getOrInsert, groupBy } from '../../platform/collections.ts';
import { pickLaterDay } from '../../platform/dates.ts';
import { type FactSeries, findFirstMatchingFilingDay, MAX_FACTS_OF_PERIOD } from '../facts/fact-series.ts';
import { listMappingsOfMetric } from '../metrics/concepts.ts';
import { type AmountChooser, type AmountLookup, type FilingAmounts, ROUNDING_TOLERANCE } from './filing-amounts.ts';
import {
  type CandidateChoice,
  type FilingCandidates,
  isBelow,
  isNonEmpty,
  preferNonZeroCandidates,
  putBestFirst,
  selectLargest,
} from './filing-candidates.ts';

const DEPRECIATION_CONCEPT = 'Depreciation';
/**
 * According to its name, this concept excludes items on separate lines, but some filers tag the total of depreciation
 * and amortization with this concept.
 */
const OTHER_DEPRECIATION_CONCEPT = 'OtherDepreciationAndAmortization';
/** Amortization in the cash flow statement; `AMORTIZATION_CONCEPT` mostly occurs in notes. */
const AMORTIZATION_LINE_CONCEPT = 'AdjustmentForAmortization';
const AMORTIZATION_CONCEPT = 'AmortizationOfIntangibleAssets';
const AMORTIZATION_CONCEPTS: readonly string[] = [AMORTIZATION_LINE_CONCEPT, AMORTIZATION_CONCEPT];
const TOTAL_CONCEPTS: readonly string[] = listMappingsOfMetric('depreciation_and_amortization')
  .filter(({ taxonomy, concept }) => taxonomy === 'us-gaap' && concept !== OTHER_DEPRECIATION_CONCEPT)
  .map(({ concept }) => concept);

/** Minimum ratio of amortization to the remainder; a smaller difference may be a correction of the total. */
const MIN_AMORTIZATION_RATIO: Decimal = '0.01';
/** Minimum ratio between two amounts that are equal except for rounding. */
const MIN_EQUAL_RATIO: Decimal = '0.98';

/** Returns the choosers of depreciation and amortization metrics, by metric. */
export function createDepreciationChoosers(
  series: readonly FactSeries[],
  findAmounts: AmountLookup,
): ReadonlyMap<string, AmountChooser> {
  const remainderUses = findRemainderUses(series, findAmounts);
  const partialUses = findPartialUses(series, findAmounts, remainderUses);
  const findMeaningOfOtherDepreciation = createOtherDepreciationMeaningFinder(series, findAmounts);
  const isTotal = (fact: Pick<Fact, 'value' | 'concept' | 'accession' | 'filed'>, amounts: FilingAmounts) =>
    fact.concept === OTHER_DEPRECIATION_CONCEPT
      ? findMeaningOfOtherDepreciation(fact, amounts) === 'total'
      : !remainderUses.has(fact) && !partialUses.has(fact) && !isBelowAmortization(fact, amounts);
  const isRemainder = (fact: Fact, amounts: FilingAmounts) =>
    findAmortization(amounts) !== null && remainderUses.has(fact);
  const isOtherDepreciationRemainder = (fact: Fact, amounts: FilingAmounts) =>
    findMeaningOfOtherDepreciation(fact, amounts) === 'remainder';
  const hasTotal = ({ accession, filed }: Fact, amounts: FilingAmounts) =>
    TOTAL_CONCEPTS.some((concept) => {
      const value = amounts.get(concept);
      return value !== undefined && isTotal({ value, concept, accession, filed }, amounts);
    });
  return new Map<string, AmountChooser>([
    ['depreciation_and_amortization', (candidates, amounts) => chooseTotal(candidates, amounts, isTotal)],
    [
      'depreciation_and_other_amortization',
      (candidates, amounts) => chooseRemainder(candidates, amounts, isRemainder, hasTotal),
    ],
    [
      'other_depreciation_and_amortization',
      (candidates, amounts) => chooseRemainder(candidates, amounts, isOtherDepreciationRemainder, hasTotal),
    ],
    // If other depreciation and amortization is the remainder, depreciation is included in the remainder and is not
    // read separately.
    [
      'depreciation',
      (candidates, amounts) =>
        isOtherDepreciationRemainder(candidates[0].fact, amounts)
          ? null
          : putBestFirst(preferNonZeroCandidates(candidates)),
    ],
    ['amortization', chooseAmortization],
  ]);
}

/** Maximum factor by which amortization exceeds a wrong total; a larger one shows that its own scale is wrong. */
const MAX_AMORTIZATION_FACTOR: Decimal = '10';

/**
 * Yields totals below the amortization that filings state, each with the first day by which all amounts of amortization
 * show it. Amortization that only earlier filings state proves nothing, because it may include discontinued operations.
 */
export function* findTotalsBelowAmortization(series: readonly FactSeries[]): Generator<[Fact, string]> {
  const amortization = series.filter(({ concept }) => AMORTIZATION_CONCEPTS.includes(concept));
  for (const { unit, periods } of amortization.length > 0 ? selectTotalSeries(series) : []) {
    for (const period of periods) {
      const parts = amortization
        .flatMap((own) => (own.unit === unit ? (own.getPeriod(period)?.facts ?? []) : []))
        .filter((part) => !isZero(part.value))
        .sort((a, b) => compareText(a.filed, b.filed));
      for (const [value, facts] of parts.length > 0 ? groupBy(period.facts, (fact) => fact.value) : []) {
        const limit = multiply(value, MAX_AMORTIZATION_FACTOR);
        const isAbove = (part: Fact) =>
          isBelow(value, multiply(part.value, MIN_EQUAL_RATIO)) && !isBelow(limit, part.value);
        const isProof = ({ filed: day }: Fact) =>
          facts.some(({ filed }) => filed <= day) && parts.every((part) => part.filed > day || isAbove(part));
        const proof = parts.find(isProof);
        if (proof === undefined) continue;
        for (const fact of facts) yield [fact, pickLaterDay(fact.filed, proof.filed)];
      }
    }
  }
}

type FactPredicate = (fact: Fact, amounts: FilingAmounts) => boolean;

function chooseTotal(candidates: FilingCandidates, amounts: FilingAmounts, isTotal: FactPredicate): CandidateChoice {
  const totals = candidates.filter(({ fact }) => isTotal(fact, amounts));
  if (!isNonEmpty(totals)) return 'an amount that is only a part of depreciation and amortization';
  // Concepts that exclude an item rank below full totals, even with a larger amount.
  const fullTotals = totals.filter(({ mapping }) => mapping.confidence === '1');
  const largest = selectLargest(isNonEmpty(fullTotals) ? fullTotals : totals);
  const depreciation = amounts.get(DEPRECIATION_CONCEPT);
  return depreciation !== undefined && isBelow(largest[0].fact.value, depreciation)
    ? 'depreciation and amortization that is less than depreciation alone'
    : largest;
}

const isBelowAmortization = ({ value }: Pick<Fact, 'value'>, amounts: FilingAmounts): boolean =>
  isBelow(value, multiply(findAmortization(amounts) ?? value, MIN_EQUAL_RATIO));

function chooseRemainder(
  candidates: FilingCandidates,
  amounts: FilingAmounts,
  isRemainder: FactPredicate,
  hasTotal: FactPredicate,
): CandidateChoice {
  const remainders = candidates.filter(({ fact }) => isRemainder(fact, amounts));
  return isNonEmpty(remainders) && !hasTotal(remainders[0].fact, amounts) ? putBestFirst(remainders) : null;
}

/**
 * Chooses amortization. If the cash flow statement has a line "other depreciation and amortization", its own
 * amortization line is used.
 */
function chooseAmortization(candidates: FilingCandidates, amounts: FilingAmounts): CandidateChoice {
  const possible = preferNonZeroCandidates(candidates);
  const lines = amounts.has(OTHER_DEPRECIATION_CONCEPT)
    ? possible.filter(({ fact }) => fact.concept === AMORTIZATION_LINE_CONCEPT)
    : [];
  return isNonEmpty(lines) ? lines : putBestFirst(possible);
}

function findAmortization(amounts: FilingAmounts): Decimal | null {
  const amortizationAmounts = AMORTIZATION_CONCEPTS.map((concept) => amounts.get(concept));
  return amortizationAmounts.find((amount) => amount !== undefined && !isZero(amount)) ?? null;
}

type ConceptUse = Pick<Fact, 'concept' | 'accession'>;

/** For each concept, the filings that use the concept with one particular meaning. */
class ConceptUses {
  readonly #accessionsByConcept = new Map<string, Set<string>>();

  add({ concept, accession }: ConceptUse): void {
    getOrInsert(this.#accessionsByConcept, concept, () => new Set<string>()).add(accession);
  }

  has({ concept, accession }: ConceptUse): boolean {
    return this.#accessionsByConcept.get(concept)?.has(accession) ?? false;
  }
}

/**
 * Returns the filings that tag depreciation without amortization as the total. One period of a filing proves this: an
 * earlier filing reported a total equal to this amount plus amortization, or the same amount and concept are in an
 * earlier filing for which this was already proven.
 */
function findRemainderUses(series: readonly FactSeries[], findAmounts: AmountLookup): ConceptUses {
  const remainderUses = new ConceptUses();
  const totalSeries = selectTotalSeries(series);
  const facts = totalSeries.flatMap((total) =>
    total.periods
      .filter(({ facts: { length } }) => length > 1 && length <= MAX_FACTS_OF_PERIOD)
      .flatMap(({ facts }) => facts),
  );
  for (const fact of facts.sort((a, b) => compareText(a.filed, b.filed))) {
    if (remainderUses.has(fact) || isZero(fact.value)) continue;
    const amortization = findAmortization(findAmounts(fact));
    if (amortization === null || isBelow(amortization, multiply(fact.value, MIN_AMORTIZATION_RATIO))) continue;
    const totalWithAmortization = add(fact.value, amortization);
    const provesRemainder = (earlierFact: Fact) =>
      remainderUses.has(earlierFact)
        ? earlierFact.concept === fact.concept && isEqual(earlierFact.value, fact.value)
        : isNearlyEqual(totalWithAmortization, earlierFact.value, ROUNDING_TOLERANCE);
    const facts = totalSeries.flatMap((total) =>
      total.unit === fact.unit ? (total.getPeriod(fact)?.facts ?? []) : [],
    );
    if (facts.some((other) => other.filed < fact.filed && provesRemainder(other))) remainderUses.add(fact);
  }
  return remainderUses;
}

/** Returns the filings in which one concept of the total has a smaller amount than another, for at least one period. */
function findPartialUses(
  series: readonly FactSeries[],
  findAmounts: AmountLookup,
  remainderUses: ConceptUses,
): ConceptUses {
  const partialUses = new ConceptUses();
  const totalSeries = selectTotalSeries(series);
  if (totalSeries.length < 2) return partialUses;
  for (const fact of totalSeries.flatMap(({ facts }) => facts)) {
    if (partialUses.has(fact) || remainderUses.has(fact)) continue;
    const amounts = findAmounts(fact);
    const isLessThan = (concept: string) => {
      const otherAmount = concept === fact.concept ? undefined : amounts.get(concept);
      return otherAmount !== undefined && isBelow(fact.value, multiply(otherAmount, MIN_EQUAL_RATIO));
    };
    if (TOTAL_CONCEPTS.some(isLessThan)) partialUses.add(fact);
  }
  return partialUses;
}

function selectTotalSeries(series: readonly FactSeries[]): FactSeries[] {
  return series.filter(({ concept }) => TOTAL_CONCEPTS.includes(concept));
}

/**
 * Returns the meaning of a filing's other depreciation and amortization: the total, or the remainder after
 * amortization; null if the amount is missing or its meaning unknown.
 */
type OtherDepreciationMeaningFinder = (
  filing: Pick<Fact, 'filed'>,
  amounts: FilingAmounts,
) => 'total' | 'remainder' | null;

/**
 * Returns a function that decides whether other depreciation and amortization is the total or the remainder. If the
 * amounts of a filing do not show the meaning, the filer's earlier filings decide.
 */
function createOtherDepreciationMeaningFinder(
  series: readonly FactSeries[],
  findAmounts: AmountLookup,
): OtherDepreciationMeaningFinder {
  const findFirstDayOf = (meaning: 'total' | 'remainder') =>
    findFirstMatchingFilingDay(
      series,
      OTHER_DEPRECIATION_CONCEPT,
      (fact) => detectMeaning(findAmounts(fact)) === meaning,
    );
  const [remainderSince, totalSince] = [findFirstDayOf('remainder'), findFirstDayOf('total')];
  return ({ filed }, amounts) => {
    if (!amounts.has(OTHER_DEPRECIATION_CONCEPT)) return null;
    const isKnownBy = (day: string | null) => day !== null && day <= filed;
    const hasAmortization = findAmortization(amounts) !== null;
    const meaning = detectMeaning(amounts);
    if (meaning === 'remainder' || (meaning === 'total' && hasAmortization)) return meaning;
    if (isKnownBy(remainderSince))
      return hasAmortization && meaning === null && !isKnownBy(totalSince) ? 'remainder' : null;
    return isKnownBy(totalSince) ? 'total' : null;
  };
}

/**
 * Returns `total` if other depreciation and amortization is at least depreciation plus amortization; `remainder` if it
 * is less. If amortization is missing, any amount from depreciation up is a `total`. If depreciation is missing, an
 * amount below amortization is a `remainder`. Otherwise null; also null below depreciation.
 */
function detectMeaning(amounts: FilingAmounts): 'total' | 'remainder' | null {
  const [otherAmount, depreciation] = [amounts.get(OTHER_DEPRECIATION_CONCEPT), amounts.get(DEPRECIATION_CONCEPT)];
  const amortization = findAmortization(amounts);
  if (otherAmount === undefined || (depreciation !== undefined && isBelow(otherAmount, depreciation))) return null;
  if (amortization === null) return depreciation === undefined ? null : 'total';
  if (depreciation === undefined) return isBelow(otherAmount, amortization) ? 'remainder' : null;
  return isBelow(otherAmount, multiply(add(depreciation, amortization), MIN_EQUAL_RATIO)) ? 'remainder' : 'total';
}
