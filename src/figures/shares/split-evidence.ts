/** Finds share counts and values per share that filings restate by a split's ratio: the evidence of splits. */
import { compareText } from '../../contract/compare-text.ts';
import { divide, isNearlyEqual, multiply, roundToWhole } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { classifyForm } from '../../edgar/filings/forms.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import { assertDefined, groupBy } from '../../platform/collections.ts';
import { countDaysBetween } from '../../platform/dates.ts';
import { findNextTradingDay } from '../../platform/trading-calendar.ts';

export const WEIGHTED_SHARE_CONCEPTS: ReadonlySet<string> = new Set([
  'WeightedAverageNumberOfDilutedSharesOutstanding',
  'WeightedAverageNumberOfSharesOutstandingBasic',
  'WeightedAverageNumberOfShareOutstandingBasicAndDiluted',
  'AdjustedWeightedAverageShares',
  'WeightedAverageShares',
]);
export const PER_SHARE_CONCEPTS: ReadonlySet<string> = new Set([
  'EarningsPerShareDiluted',
  'EarningsPerShareBasic',
  'EarningsPerShareBasicAndDiluted',
]);
const COUNT_AND_PER_SHARE_CONCEPTS: ReadonlySet<string> = new Set([...WEIGHTED_SHARE_CONCEPTS, ...PER_SHARE_CONCEPTS]);

/**
 * The change of one period's figure between two filings. `ratio` is new shares per old share; `after` and `until` are
 * the filing days.
 */
interface FigureChange {
  readonly ratio: Decimal;
  readonly period: string;
  readonly after: string;
  readonly until: string;
  readonly accession: string;
  readonly isPerShare: boolean;
}

/**
 * A split that may explain several changes of figures, which all have its ratio. Each change gives a range of days
 * between two filings; `after` and `until` are the latest start and the earliest end of these ranges.
 */
export interface SuspectedSplit {
  readonly ratio: Decimal;
  after: string;
  until: string;
  accession: string;
  /** Filing day of the first restatement of each changed period, by period. */
  readonly restatementDayByPeriod: Map<string, string>;
}

/** Returns suspected splits from the facts of all filings, earliest first. */
export function findSuspectedSplits(facts: readonly Fact[], declared: readonly SplitDeclaration[]): SuspectedSplit[] {
  // Figures per share are evidence only for declared ratios.
  const concepts = declared.length === 0 ? WEIGHTED_SHARE_CONCEPTS : COUNT_AND_PER_SHARE_CONCEPTS;
  return gatherSuspects(findFigureChanges(facts, concepts), declared);
}

function findFigureChanges(facts: readonly Fact[], concepts: ReadonlySet<string>): FigureChange[] {
  const usedFacts = facts.filter(
    ({ concept, form, value }) => concepts.has(concept) && classifyForm(form) !== null && !isZero(value),
  );
  const byPeriod = groupBy(usedFacts, ({ concept, unit, start, end }) => `${concept} ${unit} ${start} ${end}`);
  const changes = [...byPeriod.values()].flatMap((series) =>
    series
      .toSorted((a, b) => compareText(a.filed, b.filed) || compareText(a.accession, b.accession))
      .flatMap((fact, index, sorted) => {
        const previous = sorted[index - 1];
        return (previous && findFigureChange(previous, fact)) ?? [];
      }),
  );
  return changes.sort((a, b) => compareText(a.until, b.until));
}

/**
 * Returns the change between two facts for one period; null if their values are equal or differ in sign, or if both
 * were filed on one day.
 */
function findFigureChange(previous: Fact, fact: Fact): FigureChange | null {
  if (previous.value === fact.value || previous.filed === fact.filed) return null;
  const isPerShare = PER_SHARE_CONCEPTS.has(fact.concept);
  const ratio = isPerShare ? divide(previous.value, fact.value) : divide(fact.value, previous.value);
  if (ratio === null || ratio.startsWith('-')) return null;
  const { start, end, filed, accession } = fact;
  return { ratio, period: `${start} ${end}`, after: previous.filed, until: filed, accession, isPerShare };
}

function gatherSuspects(changes: readonly FigureChange[], declared: readonly SplitDeclaration[]): SuspectedSplit[] {
  const suspects: SuspectedSplit[] = [];
  for (const change of changes) {
    const findRatio = change.isPerShare ? findDeclaredRatio : findSplitRatio;
    const ratio = findRatio(change.ratio, declared);
    if (ratio === null) continue;
    const existing = suspects.find(
      (suspect) => suspect.ratio === ratio && suspect.after < change.until && change.after < suspect.until,
    );
    if (existing === undefined) {
      const { after, until, accession } = change;
      suspects.push({ ratio, after, until, accession, restatementDayByPeriod: new Map([[change.period, until]]) });
    } else addChange(existing, change);
  }
  return suspects;
}

/**
 * Adds a change that the split explains, and narrows the split's range of days to the days between the change's
 * filings.
 */
function addChange(suspect: SuspectedSplit, { period, after, until, accession }: FigureChange): void {
  if (!suspect.restatementDayByPeriod.has(period)) suspect.restatementDayByPeriod.set(period, until);
  if (after > suspect.after) suspect.after = after;
  if (until < suspect.until) {
    suspect.until = until;
    suspect.accession = accession;
  }
}

export const DECLARED_RATIO_CONCEPT = 'StockholdersEquityNoteStockSplitConversionRatio1';

/**
 * A split ratio stated in a filing. A declaration does not prove a split: companies declare splits in advance, tag
 * wrong dates, and repeat a ratio for years.
 */
export interface SplitDeclaration {
  readonly ratio: Decimal;
  /** The first trading day after the split. Wrong if the declaration's period is not the period of the split. */
  readonly effective: string;
  /** The day of the filing that declares the ratio. */
  readonly filed: string;
}

/** Maximum length in days of a declaration's period. A longer period is the period of the report, not of the split. */
const MAX_DECLARATION_PERIOD_DAYS = 31;
/**
 * If a declaration's period is at most this number of days long, its last day is used as the day of the split. In a
 * longer period, an 8-K may show another day.
 */
const MAX_SHORT_PERIOD_DAYS = 7;
/** Items of current reports (8-K) for changes of shareholders' rights and of the charter. */
const CHARTER_CHANGE_ITEMS: readonly string[] = ['3.03', '5.03'];

/**
 * Returns each declared ratio of a split and its inverse. Facts of other concepts, and declarations for periods longer
 * than MAX_DECLARATION_PERIOD_DAYS, are ignored. In a period longer than MAX_SHORT_PERIOD_DAYS, the day of the split is
 * that of an 8-K on a change of the charter, if there is one.
 */
export function readDeclarations(facts: readonly Fact[], filings: readonly FilingRecord[]): SplitDeclaration[] {
  return facts.flatMap((fact) => {
    if (fact.concept !== DECLARED_RATIO_CONCEPT || isZero(fact.value) || fact.value.startsWith('-')) return [];
    if (fact.start !== null && countDaysBetween(fact.start, fact.end) > MAX_DECLARATION_PERIOD_DAYS) return [];
    // Shares are distributed after the market closes, so the next trading day is the first day in new shares.
    const effective = findNextTradingDay(findSplitDay(fact, filings));
    // A reverse split is tagged as 0.02 or as 50, so both ratios are returned; restated figures show the correct ratio.
    const inverse = divide('1', fact.value);
    const ratios = inverse === null ? [fact.value] : [fact.value, inverse];
    return ratios.map((ratio) => ({ ratio, effective, filed: fact.filed }));
  });
}

function findSplitDay({ start, end }: Fact, filings: readonly FilingRecord[]): string {
  if (start === null || countDaysBetween(start, end) <= MAX_SHORT_PERIOD_DAYS) return end;
  const days = filings
    .filter(({ form, items }) => form.startsWith('8-K') && items.some((item) => CHARTER_CHANGE_ITEMS.includes(item)))
    .map(({ reportDate, filed }) => reportDate ?? filed)
    .filter((day) => day >= start && day <= end)
    .sort();
  return days.at(-1) ?? end;
}

/** Maximum split ratio; larger changes are errors of scale, such as thousands tagged as units. */
const MAX_RATIO = '500';
/** Fractional ratios of splits; their inverses are ratios of reverse splits. */
const FRACTIONAL_RATIOS: readonly Decimal[] = ['1.5', '1.25', '1.2'];
const INTEGER_RATIO_TOLERANCE = '0.005';
const FRACTION_TOLERANCE = '0.001';
const DECLARED_RATIO_TOLERANCE = '0.02';

/**
 * Returns the split ratio that equals a change within a tolerance: n, 1/n, a common fraction, or else a declared ratio.
 * Null if no ratio is within the tolerance.
 */
function findSplitRatio(change: Decimal, declared: readonly SplitDeclaration[]): Decimal | null {
  const isIncrease = compareDecimals(change, '1') > 0;
  const factor = isIncrease ? change : divide('1', change);
  if (factor === null || compareDecimals(factor, MAX_RATIO) > 0) return null;
  const integer = roundToWhole(factor);
  if (compareDecimals(integer, '2') >= 0 && isNearlyEqual(factor, integer, INTEGER_RATIO_TOLERANCE))
    return isIncrease ? integer : divide('1', integer);
  const fraction = FRACTIONAL_RATIOS.find((candidate) => isNearlyEqual(factor, candidate, FRACTION_TOLERANCE));
  if (fraction !== undefined) return isIncrease ? fraction : divide('1', fraction);
  return findDeclaredRatio(change, declared);
}

/**
 * Returns the first declared ratio within the tolerance of a change, as an exact fraction where possible: 0.0667 and
 * 0.066667 both give 1/15. Null if no declared ratio is within the tolerance.
 */
function findDeclaredRatio(change: Decimal, declared: readonly SplitDeclaration[]): Decimal | null {
  const match = declared.find(({ ratio }) => ratio !== '1' && isNearlyEqual(change, ratio, DECLARED_RATIO_TOLERANCE));
  return match === undefined ? null : (findSplitRatio(match.ratio, []) ?? match.ratio);
}

export const isDeclaredRatio = (ratio: Decimal, declared: readonly SplitDeclaration[]): boolean =>
  declared.some((declaration) => isNearlyEqual(declaration.ratio, ratio, DECLARED_RATIO_TOLERANCE));

/**
 * Whether a split explains a change. The factor between the change and the split's ratio must not exceed `factor`, and
 * must be below the square root of the ratio (of its inverse, for a ratio below 1).
 */
export function doesSplitExplainChange(ratio: Decimal, change: Decimal, factor: Decimal): boolean {
  const remainder = divide(change, ratio);
  if (remainder === null || isZero(remainder)) return false;
  const distance = normalizeToAtLeastOne(remainder);
  return (
    compareDecimals(distance, factor) <= 0 &&
    compareDecimals(multiply(distance, distance), normalizeToAtLeastOne(ratio)) < 0
  );
}

/** Returns the ratio or its inverse, whichever is at least 1. */
export const normalizeToAtLeastOne = (ratio: Decimal): Decimal =>
  compareDecimals(ratio, '1') >= 0 ? ratio : assertDefined(divide('1', ratio));
