/**
 * Finds share splits that the company's own figures prove.
 * A filing after a split restates the share counts of earlier periods. A split is proven if the counts of at least
 * two periods change between filings by one plain ratio, or one count does by a declared ratio. A declaration alone
 * proves nothing.
 */
import { compareText } from '../../contract/compare-text.ts';
import { divide, multiply, nearlyEqual } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';
import { combinedRatio, exactRatio, NO_SPLIT, type Ratio } from '../../contract/split-ratio.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { COVER_COUNT } from './cover-shares.ts';
import {
  COUNT_CONCEPTS,
  DECLARED_RATIO_CONCEPT,
  type Declaration,
  declarationsOf,
  factorOf,
  findSuspectedSplits,
  isDeclared,
  isExplainedBy,
  PER_SHARE_CONCEPTS,
  type SuspectedSplit,
} from './split-evidence.ts';

/** A share split: new shares per old share, and the filing that proves it. */
export interface Split {
  /** For reverse splits rounded to ten places; `exactRatio` returns the fraction. */
  readonly ratio: Decimal;
  /** The first day on the new basis according to filings: declared, otherwise `until`. Prices may show another day. */
  readonly effective: string;
  readonly accession: string;
  /** The last day that filings show on the old basis; null in releases of older versions. */
  readonly after: string | null;
  /** The first day that filings show on the new basis; null in releases of older versions. */
  readonly until: string | null;
  /** The day of the filing that proved it: before that day the split is unknown. Null in releases of older versions. */
  readonly proven: string | null;
}

const PRODUCT_TOLERANCE = '0.005';

/** The concepts that `findSplits` reads. */
export const SPLIT_CONCEPTS: ReadonlySet<string> = new Set([
  DECLARED_RATIO_CONCEPT,
  COVER_COUNT,
  ...COUNT_CONCEPTS,
  ...PER_SHARE_CONCEPTS,
]);

/**
 * Returns every split that the facts prove, earliest first. Facts of other concepts may be left out; filings help to
 * date splits.
 */
export function findSplits(facts: readonly Fact[], filings: readonly FilingRecord[] = []): readonly Split[] {
  const declarations = declarationsOf(facts, filings);
  const suspects = findSuspectedSplits(facts, declarations);
  const provenSuspects = suspects.filter(
    (suspect) => suspect.periods.size >= 2 || isDeclared(suspect.ratio, declarations),
  );
  const coverCounts = facts.filter(({ concept }) => concept === COVER_COUNT).sort((a, b) => compareText(a.end, b.end));
  return provenSuspects
    .filter((suspect) => !isProduct(suspect, provenSuspects))
    .map((suspect) => {
      const { ratio, accession } = suspect;
      const [after, until] = narrowByCovers(suspect, coverCounts);
      const effective = findEffectiveDay(ratio, after, until, declarations);
      return { ratio, effective, accession, after, until, proven: dayProven(suspect, declarations) };
    })
    .sort((a, b) => (a.effective < b.effective ? -1 : 1));
}

/** The day on which a second period was restated, or the first one for a declared ratio. */
function dayProven({ ratio, periods }: SuspectedSplit, declarations: readonly Declaration[]): string {
  const [firstPeriod, secondPeriod] = [...periods.values()].sort();
  const declarationDays = declarations
    .filter((declaration) => isDeclared(ratio, [declaration]))
    .map(({ filed }) => (firstPeriod !== undefined && firstPeriod > filed ? firstPeriod : filed));
  const [earliestDay] = [...declarationDays, ...(secondPeriod === undefined ? [] : [secondPeriod])].sort();
  return assertDefined(earliestDay);
}

/** Returns the splits that filings had proven by the end of the day; later filings change nothing. */
export function splitsProvenBy(day: string | null, splits: readonly Split[]): readonly Split[] {
  return day === null ? splits : splits.filter(({ proven }) => proven === null || proven <= day);
}

/**
 * Returns new shares per old share through every split effective after `from` and by `to`; if `to` is earlier, the
 * inverse. Null if it is unknown whether a split came between.
 */
export type RatioBetween = (from: string, to: string) => Ratio | null;

/** Uses the dates of splits in filings, so the ratio is always known. */
export function createRatioByFilings(splits: readonly Split[]): RatioBetween {
  return (from, to) => {
    const [earlierDay, laterDay] = from <= to ? [from, to] : [to, from];
    const ratio = splits
      .filter(({ effective }) => effective > earlierDay && effective <= laterDay)
      .map((split) => exactRatio(split.ratio))
      .reduce(combinedRatio, NO_SPLIT);
    return from <= to ? ratio : { fresh: ratio.old, old: ratio.fresh };
  };
}

/** A period that was restated only after two splits changes by both ratios: that is not a third split. */
function isProduct(suspect: SuspectedSplit, allSplits: readonly SuspectedSplit[]): boolean {
  const splitsInside = allSplits.filter(
    (otherSplit) =>
      otherSplit !== suspect &&
      otherSplit.ratio !== suspect.ratio &&
      otherSplit.after >= suspect.after &&
      otherSplit.until <= suspect.until,
  );
  if (splitsInside.length < 2) return false;
  const product = splitsInside.reduce((ratio, otherSplit) => multiply(ratio, otherSplit.ratio), '1');
  return nearlyEqual(product, suspect.ratio, PRODUCT_TOLERANCE);
}

/** Maximum factor between counts near a split, other than the split's own ratio. */
const COVER_FACTOR = '1.5';

/**
 * Returns the last day on the old basis and the first on the new one, according to filings or to covers filed between
 * them, whose counts show their basis.
 */
function narrowByCovers({ ratio, after, until }: SuspectedSplit, covers: readonly Fact[]): [string, string] {
  let lastCover = covers.findLast(({ end }) => end <= after);
  let day = after;
  for (const coverCount of covers) {
    if (coverCount.end <= after || coverCount.end >= until || lastCover === undefined) continue;
    const change = divide(coverCount.value, lastCover.value);
    if (change === null || isZero(change)) continue;
    if (isExplainedBy(ratio, change, COVER_FACTOR)) return [day, coverCount.end];
    if (compareDecimals(factorOf(change), COVER_FACTOR) > 0) return [day, until];
    day = coverCount.end;
    lastCover = coverCount;
  }
  return [day, until];
}

/** Returns the last declared day between the two days; if no day between them is declared, the latest possible day. */
function findEffectiveDay(ratio: Decimal, after: string, until: string, declarations: readonly Declaration[]): string {
  const days = declarations
    .filter((declaration) => isDeclared(ratio, [declaration]))
    .map(({ effective }) => effective)
    .filter((day) => day > after && day <= until)
    .sort();
  return days.at(-1) ?? until;
}
