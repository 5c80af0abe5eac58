/** Decides whether a fact meets the conditions of its concept (`Conditions`), by other amounts of the company. */
import { compareText } from '../../contract/compare-text.ts';
import { add, isNearlyEqual, multiply } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isEqual, isZero } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { getOrInsert, groupBy } from '../../platform/collections.ts';
import type { FactSeries, PeriodFacts } from '../facts/fact-series.ts';
import type { Conditions } from '../metrics/concepts/concept-lists.ts';
import { type AmountLookup, type FilingAmounts, ROUNDING_TOLERANCE } from './filing-amounts.ts';
import { isBelow } from './filing-candidates.ts';

/** Minimum ratio of a total to one of its parts: both are rounded, so the total may be slightly smaller. */
export const MIN_ROUNDED_RATIO: Decimal = '0.99';
const ONE: Decimal = '1';
/** Minimum ratio of two totals of one period that differ only by rounding or a correction. */
export const MIN_TOTAL_RATIO: Decimal = '0.98';

/** Returns the reason why a fact is not the metric; null if it may be. */
export type RejectionRule = (fact: Fact, amounts: FilingAmounts) => string | null;

/** Returns the reason why a fact does not meet the conditions; null if the fact meets them. */
export type ConditionCheck = (fact: Fact, conditions: Conditions, amounts: FilingAmounts) => string | null;

export function createConditionCheck(series: readonly FactSeries[], findHabit: HabitFinder): ConditionCheck {
  const seriesByConcept = groupBy(series, ({ concept }) => concept);
  const listPeriods = (concept: string, fact: Fact) =>
    (seriesByConcept.get(concept) ?? []).flatMap((own) => (own.unit === fact.unit ? (own.getPeriod(fact) ?? []) : []));
  /** Results of `findFirstDay`, cached because facts of several filings need the result of the same period. */
  const firstDayByPeriod = new Map<PeriodFacts, string | null>();
  /** Whether a filing up to the fact's states a nonzero amount of the concept for the fact's unit and period. */
  const isStated = (concept: string, fact: Fact) =>
    listPeriods(concept, fact).some((period) => {
      const day = getOrInsert(firstDayByPeriod, period, () => findFirstDay(period));
      return day !== null && day <= fact.filed;
    });
  /**
   * Returns the smallest amount that earlier filings state of the concept for the fact's unit and day; undefined for a
   * flow, because operations that were discontinued later no longer count.
   */
  const findEarlierAmount = (concept: string, fact: Fact): Decimal | undefined =>
    (fact.start === null ? listPeriods(concept, fact) : [])
      .flatMap(({ facts }) => facts.filter(({ filed }) => filed < fact.filed).map(({ value }) => value))
      .sort(compareDecimals)[0];
  const isUsualSum = (fact: Fact, amounts: FilingAmounts, lines: readonly [string, string]) =>
    isSum(fact, amounts, lines) &&
    isKnownBy(
      findHabit(fact.concept, 'sum', (other, lookup) => isSum(other, lookup, lines) && lookup.isNonzero(lines[1])),
      fact.filed,
    );
  /** Whether the amount may be the total although it is less than usual parts. */
  const mayFallBelow = ({ concept, filed, value }: Fact, amounts: FilingAmounts, parts: readonly string[]) => {
    if (isBelowAny(add(value, value), amounts, parts, ONE)) return false;
    const { since } = findHabit(concept, 'total', (other, lookup) => !isBelowAny(other.value, lookup, parts, ONE));
    return since !== null && since < filed;
  };
  const isPartInFiling = ({ concept, accession }: Fact, totals: readonly string[]) =>
    findHabit(concept, 'part', (other, lookup) =>
      isBelowAny(other.value, lookup, totals, MIN_TOTAL_RATIO),
    ).accessions.has(accession);
  /**
   * Whether, in any period of the filing, each of the lines has an amount that differs from the concept's. Such a
   * filing uses the concept in a note.
   */
  const isNoteInFiling = ({ concept, accession }: Fact, lines: readonly (readonly string[])[]) =>
    findHabit(concept, 'note', (other, lookup) =>
      lines.every((line) => lookup.listNonzero(line).some((amount) => !isEqual(amount, other.value))),
    ).accessions.has(accession);
  const check: ConditionCheck = (fact, conditions, amounts) => {
    const { without, with: required, absent, zero, atMostOneOf, totalsOfLines, sumOf, or } = conditions;
    const { parts, usualParts, neverBelow, withoutAll } = conditions;
    if (or !== undefined && check(fact, or, amounts) === null) return null;
    if (
      without?.some((concept) => isStated(concept, fact)) ||
      absent?.some((concept) => amounts.has(concept)) ||
      zero?.some((concept) => amounts.isNonzero(concept)) ||
      (sumOf !== undefined && !isUsualSum(fact, amounts, sumOf))
    )
      return 'an amount that also includes items other than the metric';
    if (
      atMostOneOf !== undefined &&
      !totalsOfLines?.some((concepts) => concepts.every((concept) => amounts.has(concept))) &&
      atMostOneOf.filter((concept) => amounts.isNonzero(concept)).length > 1
    )
      return 'an amount that is only one of several lines of the metric';
    if (required?.some((concept) => amounts.has(concept)) === false)
      return 'an amount whose XBRL concept has another meaning in its filing';
    if (withoutAll !== undefined && isNoteInFiling(fact, withoutAll))
      return 'an amount from a note, in a filing that states the metric as several lines';
    const isBelowOwn = (part: string) =>
      isBelowPart(fact.value, amounts.get(part) ?? findEarlierAmount(part, fact), MIN_ROUNDED_RATIO);
    if (
      (neverBelow !== undefined && isPartInFiling(fact, neverBelow)) ||
      parts?.some(isBelowOwn) ||
      (usualParts !== undefined &&
        isBelowAny(fact.value, amounts, usualParts, MIN_ROUNDED_RATIO) &&
        !mayFallBelow(fact, amounts, usualParts))
    )
      return 'a total that is less than one of its parts';
    return null;
  };
  return check;
}

/** Returns the first day on which a filing states a nonzero amount for the period; null if none does. */
function findFirstDay({ facts }: PeriodFacts): string | null {
  let first: string | null = null;
  for (const { value, filed } of facts) if ((first === null || filed < first) && !isZero(value)) first = filed;
  return first;
}

const isBelowPart = (value: Decimal, part: Decimal | undefined, ratio: Decimal): boolean =>
  part !== undefined && isBelow(value, multiply(part, ratio));

const isBelowAny = (value: Decimal, amounts: FilingAmounts, parts: readonly string[], ratio: Decimal): boolean =>
  parts.some((part) => isBelowPart(value, amounts.get(part), ratio));

/** Whether the amount is the sum of the two lines, or not below the first if the filing lacks the second. */
function isSum({ value }: Fact, amounts: FilingAmounts, lines: readonly [string, string]): boolean {
  const [first, second] = [amounts.get(lines[0]), amounts.get(lines[1])];
  if (first === undefined) return false;
  return second === undefined ? !isBelow(value, first) : isNearlyEqual(add(first, second), value, ROUNDING_TOLERANCE);
}

/** The filings that show what a company means by a concept. */
interface Habit {
  /** The day of the first filing that shows the meaning; null if none does. */
  readonly since: string | null;
  /** The filings that show the meaning in any of their periods. */
  readonly accessions: ReadonlySet<string>;
}

/** Whether a fact shows the meaning; `earlier` has the accession numbers of the filings, by its day, that show it. */
type HabitTest = (fact: Fact, amounts: FilingAmounts, earlier: ReadonlySet<string>) => boolean;

/**
 * Returns the filings whose facts of the concept show a meaning. Cached by concept and meaning: later calls ignore
 * `shows`.
 */
export type HabitFinder = (concept: string, meaning: string, shows: HabitTest) => Habit;

export function createHabitFinder(series: readonly FactSeries[], findAmounts: AmountLookup): HabitFinder {
  const habits = new Map<string, Habit>();
  return (concept, meaning, shows) =>
    getOrInsert(habits, `${concept} ${meaning}`, () => {
      const facts = series.flatMap((own) => (own.concept === concept ? own.facts : []));
      const accessions = new Set<string>();
      let since: string | null = null;
      for (const fact of facts.sort((a, b) => compareText(a.filed, b.filed))) {
        if (accessions.has(fact.accession) || !shows(fact, findAmounts(fact), accessions)) continue;
        accessions.add(fact.accession);
        since ??= fact.filed;
      }
      return { since, accessions };
    });
}

export const isKnownBy = ({ since }: Habit, day: string): boolean => since !== null && since <= day;
