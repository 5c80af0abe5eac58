/**
 * Whether an amount of depreciation and amortization is the total. Filers use the same concepts for the rest after
 * amortization with its own line, and for the part that is not in the cost of revenue.
 */
import { compareText } from '../../../contract/compare-text.ts';
import { absolute, add, multiply, subtract } from '../../../contract/decimal.ts';
import { type Decimal, isZero } from '../../../contract/decimal-text.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import { getOrInsert } from '../../../platform/collections.ts';
import { type FactSeries, firstFiled } from '../../facts/fact-series.ts';
import { conceptsOf } from '../../metrics/concepts.ts';
import { type AmountChooser, type Amounts, type AmountsBeside, amountsBeside } from './amounts-beside.ts';
import {
  bestFirst,
  type Choice,
  type FilingCandidates,
  isBelow,
  isFilled,
  largest,
  withoutZeros,
} from './filing-candidates.ts';

const DEPRECIATION = 'Depreciation';
/** By its name, the rest without items that have their own lines; some filers use it for the total. */
const OTHER = 'OtherDepreciationAndAmortization';
/** The line of a cash flow statement; the other concept mostly occurs in notes. */
const AMORTIZATION_LINE = 'AdjustmentForAmortization';
const AMORTIZATION = 'AmortizationOfIntangibleAssets';
const TOTALS: readonly string[] = conceptsOf('depreciation_and_amortization')
  .filter(({ taxonomy, concept }) => taxonomy === 'us-gaap' && concept !== OTHER)
  .map(({ concept }) => concept);

/** Maximum number of filings that report one period; periods with more are not compared. */
const MAX_REPORTS = 500;
/** Tolerance for a total in millions of lines in millions. */
const ROUNDED: Decimal = '0.002';
/** Minimum share of amortization in the rest; less cannot be told from a correction of the total. */
const MIN_SHARE: Decimal = '0.01';
/** Minimum ratio of two amounts that may be equal except for rounding. */
const SAME_AMOUNT: Decimal = '0.98';

/** The choosers of the metrics of depreciation and amortization, by metric. */
export function depreciationChoosers(
  series: readonly FactSeries[],
  beside: AmountsBeside,
): ReadonlyMap<string, AmountChooser> {
  const rest = restsOfFilings(series, beside);
  const partial = partsOfFilings(series, beside, rest);
  const otherIs = otherAmounts(series, beside);
  const isTotal = (fact: Fact, amounts: Amounts) =>
    fact.concept === OTHER ? otherIs(fact, amounts) === 'total' : !rest.has(fact) && !partial.has(fact);
  const isRest = (fact: Fact, amounts: Amounts) => amortizationOf(amounts) !== null && rest.has(fact);
  const isOther = (fact: Fact, amounts: Amounts) => otherIs(fact, amounts) === 'rest';
  const hasTotal = ({ accession }: Fact, amounts: Amounts) =>
    TOTALS.some((concept) => {
      const total = { concept, accession };
      return amounts.has(concept) && !rest.has(total) && !partial.has(total);
    });
  return new Map<string, AmountChooser>([
    ['depreciation_and_amortization', (candidates, amounts) => chooseTotal(candidates, amounts, isTotal)],
    ['depreciation_and_other_amortization', (candidates, amounts) => chooseRest(candidates, amounts, isRest, hasTotal)],
    [
      'other_depreciation_and_amortization',
      (candidates, amounts) => chooseRest(candidates, amounts, isOther, hasTotal),
    ],
    // A part of depreciation and amortization.
    ['depreciation', (all, amounts) => (isOther(all[0].fact, amounts) ? null : bestFirst(withoutZeros(all)))],
    ['amortization', chooseAmortization],
  ]);
}

type Holds = (fact: Fact, amounts: Amounts) => boolean;

function chooseTotal(candidates: FilingCandidates, amounts: Amounts, isTotal: Holds): Choice {
  const totals = candidates.filter(({ fact }) => isTotal(fact, amounts));
  if (!isFilled(totals)) return 'a part of depreciation and amortization';
  // A concept that excludes something ranks below the totals, however large its amount is.
  const full = totals.filter(({ mapping }) => mapping.confidence === '1');
  const chosen = largest(isFilled(full) ? full : totals);
  const depreciation = amounts.get(DEPRECIATION);
  return depreciation !== undefined && isBelow(chosen[0].fact.value, depreciation)
    ? 'depreciation and amortization that is less than depreciation alone'
    : chosen;
}

function chooseRest(candidates: FilingCandidates, amounts: Amounts, isRest: Holds, hasTotal: Holds): Choice {
  const rests = candidates.filter(({ fact }) => isRest(fact, amounts));
  return isFilled(rests) && !hasTotal(rests[0].fact, amounts) ? bestFirst(rests) : null;
}

/** Amortization on the statement belongs with the depreciation next to it. */
function chooseAmortization(candidates: FilingCandidates, amounts: Amounts): Choice {
  const possible = withoutZeros(candidates);
  const line = amounts.has(OTHER) ? possible.filter(({ fact }) => fact.concept === AMORTIZATION_LINE) : [];
  return isFilled(line) ? line : bestFirst(possible);
}

function amortizationOf(amounts: Amounts): Decimal | null {
  const found = [AMORTIZATION_LINE, AMORTIZATION].map((concept) => amounts.get(concept));
  return found.find((amount) => amount !== undefined && !isZero(amount)) ?? null;
}

/** A concept in a filing. */
type Use = Pick<Fact, 'concept' | 'accession'>;

/** The filings that use a concept with one meaning. */
class Uses {
  readonly #filings = new Map<string, Set<string>>();

  add({ concept, accession }: Use): void {
    getOrInsert(this.#filings, concept, () => new Set<string>()).add(accession);
  }

  has({ concept, accession }: Use): boolean {
    return this.#filings.get(concept)?.has(accession) ?? false;
  }
}

/**
 * Filings that tag the rest without amortization as the total: for one of their periods, an earlier filing reported a
 * total that equals this amount plus amortization, or such a rest.
 */
function restsOfFilings(series: readonly FactSeries[], beside: AmountsBeside): Uses {
  const rests = new Uses();
  const totals = totalsOf(series);
  const facts = totals.flatMap((total) =>
    total.periods.filter(({ facts: { length } }) => length > 1 && length <= MAX_REPORTS).flatMap(({ facts }) => facts),
  );
  for (const fact of facts.sort((a, b) => compareText(a.filed, b.filed))) {
    if (rests.has(fact) || isZero(fact.value)) continue;
    const amortization = amortizationOf(beside(fact));
    if (amortization === null || isBelow(amortization, multiply(fact.value, MIN_SHARE))) continue;
    const sum = add(fact.value, amortization);
    const isProof = (earlierFact: Fact) =>
      rests.has(earlierFact)
        ? earlierFact.concept === fact.concept && earlierFact.value === fact.value
        : isSum(earlierFact.value, sum);
    const earlierFacts = totals.flatMap((total) => (total.unit === fact.unit ? (total.of(fact)?.facts ?? []) : []));
    if (earlierFacts.some((otherFact) => otherFact.filed < fact.filed && isProof(otherFact))) rests.add(fact);
  }
  return rests;
}

/** The filings that report less with one concept than with another, for one of their periods. */
function partsOfFilings(series: readonly FactSeries[], beside: AmountsBeside, rests: Uses): Uses {
  const parts = new Uses();
  const totals = totalsOf(series);
  if (totals.length < 2) return parts;
  for (const fact of totals.flatMap(({ facts }) => facts)) {
    if (parts.has(fact) || rests.has(fact)) continue;
    const amounts = beside(fact);
    const isLess = (concept: string) => {
      const other = concept === fact.concept ? undefined : amounts.get(concept);
      return other !== undefined && isBelow(fact.value, multiply(other, SAME_AMOUNT));
    };
    if (TOTALS.some(isLess)) parts.add(fact);
  }
  return parts;
}

function totalsOf(series: readonly FactSeries[]): FactSeries[] {
  return series.filter(({ concept }) => TOTALS.includes(concept));
}

/**
 * Facts tagged as the total that a later filing shows to exclude amortization, each with the day of that filing: it
 * reports the same amount for the same period as other depreciation, and amortization in addition.
 */
export function* restsShownLater(series: readonly FactSeries[]): Generator<readonly [fact: Fact, day: string]> {
  const otherSeries = series.filter(({ concept }) => concept === OTHER);
  const totals = totalsOf(series);
  if (otherSeries.length === 0 || totals.length === 0) return;
  const beside = amountsBeside(series);
  const otherIs = otherAmounts(series, beside);
  const shownOn = new Map<string, string>();
  for (const { unit, facts } of otherSeries) {
    for (const remainingFact of facts) {
      if (otherIs(remainingFact, beside(remainingFact)) !== 'rest') continue;
      for (const total of totals) {
        const sameFacts = total.unit === unit ? (total.of(remainingFact)?.facts ?? []) : [];
        for (const { accession, concept, filed, value } of sameFacts) {
          const use = `${concept} ${accession}`;
          const day = shownOn.get(use);
          if (
            filed < remainingFact.filed &&
            isSum(value, remainingFact.value) &&
            (day === undefined || remainingFact.filed < day)
          )
            shownOn.set(use, remainingFact.filed);
        }
      }
    }
  }
  for (const fact of totals.flatMap(({ facts }) => facts)) {
    const day = shownOn.get(`${fact.concept} ${fact.accession}`);
    if (day !== undefined) yield [fact, day];
  }
}

/** Returns what a filing's other depreciation and amortization is; null if it has none or does not show it. */
type OtherAmount = (filing: Pick<Fact, 'filed'>, amounts: Amounts) => 'total' | 'rest' | null;

/** If a filing does not show it, uses the filer's earlier filings. */
function otherAmounts(series: readonly FactSeries[], beside: AmountsBeside): OtherAmount {
  const since = (meaning: 'total' | 'rest') =>
    firstFiled(series, OTHER, (fact) => shownOther(beside(fact)) === meaning);
  const [restSince, totalSince] = [since('rest'), since('total')];
  return ({ filed }, amounts) => {
    if (!amounts.has(OTHER)) return null;
    const isKnown = (day: string | null) => day !== null && day <= filed;
    const hasAmortization = amortizationOf(amounts) !== null;
    const own = shownOther(amounts);
    if (own === 'rest' || (own === 'total' && hasAmortization)) return own;
    if (isKnown(restSince)) return hasAmortization && own === null && !isKnown(totalSince) ? 'rest' : null;
    return isKnown(totalSince) ? 'total' : null;
  };
}

/** Decides by depreciation and amortization in the same filing: it has both, or only depreciation. */
function shownOther(amounts: Amounts): 'total' | 'rest' | null {
  const [other, depreciation] = [amounts.get(OTHER), amounts.get(DEPRECIATION)];
  const amortization = amortizationOf(amounts);
  if (other === undefined || (depreciation !== undefined && isBelow(other, depreciation))) return null;
  if (amortization === null) return depreciation === undefined ? null : 'total';
  if (depreciation === undefined) return isBelow(other, amortization) ? 'rest' : null;
  return isBelow(other, multiply(add(depreciation, amortization), SAME_AMOUNT)) ? 'rest' : 'total';
}

function isSum(total: Decimal, sum: Decimal): boolean {
  return !isBelow(multiply(absolute(total), ROUNDED), absolute(subtract(total, sum)));
}
