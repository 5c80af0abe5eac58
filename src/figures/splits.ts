/**
 * Share splits, proven by the company's own figures.
 *
 * A filing after a split states the share counts of earlier periods again on the new basis. So where at least two
 * periods' counts change between filings by one and the same plain ratio, or one does by a ratio that the
 * company has also declared, there was a split between those filings. A declaration alone is none: companies
 * declare ahead, tag the wrong date, and repeat the ratio for years.
 */
import type { Decimal } from '../contract/decimal.ts';
import { compareDecimals, isZero } from '../contract/decimal.ts';
import { divide, multiply, nearlyEqual, roundToInteger } from './arithmetic.ts';
import { addDays, dayNumber, daysBetween } from './days.ts';
import { formClass } from './forms.ts';
import type { Fact, Split } from './types.ts';

const DECLARED = 'StockholdersEquityNoteStockSplitConversionRatio1';
const COUNTS: ReadonlySet<string> = new Set([
  'WeightedAverageNumberOfDilutedSharesOutstanding',
  'WeightedAverageNumberOfSharesOutstandingBasic',
  'WeightedAverageNumberOfShareOutstandingBasicAndDiluted',
  'AdjustedWeightedAverageShares',
  'WeightedAverageShares',
]);
const PER_SHARE: ReadonlySet<string> = new Set([
  'EarningsPerShareDiluted',
  'EarningsPerShareBasic',
  'EarningsPerShareBasicAndDiluted',
]);
/** Larger changes are slips of scale: thousands for units. */
const LARGEST_RATIO = '500';
/** Ratios that are not whole in either direction. */
const FRACTIONS: readonly Decimal[] = ['1.5', '1.25', '1.2'];
const WHOLE_TOLERANCE = '0.005';
const FRACTION_TOLERANCE = '0.001';
const PER_SHARE_TOLERANCE = '0.02';

/** A change of one period's figure between two filings, as new shares per old, and the days between which it came. */
interface Change {
  readonly ratio: Decimal;
  readonly period: string;
  readonly after: string;
  readonly until: string;
  readonly accession: string;
  readonly perShare: boolean;
}

interface Declaration {
  readonly ratio: Decimal;
  readonly day: string;
}

/** A split in the making: the changes that agree on its ratio and on a common stretch of days. */
interface Suspect {
  readonly ratio: Decimal;
  after: string;
  until: string;
  accession: string;
  readonly periods: Set<string>;
}

/** The concepts that `findSplits` reads. */
export const SPLIT_CONCEPTS: ReadonlySet<string> = new Set([DECLARED, ...COUNTS, ...PER_SHARE]);

/** Every split the facts prove, earliest first. Facts of other concepts may be left out. */
export function findSplits(facts: readonly Fact[]): readonly Split[] {
  const declared = facts.filter((fact) => fact.concept === DECLARED).flatMap(declarations);
  const suspects = gather(changes(facts), declared);
  const proven = suspects.filter((suspect) => suspect.periods.size >= 2 || isDeclared(suspect.ratio, declared));
  return proven
    .filter((suspect) => !isProduct(suspect, proven))
    .map((suspect) => ({
      ratio: suspect.ratio,
      effective: effectiveDay(suspect, declared),
      accession: suspect.accession,
    }))
    .sort((a, b) => (a.effective < b.effective ? -1 : 1));
}

/** New shares per old through every split that came into effect after `after` and on or before `until`; null when none did. */
export function splitRatio(splits: readonly Split[], after: string, until: string): Decimal | null {
  let ratio: Decimal | null = null;
  for (const split of splits) {
    if (split.effective > after && split.effective <= until) ratio = multiply(ratio ?? '1', split.ratio);
  }
  return ratio;
}

/** A ratio and its day; a reverse split is declared as 0.02 or as 50, so both readings stand for the figures to choose from. */
function declarations(fact: Fact): Declaration[] {
  if (isZero(fact.value) || fact.value.startsWith('-')) return [];
  if (fact.start !== null && daysBetween(fact.start, fact.end) > 31) return [];
  const inverse = divide('1', fact.value);
  return [fact.value, ...(inverse === null ? [] : [inverse])].map((ratio) => ({ ratio, day: fact.end }));
}

function changes(facts: readonly Fact[]): Change[] {
  const series = new Map<string, Fact[]>();
  for (const fact of facts) {
    if (!COUNTS.has(fact.concept) && !PER_SHARE.has(fact.concept)) continue;
    if (formClass(fact.form) === null || isZero(fact.value)) continue;
    const key = `${fact.concept} ${fact.unit} ${fact.start} ${fact.end}`;
    const known = series.get(key);
    if (known === undefined) series.set(key, [fact]);
    else known.push(fact);
  }
  const found: Change[] = [];
  for (const group of series.values()) {
    group.sort((a, b) => (a.filed === b.filed ? (a.accession < b.accession ? -1 : 1) : a.filed < b.filed ? -1 : 1));
    for (let index = 1; index < group.length; index++) {
      const [before, now] = [group[index - 1], group[index]];
      if (before === undefined || now === undefined || before.value === now.value) continue;
      const perShare = PER_SHARE.has(now.concept);
      const ratio = perShare ? divide(before.value, now.value) : divide(now.value, before.value);
      if (ratio === null || ratio.startsWith('-') || before.filed === now.filed) continue;
      found.push({
        ratio,
        period: `${now.start} ${now.end}`,
        after: before.filed,
        until: now.filed,
        accession: now.accession,
        perShare,
      });
    }
  }
  return found.sort((a, b) => (a.until < b.until ? -1 : a.until > b.until ? 1 : 0));
}

function gather(found: readonly Change[], declared: readonly Declaration[]): Suspect[] {
  const suspects: Suspect[] = [];
  for (const change of found) {
    const ratio = change.perShare ? declaredRatio(change.ratio, declared) : plainRatio(change.ratio, declared);
    if (ratio === null) continue;
    const known = suspects.find(
      (suspect) => suspect.ratio === ratio && suspect.after < change.until && change.after < suspect.until,
    );
    if (known === undefined) {
      const { after, until, accession } = change;
      suspects.push({ ratio, after, until, accession, periods: new Set([change.period]) });
    } else {
      known.periods.add(change.period);
      if (change.after > known.after) known.after = change.after;
      if (change.until < known.until) {
        known.until = change.until;
        known.accession = change.accession;
      }
    }
  }
  return suspects;
}

/** The ratio a split can have that this change comes near to: n, 1/n or a common fraction, or one that was declared. */
function plainRatio(change: Decimal, declared: readonly Declaration[]): Decimal | null {
  const up = compareDecimals(change, '1') > 0;
  const larger = up ? change : divide('1', change);
  if (larger === null || compareDecimals(larger, LARGEST_RATIO) > 0) return null;
  const whole = roundToInteger(larger);
  if (compareDecimals(whole, '2') >= 0 && nearlyEqual(larger, whole, WHOLE_TOLERANCE)) {
    return up ? whole : divide('1', whole);
  }
  const fraction = FRACTIONS.find((candidate) => nearlyEqual(larger, candidate, FRACTION_TOLERANCE));
  if (fraction !== undefined) return up ? fraction : divide('1', fraction);
  return declaredRatio(change, declared);
}

/** The plain form of a declared ratio that the change comes near to, so that 0.0667 and 0.066667 are one. */
function declaredRatio(change: Decimal, declared: readonly Declaration[]): Decimal | null {
  const near = declared.find(({ ratio }) => ratio !== '1' && nearlyEqual(change, ratio, PER_SHARE_TOLERANCE));
  return near === undefined ? null : (plainRatio(near.ratio, []) ?? near.ratio);
}

function isDeclared(ratio: Decimal, declared: readonly Declaration[]): boolean {
  return declared.some((declaration) => nearlyEqual(declaration.ratio, ratio, PER_SHARE_TOLERANCE));
}

/** A period that was restated only after two splits changes by both: that is no third split. */
function isProduct(suspect: Suspect, all: readonly Suspect[]): boolean {
  const inside = all.filter(
    (other) =>
      other !== suspect &&
      other.ratio !== suspect.ratio &&
      other.after >= suspect.after &&
      other.until <= suspect.until,
  );
  if (inside.length < 2) return false;
  const product = inside.reduce((ratio, other) => multiply(ratio, other.ratio), '1');
  return nearlyEqual(product, suspect.ratio, WHOLE_TOLERANCE);
}

/**
 * The day after the last declared one between the two filings (shares are handed out after the close), or,
 * where none is declared there, the day of the filing, which is the latest it can be.
 */
function effectiveDay(suspect: Suspect, declared: readonly Declaration[]): string {
  const days = declared
    .filter(({ ratio }) => nearlyEqual(ratio, suspect.ratio, PER_SHARE_TOLERANCE))
    .map(({ day }) => nextWeekday(day))
    .filter((day) => day > suspect.after && day <= suspect.until)
    .sort();
  return days.at(-1) ?? suspect.until;
}

function nextWeekday(day: string): string {
  // 1970-01-01 was a Thursday: 0 is Sunday.
  const weekday = (dayNumber(day) + 4) % 7;
  return addDays(day, weekday === 5 ? 3 : weekday === 6 ? 2 : 1);
}
