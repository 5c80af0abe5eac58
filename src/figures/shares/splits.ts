/**
 * Finds share splits that the company's own figures prove.
 * Filings after a split restate the share counts of earlier periods. A split is proven if the counts of at least two
 * periods change between filings by the same ratio, such as 2 or 1/10, or if one figure changes by a declared ratio.
 */
import { compareText } from '../../contract/compare-text.ts';
import { divide, isNearlyEqual, multiply } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';
import { combineRatios, findExactRatio, invertRatio, NO_SPLIT, type SplitRatio } from '../../contract/split-ratio.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import { assertDefined } from '../../platform/collections.ts';
import { COVER_COUNT_NAME } from './cover-shares.ts';
import type { SplitDeclaration, SuspectedSplit } from './split-evidence.ts';
import {
  DECLARED_RATIO_CONCEPT,
  doesSplitExplainChange,
  findSuspectedSplits,
  isDeclaredRatio,
  normalizeToAtLeastOne,
  PER_SHARE_CONCEPTS,
  readDeclarations,
  WEIGHTED_SHARE_CONCEPTS,
} from './split-evidence.ts';

/** A share split: the ratio, its dates, and the filing that proves it. */
export interface Split {
  /** New shares per old share; reverse splits are rounded to ten places, and `findExactRatio` returns the fraction. */
  readonly ratio: Decimal;
  /**
   * The first day in new shares according to filings: the declared day, otherwise `until`. Prices may show another
   * day.
   */
  readonly effective: string;
  readonly accession: string;
  /** The last day that filings show to be before the split; null in releases of older versions. */
  readonly after: string | null;
  /** The first day that filings show to be after the split; null in releases of older versions. */
  readonly until: string | null;
  /**
   * The day of the filing that proves the split; the split is unknown before that day. Null in releases of older
   * versions.
   */
  readonly proven: string | null;
}

const PRODUCT_TOLERANCE = '0.005';

/** Concepts of the facts that `findSplits` reads. */
export const SPLIT_CONCEPTS: ReadonlySet<string> = new Set([
  DECLARED_RATIO_CONCEPT,
  COVER_COUNT_NAME,
  ...WEIGHTED_SHARE_CONCEPTS,
  ...PER_SHARE_CONCEPTS,
]);

/**
 * Returns every split that the facts prove, earliest first.
 * @param facts may omit facts of concepts outside `SPLIT_CONCEPTS`
 * @param filings the company's filings, which help to date splits
 */
export function findSplits(facts: readonly Fact[], filings: readonly FilingRecord[] = []): readonly Split[] {
  const declared = readDeclarations(facts, filings);
  const suspects = findSuspectedSplits(facts, declared);
  const provenSplits = suspects.filter(
    (suspect) => suspect.restatementDayByPeriod.size >= 2 || isDeclaredRatio(suspect.ratio, declared),
  );
  const covers = facts.filter(({ concept }) => concept === COVER_COUNT_NAME).sort((a, b) => compareText(a.end, b.end));
  return provenSplits
    .filter((suspect) => !isProductOfOthers(suspect, provenSplits))
    .map((suspect) => {
      const { ratio, accession } = suspect;
      const [after, until] = narrowByCovers(suspect, covers);
      const effective = findEffectiveDay(ratio, after, until, declared);
      return { ratio, effective, accession, after, until, proven: findDayOfProof(suspect, declared) };
    })
    .sort((a, b) => (a.effective < b.effective ? -1 : 1));
}

/**
 * Returns the first day on which filings prove the split. One proof is the restatement of two periods; the other is the
 * restatement of one period and a declaration of the ratio.
 */
function findDayOfProof(suspect: SuspectedSplit, declared: readonly SplitDeclaration[]): string {
  const [first, second] = [...suspect.restatementDayByPeriod.values()].sort();
  const days = declared
    .filter((declaration) => isDeclaredRatio(suspect.ratio, [declaration]))
    .map(({ filed }) => (first !== undefined && first > filed ? first : filed));
  const [earliest] = [...days, ...(second === undefined ? [] : [second])].sort();
  return assertDefined(earliest);
}

/**
 * Returns the splits that filings had proven by the end of the day, or whose day of proof is unknown. Returns all
 * splits if the day is null.
 */
export const selectSplitsProvenBy = (day: string | null, splits: readonly Split[]): readonly Split[] =>
  day === null ? splits : splits.filter(({ proven }) => proven === null || proven <= day);

/**
 * Returns new shares per old share, for all splits effective after `from` and by `to`; the inverse if `to` is earlier.
 * Null if a split may or may not lie between the two days.
 */
export type SplitRatioFinder = (from: string, to: string) => SplitRatio | null;

/**
 * Returns a function that computes the ratio of all splits between two days, by the day that filings state for each
 * split (`effective`). The ratio is never null.
 */
export function createRatioFinderByFilings(splits: readonly Split[]): SplitRatioFinder {
  return (from, to) => {
    const [first, last] = from <= to ? [from, to] : [to, from];
    const ratio = combineSplits(splits.filter(({ effective }) => effective > first && effective <= last));
    return from <= to ? ratio : invertRatio(ratio);
  };
}

/** Returns new shares per old share after all the splits. */
export const combineSplits = (splits: readonly { readonly ratio: Decimal }[]): SplitRatio =>
  splits.map(({ ratio }) => findExactRatio(ratio)).reduce(combineRatios, NO_SPLIT);

/**
 * Whether the ratio is the product of the ratios of at least two other splits: a period that is first restated after
 * several splits changes by all their ratios.
 */
function isProductOfOthers(suspect: SuspectedSplit, suspects: readonly SuspectedSplit[]): boolean {
  const suspectsWithin = suspects.filter(
    (other) =>
      other !== suspect &&
      other.ratio !== suspect.ratio &&
      other.after >= suspect.after &&
      other.until <= suspect.until,
  );
  if (suspectsWithin.length < 2) return false;
  const product = suspectsWithin.reduce((ratio, other) => multiply(ratio, other.ratio), '1');
  return isNearlyEqual(product, suspect.ratio, PRODUCT_TOLERANCE);
}

/** Maximum factor by which counts near a split may differ in addition to the split's ratio. */
const MAX_COVER_FACTOR = '1.5';

/**
 * Returns the split's `after` and `until`, narrowed by the covers dated between them: a cover's count shows whether the
 * cover's date is before or after the split.
 */
function narrowByCovers({ ratio, after, until }: SuspectedSplit, covers: readonly Fact[]): [string, string] {
  let last = covers.findLast(({ end }) => end <= after);
  let lastDay = after;
  for (const cover of covers) {
    if (cover.end <= after || cover.end >= until || last === undefined) continue;
    const change = divide(cover.value, last.value);
    if (change === null || isZero(change)) continue;
    if (doesSplitExplainChange(ratio, change, MAX_COVER_FACTOR)) return [lastDay, cover.end];
    if (compareDecimals(normalizeToAtLeastOne(change), MAX_COVER_FACTOR) > 0) return [lastDay, until];
    lastDay = cover.end;
    last = cover;
  }
  return [lastDay, until];
}

/** Returns the last declared day after `after` and by `until`; otherwise `until`. */
function findEffectiveDay(ratio: Decimal, after: string, until: string, declared: readonly SplitDeclaration[]): string {
  const days = declared
    .filter((declaration) => isDeclaredRatio(ratio, [declaration]))
    .map(({ effective }) => effective)
    .filter((day) => day > after && day <= until)
    .sort();
  return days.at(-1) ?? until;
}
