/**
 * Finds facts with a wrong scale (amounts in thousands tagged as dollars, share counts a thousand times too large) or
 * a wrong sign.
 * Size alone proves nothing: start-ups grow a thousandfold and shells become companies. Proof is another filing's
 * value with the same digits, or earlier and later counts that agree with each other.
 */

import { compareText } from '../../../contract/compare-text.ts';
import { absolute, add, halfUnit, multiply, subtract } from '../../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero, shiftDecimal } from '../../../contract/decimal-text.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import { assertDefined } from '../../../platform/assert-defined.ts';
import { getOrInsert, groupBy } from '../../../platform/collections.ts';
import type { FactSeries, PeriodFacts } from '../../facts/fact-series.ts';
import type { Split } from '../../shares/splits.ts';

/** Each such fact, with the day from which filings show the error. */
export function misscaledFacts(series: readonly FactSeries[], splits: readonly Split[]): Map<Fact, string> {
  const found = new Map<Fact, string>();
  const report = (fact: Fact, day: string) => {
    const known = found.get(fact);
    if (known === undefined || day < known) found.set(fact, day);
  };
  for (const one of series) {
    const steady = steadyFactor(one);
    if (steady === null && !one.periods.some(({ isDisputed }) => isDisputed)) continue;
    for (const span of spansOf(one)) {
      for (const { fact, day } of sameDigits(span, splits)) report(fact, day);
      for (const { fact, day } of oppositeSigns(span)) report(fact, day);
      if (isAddedBack(one)) for (const { fact, day } of negativeAddBacks(span)) report(fact, day);
      for (const { fact, day } of besideMisscaled(span, found)) report(fact, day);
      if (steady !== null) for (const { fact, day } of outlyingCounts(span, steady, splits)) report(fact, day);
    }
  }
  for (const { fact, day } of wholeFilings(series, found)) report(fact, day);
  return found;
}

interface Finding {
  readonly fact: Fact;
  readonly day: string;
}

/** The periods of one concept, unit and kind. */
class Span {
  readonly disputed: readonly PeriodFacts[];
  readonly #periods: readonly PeriodFacts[];
  #facts: readonly Fact[] | undefined;
  #byValue: ReadonlyMap<string, readonly Fact[]> | undefined;

  constructor(periods: readonly PeriodFacts[]) {
    this.disputed = periods.filter(({ isDisputed }) => isDisputed);
    this.#periods = periods;
  }

  /** The facts of all periods. Few disputes need those of other periods. */
  get facts(): readonly Fact[] {
    this.#facts ??= this.#periods.flatMap(({ facts }) => facts);
    return this.#facts;
  }

  /** The nonzero facts of periods that end on other days. */
  factsBeside(period: PeriodFacts): readonly Fact[] {
    return this.facts.filter(({ end, value }) => end !== period.end && !isZero(value));
  }

  /** The facts with the same value and dates. */
  equalTo(fact: Fact): readonly Fact[] {
    this.#byValue ??= indexByValue(this.facts);
    return this.#byValue.get(valueKey(fact)) ?? [];
  }
}

const valueKey = ({ value, start, end }: Fact): string => `${value} ${start} ${end}`;
const indexByValue = (facts: readonly Fact[]) => groupBy(facts, valueKey);

function spansOf({ periods }: FactSeries): Span[] {
  return [...groupBy(periods, ({ kind }) => kind).values()].map((own) => new Span(own));
}

/** Amounts are printed in thousands, millions or billions. */
const POWERS = [3, 6, 9];
/** Minimum factor between amounts of the lowest power, when the smaller is rounded to two digits. */
const MIN_FACTOR_APART: Decimal = '900';
/** Maximum factor between the correct value and those of other periods; the wrong one exceeds it. */
const NEAR_OTHERS: Decimal = '30';

/** A hundred times the number of any company's period. */
const MAX_PAIRS_OF_PERIOD = 10_000;

/** If two filings report the same digits in two scales, finds the one that other periods contradict. */
function* sameDigits(span: Span, splits: readonly Split[]): Generator<Finding> {
  for (const period of span.disputed) {
    let pairs = 0;
    let otherFacts: readonly Fact[] | undefined;
    for (const [small, large] of shiftedPairs(period.facts)) {
      pairs += 1;
      if (pairs > MAX_PAIRS_OF_PERIOD) break;
      otherFacts ??= span.factsBeside(period);
      const finding = isSplit([small, large], splits) ? null : wrongOf(small, large, otherFacts);
      if (finding !== null) yield finding;
    }
  }
}

/** Yields pairs of facts with the same digits in two scales. Sorted values are searched for each expected size. */
function* shiftedPairs(reports: readonly Fact[]): Generator<readonly [small: Fact, large: Fact]> {
  const byValue = groupBy(reports, ({ value }) => value);
  if (byValue.size < 2) return;
  const values = [...byValue.keys()]
    .map((value) => ({ value, size: absolute(value) }))
    .sort((a, b) => compareDecimals(a.size, b.size));
  const largest = assertDefined(values.at(-1)).size;
  for (const { value: small, size } of values) {
    const leastApart = multiply(size, MIN_FACTOR_APART);
    // Nor is any value far above the next ones.
    if (compareDecimals(leastApart, largest) >= 0) return;
    const found = new Set<Decimal>();
    for (const power of POWERS) {
      const [shifted, off] = [shiftDecimal(size, power), shiftDecimal(halfUnit(size), power)];
      const [least, most] = [subtract(shifted, off), add(shifted, off)];
      const from = indexOfFirst(values, (other) => compareDecimals(other, least) >= 0);
      for (let index = from; index < values.length; index += 1) {
        const { value: large, size: largeSize } = assertDefined(values[index]);
        if (compareDecimals(largeSize, most) > 0) break;
        const isApart = compareDecimals(leastApart, largeSize) < 0;
        if (isApart && isShifted(small, large, power)) found.add(large);
      }
    }
    for (const large of found) {
      for (const fact of byValue.get(small) ?? [])
        for (const otherFact of byValue.get(large) ?? []) yield [fact, otherFact];
    }
  }
}

/** The index of the first value that passes the test, if all later ones pass too; a binary search. */
function indexOfFirst(values: readonly { readonly size: Decimal }[], has: (size: Decimal) => boolean): number {
  let [from, to] = [0, values.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (has(assertDefined(values[middle]).size)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Whether `large` has the digits of `small`, possibly rounded, shifted left by `power` places. */
function isShifted(small: Decimal, large: Decimal, power: number): boolean {
  if (isZero(small)) return false;
  const shifted = shiftDecimal(small, power);
  if (compareDecimals(shifted, large) === 0) return true;
  const digits = small.replace(/[-.]/g, '').replace(/^0+/, '').length;
  return digits > 1 && compareDecimals(absolute(subtract(shifted, large)), shiftDecimal(halfUnit(small), power)) <= 0;
}

/** After a split the number of shares may be a thousand times larger. */
function isSplit(facts: readonly Fact[], splits: readonly Split[]): boolean {
  if (!facts.some(({ unit }) => /shares/i.test(unit))) return false;
  const days = facts.map(({ filed }) => filed).sort();
  const [first, last] = [assertDefined(days[0]), assertDefined(days.at(-1))];
  return splits.some(({ effective }) => effective > first && effective <= last);
}

/** Minimum number of other filings: a single one may have the same error. */
const OTHER_FILINGS = 2;

/**
 * Decides which of two values is far from other periods, once enough other filings report these.
 * @param facts of other periods
 */
function wrongOf(small: Fact, large: Fact, facts: readonly Fact[]): Finding | null {
  const day = later(small.filed, large.filed);
  const otherFacts = facts.filter(({ accession }) => accession !== small.accession && accession !== large.accession);
  for (const since of [day, ...laterDays(otherFacts, day)]) {
    const knownFacts = otherFacts.filter(({ filed }) => filed <= since);
    if (new Set(knownFacts.map(({ accession }) => accession)).size < OTHER_FILINGS) continue;
    const usual = median(knownFacts.map(({ value }) => absolute(value)));
    const fits = isNear(small.value, usual, NEAR_OTHERS);
    const fitsLarge = isNear(large.value, usual, NEAR_OTHERS);
    return fits === fitsLarge ? null : { fact: fits ? large : small, day: since };
  }
  return null;
}

/** If two filings report one amount with opposite signs, finds the one whose sign no other period has. */
function* oppositeSigns(span: Span): Generator<Finding> {
  for (const period of span.disputed) {
    const reports = period.facts;
    if (!reports.some(({ value }) => isNegative(value))) continue;
    const otherFacts = span.factsBeside(period);
    const bySize = groupBy(
      reports.filter(({ value }) => !isZero(value)),
      ({ value }) => sizeOf(value),
    );
    for (const fact of reports) {
      const otherFact = bySize
        .get(sizeOf(fact.value))
        ?.find(({ value }) => isNegative(value) !== isNegative(fact.value));
      if (otherFact === undefined) continue;
      const day = later(fact.filed, otherFact.filed);
      const knownFacts = otherFacts.filter(({ accession, filed }) => accession !== fact.accession && filed <= day);
      const enough = new Set(knownFacts.map(({ accession }) => accession)).size >= OTHER_FILINGS;
      if (enough && knownFacts.every(({ value }) => isNegative(value) === isNegative(otherFact.value)))
        yield { fact, day };
    }
  }
}

/** The amount without sign and trailing zeros: 2.30 is 2.3. */
const sizeOf = (value: Decimal): Decimal =>
  value.includes('.') ? absolute(value).replace(/\.?0+$/, '') : absolute(value);

function isAddedBack({ mappings }: FactSeries): boolean {
  return mappings.some(({ metricKey }) => metricKey === 'share_based_compensation');
}

/**
 * Compensation that a cash flow statement adds back, tagged as if it were subtracted: another filing reports the
 * amount with the opposite sign. The filing's other negative amounts have the same error.
 */
function* negativeAddBacks({ disputed, facts }: Span): Generator<Finding> {
  const filings = new Map<string, string>();
  for (const { facts: reports } of disputed) {
    const positive = new Map<Decimal, string>();
    for (const { value, filed } of reports) {
      const known = positive.get(sizeOf(value));
      if (!isNegative(value) && (known === undefined || filed < known)) positive.set(sizeOf(value), filed);
    }
    for (const { value, filed, accession } of reports) {
      const other = isNegative(value) ? positive.get(sizeOf(value)) : undefined;
      if (other === undefined) continue;
      const [day, known] = [later(filed, other), filings.get(accession)];
      if (known === undefined || day < known) filings.set(accession, day);
    }
  }
  for (const fact of filings.size === 0 ? [] : facts) {
    const day = filings.get(fact.accession);
    if (day !== undefined && isNegative(fact.value)) yield { fact, day };
  }
}

function isNegative(value: Decimal): boolean {
  return value.startsWith('-') && !isZero(value);
}

function laterDays(facts: readonly Fact[], day: string): string[] {
  return [...new Set(facts.map(({ filed }) => filed).filter((filed) => filed > day))].sort();
}

/**
 * If a filing has one value of a concept in a wrong scale, finds its other values of that size that no other filing
 * repeats.
 */
function* besideMisscaled(span: Span, found: ReadonlyMap<Fact, string>): Generator<Finding> {
  if (found.size === 0) return;
  const { facts } = span;
  const wrongFacts = facts.filter((fact) => found.has(fact));
  if (wrongFacts.length === 0) return;
  const wrongOfFiling = groupBy(wrongFacts, ({ accession }) => accession);
  for (const fact of facts) {
    if (found.has(fact) || isRepeated(fact, span.equalTo(fact), found)) continue;
    const otherFact = wrongOfFiling.get(fact.accession)?.find((one) => isNear(fact.value, one.value, NEAR_OTHERS));
    const day = otherFact && found.get(otherFact);
    if (day !== undefined) yield { fact, day };
  }
}

/** @param facts of the concept and unit: all, or those with the same value and dates */
function isRepeated(fact: Fact, facts: readonly Fact[], found: ReadonlyMap<Fact, string>): boolean {
  return facts.some(
    (otherFact) =>
      otherFact.value === fact.value &&
      otherFact.start === fact.start &&
      otherFact.end === fact.end &&
      otherFact.accession !== fact.accession &&
      !found.has(otherFact),
  );
}

/**
 * Number of concepts with a wrong scale from which a whole filing counts as wrong, if no other filing repeats one of
 * its amounts.
 */
const CONCEPTS_OF_A_FILING = 3;

function* wholeFilings(series: readonly FactSeries[], found: ReadonlyMap<Fact, string>): Generator<Finding> {
  const concepts = new Map<string, Set<string>>();
  for (const [{ accession, unit, concept }] of found) {
    getOrInsert(concepts, `${accession} ${unit}`, () => new Set<string>()).add(concept);
  }
  for (const [filing, { size }] of concepts) {
    if (size < CONCEPTS_OF_A_FILING) continue;
    // The cover is prepared separately from the statements.
    const statements = series.filter(({ taxonomy }) => taxonomy !== 'dei');
    const isOwn = ({ accession, unit, value }: Fact) => `${accession} ${unit}` === filing && !isZero(value);
    const isShown = (one: FactSeries) =>
      one.facts.some((fact) => isOwn(fact) && !found.has(fact) && isRepeated(fact, one.of(fact)?.facts ?? [], found));
    if (statements.some(isShown)) continue;
    const ownFacts = statements.flatMap(({ facts }) => facts.filter(isOwn));
    const day = ownFacts.reduce((latest, fact) => later(latest, found.get(fact) ?? ''), '');
    for (const fact of ownFacts) yield { fact, day: found.get(fact) ?? day };
  }
}

/** Maximum factor between the values before and after, so that a different value between them is an error. */
const STEADY: ReadonlyMap<string, Decimal> = new Map([
  ['common_shares_outstanding', '1.25'],
  ['public_float', '3'],
]);

function steadyFactor({ mappings }: FactSeries): Decimal | null {
  return mappings.map(({ metricKey }) => STEADY.get(metricKey)).find((factor) => factor !== undefined) ?? null;
}

/** Share counts and public floats with another scale than the reports before and after. */
function* outlyingCounts({ facts }: Span, steady: Decimal, splits: readonly Split[]): Generator<Finding> {
  const counts = facts
    .filter(({ value }) => !isZero(value))
    .sort((a, b) => compareText(a.end, b.end) || compareText(a.filed, b.filed));
  for (const [fact, previousFact, nextFact] of withNeighbors(counts)) {
    if (isNear(fact.value, previousFact.value, steady) || !isNear(previousFact.value, nextFact.value, steady)) continue;
    const isOff = POWERS.flatMap((power) => [power, -power]).some((power) => {
      const moved = shiftDecimal(fact.value, power);
      return isNear(moved, previousFact.value, steady) && isNear(moved, nextFact.value, steady);
    });
    if (isOff && !isSplit([previousFact, fact, nextFact], splits))
      yield { fact, day: later(fact.filed, nextFact.filed) };
  }
}

/** Yields each count with the last count of an earlier day and the first of a later day that other filings report. */
function* withNeighbors(counts: readonly Fact[]): Generator<readonly [fact: Fact, before: Fact, after: Fact]> {
  for (let from = 0, to = 0; from < counts.length; from = to) {
    const day = assertDefined(counts[from]).end;
    while (counts[to]?.end === day) to += 1;
    for (const fact of counts.slice(from, to)) {
      let [before, after] = [from - 1, to];
      while (counts[before]?.accession === fact.accession) before -= 1;
      while (counts[after]?.accession === fact.accession) after += 1;
      const [one, otherFact] = [counts[before], counts[after]];
      if (one !== undefined && otherFact !== undefined) yield [fact, one, otherFact];
    }
  }
}

/** Whether neither is more than `factor` times the other, ignoring signs. */
export function isNear(a: Decimal, b: Decimal, factor: Decimal): boolean {
  const [one, other] = [absolute(a), absolute(b)];
  return compareDecimals(one, multiply(other, factor)) <= 0 && compareDecimals(other, multiply(one, factor)) <= 0;
}

/** The median; of the two middle values, the larger. Throws if there are none. */
export function median(values: readonly Decimal[]): Decimal {
  return assertDefined([...values].sort(compareDecimals)[Math.floor(values.length / 2)]);
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}
