/**
 * Facts in a wrong scale: amounts in thousands tagged as dollars, counts of shares a thousand times too large; and facts of
 * the wrong sign.
 *
 * Size alone proves nothing, as start-ups grow a thousandfold and shells become companies. What proves it is another
 * filing's value of the same digits, or counts before and after that agree with each other.
 */

import { compareText } from '../../contract/compare-text.ts';
import { absolute, add, halfUnit, multiply, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero, shiftDecimal } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { getOrInsert, groupBy } from '../../platform/collections.ts';
import type { Split } from '../shares/splits.ts';
import type { FactSeries, PeriodFacts } from './fact-series.ts';

/** Each such fact, with the day from which filings show it. */
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

  /** Of all periods. Few disputes need the others to be settled. */
  get facts(): readonly Fact[] {
    this.#facts ??= this.#periods.flatMap(({ facts }) => facts);
    return this.#facts;
  }

  /** The facts, but for zeros, of periods that end on other days. */
  factsBeside(period: PeriodFacts): readonly Fact[] {
    return this.facts.filter(({ end, value }) => end !== period.end && !isZero(value));
  }

  /** The facts with that value, for the same dates. */
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
/** What amounts of the lowest power are apart at least, where the smaller has two digits and is rounded. */
const MIN_FACTOR_APART: Decimal = '900';
/** The right one of two values is so near those of other periods, and the wrong one is not. */
const NEAR_OTHERS: Decimal = '30';

/** No period of any company has a hundredth of these. */
const MAX_PAIRS_OF_PERIOD = 10_000;

/** Where two filings report one value with the same digits in two scales: the one that other periods contradict. */
function* sameDigits(span: Span, splits: readonly Split[]): Generator<Finding> {
  for (const period of span.disputed) {
    let pairs = 0;
    let others: readonly Fact[] | undefined;
    for (const [small, large] of shiftedPairs(period.facts)) {
      pairs += 1;
      if (pairs > MAX_PAIRS_OF_PERIOD) break;
      others ??= span.factsBeside(period);
      const finding = isSplit([small, large], splits) ? null : wrongOf(small, large, others);
      if (finding !== null) yield finding;
    }
  }
}

/** Pairs of facts whose values have the same digits in two scales. Each value looks for the others where they must be. */
function* shiftedPairs(reports: readonly Fact[]): Generator<readonly [small: Fact, large: Fact]> {
  const byValue = groupBy(reports, ({ value }) => value);
  if (byValue.size < 2) return;
  const values = [...byValue.keys()]
    .map((value) => ({ value, size: absolute(value) }))
    .sort((a, b) => compareDecimals(a.size, b.size));
  for (const { value: small, size } of values) {
    const found = new Set<Decimal>();
    for (const power of POWERS) {
      const [shifted, off] = [shiftDecimal(size, power), shiftDecimal(halfUnit(size), power)];
      const from = indexOfFirst(values, (other) => compareDecimals(other, subtract(shifted, off)) >= 0);
      const most = add(shifted, off);
      for (let at = from; at < values.length; at += 1) {
        const { value: large, size: largeSize } = assertDefined(values[at]);
        if (compareDecimals(largeSize, most) > 0) break;
        const isApart = compareDecimals(multiply(size, MIN_FACTOR_APART), largeSize) < 0;
        if (isApart && isShifted(small, large, power)) found.add(large);
      }
    }
    for (const large of found) {
      for (const one of byValue.get(small) ?? []) for (const other of byValue.get(large) ?? []) yield [one, other];
    }
  }
}

/** Index of the first value that has the property, where all after it have it too; by halving. */
function indexOfFirst(values: readonly { readonly size: Decimal }[], has: (size: Decimal) => boolean): number {
  let [from, to] = [0, values.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (has(assertDefined(values[middle]).size)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Whether `large` has the digits of `small`, or rounds to them, so many places further left. */
function isShifted(small: Decimal, large: Decimal, power: number): boolean {
  if (isZero(small)) return false;
  const shifted = shiftDecimal(small, power);
  if (compareDecimals(shifted, large) === 0) return true;
  const digits = small.replace(/[-.]/g, '').replace(/^0+/, '').length;
  return digits > 1 && compareDecimals(absolute(subtract(shifted, large)), shiftDecimal(halfUnit(small), power)) <= 0;
}

/** Shares may well be counted a thousandfold after a split. */
function isSplit(facts: readonly Fact[], splits: readonly Split[]): boolean {
  if (!facts.some(({ unit }) => /shares/i.test(unit))) return false;
  const days = facts.map(({ filed }) => filed).sort();
  const [first, last] = [assertDefined(days[0]), assertDefined(days.at(-1))];
  return splits.some(({ effective }) => effective > first && effective <= last);
}

/** One other filing may have the same error. */
const OTHER_FILINGS = 2;

/**
 * Which of two is far from other periods, as soon as enough other filings report such.
 * @param facts of other periods
 */
function wrongOf(small: Fact, large: Fact, facts: readonly Fact[]): Finding | null {
  const day = later(small.filed, large.filed);
  const others = facts.filter(({ accession }) => accession !== small.accession && accession !== large.accession);
  for (const since of [day, ...laterDays(others, day)]) {
    const known = others.filter(({ filed }) => filed <= since);
    if (new Set(known.map(({ accession }) => accession)).size < OTHER_FILINGS) continue;
    const usual = median(known.map(({ value }) => absolute(value)));
    const fits = isNear(small.value, usual, NEAR_OTHERS);
    const fitsLarge = isNear(large.value, usual, NEAR_OTHERS);
    return fits === fitsLarge ? null : { fact: fits ? large : small, day: since };
  }
  return null;
}

/** Where two filings report one amount with opposite signs: the one whose sign the amounts of no other period have. */
function* oppositeSigns(span: Span): Generator<Finding> {
  for (const period of span.disputed) {
    const reports = period.facts;
    if (!reports.some(({ value }) => isNegative(value))) continue;
    const others = span.factsBeside(period);
    const bySize = groupBy(
      reports.filter(({ value }) => !isZero(value)),
      ({ value }) => sizeOf(value),
    );
    for (const fact of reports) {
      const other = bySize.get(sizeOf(fact.value))?.find(({ value }) => isNegative(value) !== isNegative(fact.value));
      if (other === undefined) continue;
      const day = later(fact.filed, other.filed);
      const known = others.filter(({ accession, filed }) => accession !== fact.accession && filed <= day);
      const enough = new Set(known.map(({ accession }) => accession)).size >= OTHER_FILINGS;
      if (enough && known.every(({ value }) => isNegative(value) === isNegative(other.value))) yield { fact, day };
    }
  }
}

/** The amount without its sign, in one spelling for equal ones: 2.30 is 2.3. */
const sizeOf = (value: Decimal): Decimal =>
  value.includes('.') ? absolute(value).replace(/\.?0+$/, '') : absolute(value);

function isAddedBack({ mappings }: FactSeries): boolean {
  return mappings.some(({ metricKey }) => metricKey === 'share_based_compensation');
}

/**
 * Compensation that a cash flow statement adds back, tagged as if it were subtracted: another filing reports the amount
 * with the other sign. The filing's other negative amounts are of the same error.
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

/** A filing with one value of a concept in a wrong scale has others of that size, which no other filing repeats. */
function* besideMisscaled(span: Span, found: ReadonlyMap<Fact, string>): Generator<Finding> {
  if (found.size === 0) return;
  const { facts } = span;
  const wrong = facts.filter((fact) => found.has(fact));
  if (wrong.length === 0) return;
  const wrongOfFiling = groupBy(wrong, ({ accession }) => accession);
  for (const fact of facts) {
    if (found.has(fact) || isRepeated(fact, span.equalTo(fact), found)) continue;
    const beside = wrongOfFiling.get(fact.accession)?.find((one) => isNear(fact.value, one.value, NEAR_OTHERS));
    const day = beside && found.get(beside);
    if (day !== undefined) yield { fact, day };
  }
}

/** @param facts of the concept and unit: all, or those with its value and dates */
function isRepeated(fact: Fact, facts: readonly Fact[], found: ReadonlyMap<Fact, string>): boolean {
  return facts.some(
    (other) =>
      other.value === fact.value &&
      other.start === fact.start &&
      other.end === fact.end &&
      other.accession !== fact.accession &&
      !found.has(other),
  );
}

/** So many concepts in a wrong scale, and no amount that another filing repeats, are a whole filing in it. */
const CONCEPTS_OF_A_FILING = 3;

function* wholeFilings(series: readonly FactSeries[], found: ReadonlyMap<Fact, string>): Generator<Finding> {
  const concepts = new Map<string, Set<string>>();
  for (const [{ accession, unit, concept }] of found) {
    getOrInsert(concepts, `${accession} ${unit}`, () => new Set<string>()).add(concept);
  }
  for (const [filing, { size }] of concepts) {
    if (size < CONCEPTS_OF_A_FILING) continue;
    // The cover is written apart from the statements.
    const statements = series.filter(({ taxonomy }) => taxonomy !== 'dei');
    const isOwn = ({ accession, unit, value }: Fact) => `${accession} ${unit}` === filing && !isZero(value);
    const isShown = (one: FactSeries) =>
      one.facts.some((fact) => isOwn(fact) && !found.has(fact) && isRepeated(fact, one.of(fact)?.facts ?? [], found));
    if (statements.some(isShown)) continue;
    const own = statements.flatMap(({ facts }) => facts.filter(isOwn));
    const day = own.reduce((latest, fact) => later(latest, found.get(fact) ?? ''), '');
    for (const fact of own) yield { fact, day: found.get(fact) ?? day };
  }
}

/** How near the values before and after one must be to each other for it to be an error between them. */
const STEADY: ReadonlyMap<string, Decimal> = new Map([
  ['common_shares_outstanding', '1.25'],
  ['public_float', '3'],
]);

function steadyFactor({ mappings }: FactSeries): Decimal | null {
  return mappings.map(({ metricKey }) => STEADY.get(metricKey)).find((factor) => factor !== undefined) ?? null;
}

/** Counts of shares, and public floats, that leave the scale of the reports before and after them. */
function* outlyingCounts({ facts }: Span, steady: Decimal, splits: readonly Split[]): Generator<Finding> {
  const counts = facts
    .filter(({ value }) => !isZero(value))
    .sort((a, b) => compareText(a.end, b.end) || compareText(a.filed, b.filed));
  for (const [fact, before, after] of withNeighbors(counts)) {
    if (isNear(fact.value, before.value, steady) || !isNear(before.value, after.value, steady)) continue;
    const isOff = POWERS.flatMap((power) => [power, -power]).some((power) => {
      const moved = shiftDecimal(fact.value, power);
      return isNear(moved, before.value, steady) && isNear(moved, after.value, steady);
    });
    if (isOff && !isSplit([before, fact, after], splits)) yield { fact, day: later(fact.filed, after.filed) };
  }
}

/** Each count with the last one of an earlier day and the first one of a later day that other filings report. */
function* withNeighbors(counts: readonly Fact[]): Generator<readonly [fact: Fact, before: Fact, after: Fact]> {
  for (let from = 0, to = 0; from < counts.length; from = to) {
    const day = assertDefined(counts[from]).end;
    while (counts[to]?.end === day) to += 1;
    for (const fact of counts.slice(from, to)) {
      let [before, after] = [from - 1, to];
      while (counts[before]?.accession === fact.accession) before -= 1;
      while (counts[after]?.accession === fact.accession) after += 1;
      const [one, other] = [counts[before], counts[after]];
      if (one !== undefined && other !== undefined) yield [fact, one, other];
    }
  }
}

/** Whether neither is more than `factor` times the other, whatever their signs. */
export function isNear(a: Decimal, b: Decimal, factor: Decimal): boolean {
  const [one, other] = [absolute(a), absolute(b)];
  return compareDecimals(one, multiply(other, factor)) <= 0 && compareDecimals(other, multiply(one, factor)) <= 0;
}

/** The middle one; of two, the larger. Throws without any. */
export function median(values: readonly Decimal[]): Decimal {
  return assertDefined([...values].sort(compareDecimals)[Math.floor(values.length / 2)]);
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}
