/**
 * Figures in today's shares: per-share amounts and share counts, adjusted for every split since their filing.
 * If only a range of days is known for a split, restated values show which filings in this range precede the split.
 */
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import {
  combineRatios,
  convertToNewShares,
  convertToPerNewShare,
  findExactRatio,
  NO_SPLIT,
  type SplitRatio,
} from '../../contract/split-ratio.ts';
import { assertDefined, getOrInsert } from '../../platform/collections.ts';
import { findSplitEffect } from '../metrics/metric-rules.ts';
import { type ReportedValue, splitIntoChains } from '../revisions/revision-chain.ts';
import { combineSplits, type Split } from '../shares/splits.ts';
import { type Figure, pickSubject } from './figure.ts';
import { findSplitAdjustmentDay, SHARE_COUNT_KEY } from './share-counts.ts';

export interface AdjustedFigure {
  readonly figure: Figure;
  /**
   * New shares per old share since the figure's filing (1 without a split); null if unknown; undefined for amounts of
   * money.
   */
  readonly ratio: SplitRatio | null | undefined;
}

/** Metrics whose restated values show which filings are before a split. */
export const RESTATED_METRICS: readonly string[] = [
  ...['eps_basic', 'eps_diluted', 'weighted_shares_basic', 'weighted_shares_diluted', 'dividends_per_share'],
];

/** Metrics whose values show the ranges of days in which splits lie. */
export const SPLIT_RANGE_METRICS: readonly string[] = [...RESTATED_METRICS, SHARE_COUNT_KEY];

/**
 * Returns the splits, each with the range of days that the given values prove. A release may have narrower ranges,
 * because it also uses values filed later.
 * @param values values of `SPLIT_RANGE_METRICS` filed by a day, chain by chain
 */
export function limitToProvenRanges(splits: readonly Split[], values: readonly ReportedValue[]): readonly Split[] {
  const lastDays = new Map<Split, string>();
  const record = (split: Split, day: string) => {
    const isBefore = split.after !== null && day <= split.after;
    if (isBefore && day > (lastDays.get(split) ?? '')) lastDays.set(split, day);
  };
  for (const { split, chain, changeIndex } of enumerateReExpressions(values, splits))
    record(split, assertDefined(chain[changeIndex - 1]).filed);
  for (const { taxonomy, end } of values)
    if (taxonomy === COVER_TAXONOMY) for (const split of splits) record(split, end);
  return splits.map((split) => {
    // A spread would lose the fields that rows of a release read lazily.
    const { ratio, effective, accession, after, until, proven } = split;
    const lastDay = after === null ? null : (lastDays.get(split) ?? '');
    return { ratio, effective, accession, after: lastDay, until, proven };
  });
}

/** The taxonomy of covers, whose counts are in the shares of their own day. */
const COVER_TAXONOMY = 'dei';

/**
 * Returns a function that converts a figure to today's shares. If the ratio is unknown, the value stays unchanged.
 * @param values values of `RESTATED_METRICS`, chain by chain
 */
export function createSplitAdjuster(
  values: readonly ReportedValue[],
  splits: readonly Split[],
): (figure: Figure) => AdjustedFigure {
  const evidence = collectBasisEvidence(values, splits);
  return (figure) => {
    const effect = findSplitEffect(figure.metricKey);
    if (effect === null) return { figure, ratio: undefined };
    const ratio = findRatioSince(figure, splits, evidence);
    if (ratio === null || ratio.newShares === ratio.oldShares) return { figure, ratio };
    const convert = effect === 'shares' ? convertToNewShares : convertToPerNewShare;
    return { figure: replaceValue(figure, convert(figure.value, ratio)), ratio };
  };
}

function replaceValue(figure: Figure, value: Decimal): Figure {
  const { derived, confidence, terms, denominator } = figure;
  return { ...pickSubject(figure), derived, confidence, terms, denominator, value };
}

/**
 * Whether each filing counts shares before a split (`old`), after the split (`new`), or states both (`both`), by split
 * and accession number.
 */
type BasisEvidence = ReadonlyMap<Split, ReadonlyMap<string, 'old' | 'new' | 'both'>>;

/**
 * Collects evidence from values that a split changed. In the chain of such a value, filings before the change count
 * shares before the split (`old`); all other filings count shares after the split (`new`).
 */
function collectBasisEvidence(values: readonly ReportedValue[], splits: readonly Split[]): BasisEvidence {
  const evidence = new Map<Split, Map<string, 'old' | 'new' | 'both'>>();
  for (const { split, chain, changeIndex } of enumerateReExpressions(values, splits)) {
    const bases = getOrInsert(evidence, split, () => new Map<string, 'old' | 'new' | 'both'>());
    for (const [index, { accession }] of chain.entries()) {
      const basis = index < changeIndex ? 'old' : 'new';
      const previous = bases.get(accession);
      bases.set(accession, previous === undefined || previous === basis ? basis : 'both');
    }
  }
  return evidence;
}

/**
 * Yields each re-expressed value, once for each split that explains its change: the entry of `chain` at `changeIndex`,
 * which is at least 1.
 */
function* enumerateReExpressions(values: readonly ReportedValue[], splits: readonly Split[]) {
  for (const chain of splitIntoChains(values)) {
    for (const [index, { kind, splitRatio, filed }] of chain.entries()) {
      const previous = chain[index - 1];
      if (kind !== 're_expressed' || splitRatio === null || previous === undefined) continue;
      for (const split of findSplitsOfRatio(splitRatio, previous.filed, filed, splits))
        yield { split, chain, changeIndex: index };
    }
  }
}

/**
 * Returns the split that has this ratio and lies between the two filings. If the ratio is the product of all splits
 * between the filings, returns all these splits.
 */
function findSplitsOfRatio(ratio: Decimal, first: string, last: string, splits: readonly Split[]): readonly Split[] {
  const splitsBetween = splits.filter(
    (split) => (split.until ?? split.effective) > first && (split.after ?? split.effective) < last,
  );
  const equalSplits = splitsBetween.filter((split) => split.ratio === ratio);
  if (equalSplits.length === 1) return equalSplits;
  const { newShares, oldShares } = combineSplits(splitsBetween);
  return compareDecimals(newShares, convertToNewShares(oldShares, findExactRatio(ratio))) === 0 ? splitsBetween : [];
}

/**
 * Returns the combined ratio of all splits since the figure's filing. Null if, for one of the splits, some terms count
 * old shares and others new shares, or if this is unknown.
 */
function findRatioSince(figure: Figure, splits: readonly Split[], evidence: BasisEvidence): SplitRatio | null {
  let total = NO_SPLIT;
  for (const split of splits) {
    const flags = new Set(
      figure.terms.map(({ source }) => isBeforeSplit(split, source.reported, findSplitAdjustmentDay(figure), evidence)),
    );
    const [isBefore] = flags;
    if (flags.size > 1 || isBefore === null || isBefore === undefined) return null;
    if (isBefore) total = combineRatios(total, findExactRatio(split.ratio));
  }
  return total;
}

/** Whether a value counts shares before the split; null if unknown. */
function isBeforeSplit(split: Split, value: ReportedValue, coverDay: string, evidence: BasisEvidence): boolean | null {
  const { effective, after, until } = split;
  const isCover = value.taxonomy === COVER_TAXONOMY;
  const basis = evidence.get(split)?.get(value.accession);
  // A cover counts the shares of its own day, even if its filing restates earlier periods for a later split.
  if (!isCover && (basis === 'old' || basis === 'new')) return basis === 'old';
  const day = isCover ? coverDay : value.filed;
  if (day <= (after ?? '')) return true;
  if (day >= (until ?? effective)) return false;
  if (after === null) return day < effective;
  if (isCover && basis === 'old') return true;
  // Figures filed after a split are restated for the split; figures filed shortly before the split may be restated,
  // too.
  return day >= effective ? false : null;
}
