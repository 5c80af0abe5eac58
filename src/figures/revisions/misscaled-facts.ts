/**
 * Facts in a wrong scale: amounts in thousands tagged as dollars, counts of shares a thousand times too large; and facts of
 * the wrong sign.
 *
 * Size alone proves nothing, as start-ups grow a thousandfold and shells become companies. What proves it is another
 * filing's value of the same digits, or counts before and after that agree with each other.
 */

import { compareText } from '../../contract/compare-text.ts';
import { absolute, halfUnit, multiply, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero, shiftDecimal } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { getOrInsert, groupBy } from '../../platform/collections.ts';
import type { Split } from '../shares/splits.ts';
import type { FactSeries, PeriodFacts } from './fact-series.ts';

/** Each such fact, with the day from which filings show it. */
export function misscaledFacts(series: readonly FactSeries[], splits: readonly Split[]): Map<Fact, string> {
  const found = new Map<Fact, string>();
  const add = (fact: Fact, day: string) => {
    const known = found.get(fact);
    if (known === undefined || day < known) found.set(fact, day);
  };
  for (const one of series) {
    const steady = steadyFactor(one);
    if (steady === null && !one.periods.some(({ isDisputed }) => isDisputed)) continue;
    for (const span of spansOf(one)) {
      for (const { fact, day } of sameDigits(span, splits)) add(fact, day);
      for (const { fact, day } of oppositeSigns(span)) add(fact, day);
      for (const { fact, day } of besideMisscaled(span, found)) add(fact, day);
      if (steady !== null) for (const { fact, day } of outlyingCounts(span, steady, splits)) add(fact, day);
    }
  }
  for (const { fact, day } of wholeFilings(series, found)) add(fact, day);
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

  constructor(periods: readonly PeriodFacts[]) {
    this.disputed = periods.filter(({ isDisputed }) => isDisputed);
    this.#periods = periods;
  }

  /** Of all periods. Few disputes need the others to be settled. */
  get facts(): readonly Fact[] {
    this.#facts ??= this.#periods.flatMap(({ facts }) => facts);
    return this.#facts;
  }
}

function spansOf({ periods }: FactSeries): Span[] {
  return [...groupBy(periods, ({ kind }) => kind).values()].map((own) => new Span(own));
}

/** Amounts are printed in thousands, millions or billions. */
const POWERS = [3, 6, 9];
/** What amounts of the lowest power are apart at least, where the smaller has two digits and is rounded. */
const LEAST_APART: Decimal = '900';
/** The right one of two values is so near those of other periods, and the wrong one is not. */
const NEAR_OTHERS: Decimal = '30';

/** Where two filings report one value with the same digits in two scales: the one that other periods contradict. */
function* sameDigits(span: Span, splits: readonly Split[]): Generator<Finding> {
  for (const { facts: reports } of span.disputed) {
    for (const small of reports) {
      for (const large of reports) {
        if (small.value === large.value) continue;
        const [less, more] = [absolute(small.value), absolute(large.value)];
        if (compareDecimals(less, more) >= 0 || compareDecimals(multiply(less, LEAST_APART), more) >= 0) continue;
        if (!POWERS.some((power) => isShifted(small.value, large.value, power))) continue;
        const finding = isSplit([small, large], splits) ? null : wrongOf(small, large, span.facts);
        if (finding !== null) yield finding;
      }
    }
  }
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

/** Which of two is far from other periods, as soon as enough other filings report such. */
function wrongOf(small: Fact, large: Fact, facts: readonly Fact[]): Finding | null {
  const day = later(small.filed, large.filed);
  const others = facts.filter(
    ({ accession, end, value }) =>
      accession !== small.accession && accession !== large.accession && end !== small.end && !isZero(value),
  );
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
  for (const { facts: reports } of span.disputed) {
    if (!reports.some(({ value }) => isNegative(value))) continue;
    for (const fact of reports) {
      const other = reports.find(({ value }) => !isZero(value) && areOpposite(value, fact.value));
      if (other === undefined) continue;
      const day = later(fact.filed, other.filed);
      const known = span.facts.filter(
        ({ accession, end, filed, value }) =>
          accession !== fact.accession && end !== fact.end && filed <= day && !isZero(value),
      );
      const enough = new Set(known.map(({ accession }) => accession)).size >= OTHER_FILINGS;
      if (enough && known.every(({ value }) => isNegative(value) === isNegative(other.value))) yield { fact, day };
    }
  }
}

function areOpposite(a: Decimal, b: Decimal): boolean {
  return isNegative(a) !== isNegative(b) && compareDecimals(absolute(a), absolute(b)) === 0;
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
  for (const fact of facts) {
    if (found.has(fact) || isRepeated(fact, facts, found)) continue;
    const beside = wrong.find((one) => one.accession === fact.accession && isNear(fact.value, one.value, NEAR_OTHERS));
    const day = beside && found.get(beside);
    if (day !== undefined) yield { fact, day };
  }
}

/** @param facts of the concept and unit */
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
    const isShown = ({ facts }: FactSeries) =>
      facts.some((fact) => isOwn(fact) && !found.has(fact) && isRepeated(fact, facts, found));
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
  for (const fact of counts) {
    const before = counts.findLast(({ end, accession }) => end < fact.end && accession !== fact.accession);
    const after = counts.find(({ end, accession }) => end > fact.end && accession !== fact.accession);
    if (before === undefined || after === undefined || isNear(fact.value, before.value, steady)) continue;
    if (!isNear(before.value, after.value, steady)) continue;
    const isOff = POWERS.flatMap((power) => [power, -power]).some((power) => {
      const moved = shiftDecimal(fact.value, power);
      return isNear(moved, before.value, steady) && isNear(moved, after.value, steady);
    });
    if (isOff && !isSplit([before, fact, after], splits)) yield { fact, day: later(fact.filed, after.filed) };
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
