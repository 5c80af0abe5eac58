/** Finds figures that filings restate on another share basis; these prove splits. */
import { compareText } from '../../contract/compare-text.ts';
import { divide, multiply, nearlyEqual, roundToInteger } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { formClass } from '../../edgar/filings/forms.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { pushTo } from '../../platform/collections.ts';
import { daysBetween } from '../../platform/dates.ts';
import { nextTradingDay } from '../../platform/trading-calendar.ts';

export const COUNT_CONCEPTS: ReadonlySet<string> = new Set([
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
const COUNT_AND_PER_SHARE_CONCEPTS: ReadonlySet<string> = new Set([...COUNT_CONCEPTS, ...PER_SHARE_CONCEPTS]);

/** The change of one period's figure between two filings, as new shares per old share, and the days of the filings. */
interface RatioChange {
  readonly ratio: Decimal;
  readonly period: string;
  readonly after: string;
  readonly until: string;
  readonly accession: string;
  readonly perShare: boolean;
}

/** Changes with the same ratio and a common range of days for the split. */
export interface SuspectedSplit {
  readonly ratio: Decimal;
  after: string;
  until: string;
  accession: string;
  /** Periods with changed figures, each with the day of the filing that first restated it. */
  readonly periods: Map<string, string>;
}

/** Returns suspected splits from the facts of all filings, earliest first. */
export function findSuspectedSplits(facts: readonly Fact[], declarations: readonly Declaration[]): SuspectedSplit[] {
  // A change of figures per share proves a ratio only if it was declared.
  const concepts = declarations.length === 0 ? COUNT_CONCEPTS : COUNT_AND_PER_SHARE_CONCEPTS;
  return gatherSuspects(findRatioChanges(facts, concepts), declarations);
}

function findRatioChanges(facts: readonly Fact[], concepts: ReadonlySet<string>): RatioChange[] {
  const factsBySeries = new Map<string, Fact[]>();
  for (const fact of facts) {
    if (!concepts.has(fact.concept)) continue;
    if (formClass(fact.form) === null || isZero(fact.value)) continue;
    const key = `${fact.concept} ${fact.unit} ${fact.start} ${fact.end}`;
    pushTo(factsBySeries, key, fact);
  }
  const changes: RatioChange[] = [];
  for (const seriesFacts of factsBySeries.values()) {
    seriesFacts.sort((a, b) => compareText(a.filed, b.filed) || compareText(a.accession, b.accession));
    for (let index = 1; index < seriesFacts.length; index++) {
      const [previousFact, currentFact] = [seriesFacts[index - 1], seriesFacts[index]];
      if (previousFact === undefined || currentFact === undefined || previousFact.value === currentFact.value) continue;
      const isPerShare = PER_SHARE_CONCEPTS.has(currentFact.concept);
      const ratio = isPerShare
        ? divide(previousFact.value, currentFact.value)
        : divide(currentFact.value, previousFact.value);
      if (ratio === null || ratio.startsWith('-') || previousFact.filed === currentFact.filed) continue;
      changes.push({
        ratio,
        period: `${currentFact.start} ${currentFact.end}`,
        after: previousFact.filed,
        until: currentFact.filed,
        accession: currentFact.accession,
        perShare: isPerShare,
      });
    }
  }
  return changes.sort((a, b) => compareText(a.until, b.until));
}

function gatherSuspects(foundChanges: readonly RatioChange[], declarations: readonly Declaration[]): SuspectedSplit[] {
  const suspects: SuspectedSplit[] = [];
  for (const change of foundChanges) {
    const ratio = change.perShare ? declaredRatio(change.ratio, declarations) : plainRatio(change.ratio, declarations);
    if (ratio === null) continue;
    const existingSuspect = suspects.find(
      (suspect) => suspect.ratio === ratio && suspect.after < change.until && change.after < suspect.until,
    );
    if (existingSuspect === undefined) {
      const { after, until, accession } = change;
      suspects.push({ ratio, after, until, accession, periods: new Map([[change.period, until]]) });
    } else {
      if (!existingSuspect.periods.has(change.period)) existingSuspect.periods.set(change.period, change.until);
      if (change.after > existingSuspect.after) existingSuspect.after = change.after;
      if (change.until < existingSuspect.until) {
        existingSuspect.until = change.until;
        existingSuspect.accession = change.accession;
      }
    }
  }
  return suspects;
}

export const DECLARED_RATIO_CONCEPT = 'StockholdersEquityNoteStockSplitConversionRatio1';

/**
 * A split ratio in a filing. It does not prove a split: companies declare in advance, tag wrong dates, and repeat a
 * ratio for years.
 */
export interface Declaration {
  readonly ratio: Decimal;
  /** The first day on the new basis, if the declaration dates the split itself. */
  readonly effective: string;
  /** The day of the filing that declares it. */
  readonly filed: string;
}

/** Maximum length of a declaration's period, in days; a longer one is that of the report. */
const MAX_PERIOD_DAYS = 31;
/** Maximum length in days of a period that ends with the split. */
const MAX_SHORT_PERIOD_DAYS = 7;
/** The items of a current report for changes to the rights of shareholders and to the charter. */
const CHARTER_CHANGE_ITEMS: readonly string[] = ['3.03', '5.03'];

/**
 * Reads facts of any concept. The filing on the change of the charter gives the date of a declaration for a whole
 * month.
 */
export function declarationsOf(facts: readonly Fact[], filings: readonly FilingRecord[]): Declaration[] {
  return facts.flatMap((fact) => {
    if (fact.concept !== DECLARED_RATIO_CONCEPT || isZero(fact.value) || fact.value.startsWith('-')) return [];
    if (fact.start !== null && daysBetween(fact.start, fact.end) > MAX_PERIOD_DAYS) return [];
    // Shares are distributed after the market closes.
    const effective = nextTradingDay(dayOfSplit(fact, filings));
    // A reverse split is declared as 0.02 or as 50; figures decide which of the two is meant.
    const inverseRatio = divide('1', fact.value);
    return [fact.value, ...(inverseRatio === null ? [] : [inverseRatio])].map((ratio) => ({
      ratio,
      effective,
      filed: fact.filed,
    }));
  });
}

function dayOfSplit({ start, end }: Fact, filings: readonly FilingRecord[]): string {
  if (start === null || daysBetween(start, end) <= MAX_SHORT_PERIOD_DAYS) return end;
  const changeDays = filings
    .filter(({ form, items }) => form.startsWith('8-K') && items.some((item) => CHARTER_CHANGE_ITEMS.includes(item)))
    .map(({ reportDate, filed }) => reportDate ?? filed)
    .filter((day) => day >= start && day <= end)
    .sort();
  return changeDays.at(-1) ?? end;
}

/** Maximum split ratio; larger changes are errors of scale, such as thousands for units. */
const MAX_RATIO = '500';
/** Split ratios that are fractions in both directions. */
const FRACTIONAL_RATIOS: readonly Decimal[] = ['1.5', '1.25', '1.2'];
const WHOLE_TOLERANCE = '0.005';
const FRACTION_TOLERANCE = '0.001';
const PER_SHARE_TOLERANCE = '0.02';

/** Returns the ratio near a change: n, 1/n, a common fraction, or a declared one; null if none is near. */
function plainRatio(change: Decimal, declarations: readonly Declaration[]): Decimal | null {
  const isIncrease = compareDecimals(change, '1') > 0;
  const factor = isIncrease ? change : divide('1', change);
  if (factor === null || compareDecimals(factor, MAX_RATIO) > 0) return null;
  const wholeRatio = roundToInteger(factor);
  if (compareDecimals(wholeRatio, '2') >= 0 && nearlyEqual(factor, wholeRatio, WHOLE_TOLERANCE)) {
    return isIncrease ? wholeRatio : divide('1', wholeRatio);
  }
  const fraction = FRACTIONAL_RATIOS.find((candidate) => nearlyEqual(factor, candidate, FRACTION_TOLERANCE));
  if (fraction !== undefined) return isIncrease ? fraction : divide('1', fraction);
  return declaredRatio(change, declarations);
}

/** Returns the exact form of the declared ratio near a change, so that 0.0667 and 0.066667 are equal. */
function declaredRatio(change: Decimal, declarations: readonly Declaration[]): Decimal | null {
  const nearDeclaration = declarations.find(
    ({ ratio }) => ratio !== '1' && nearlyEqual(change, ratio, PER_SHARE_TOLERANCE),
  );
  return nearDeclaration === undefined ? null : (plainRatio(nearDeclaration.ratio, []) ?? nearDeclaration.ratio);
}

export function isDeclared(ratio: Decimal, declarations: readonly Declaration[]): boolean {
  return declarations.some((declaration) => nearlyEqual(declaration.ratio, ratio, PER_SHARE_TOLERANCE));
}

/** Whether a change from old to new is nearer to the split's ratio than to 1, and within the factor of it. */
export function isExplainedBy(ratio: Decimal, change: Decimal, factor: Decimal): boolean {
  const unexplainedRatio = divide(change, ratio);
  if (unexplainedRatio === null || isZero(unexplainedRatio)) return false;
  const unexplainedFactor = factorOf(unexplainedRatio);
  return (
    compareDecimals(unexplainedFactor, factor) <= 0 &&
    compareDecimals(multiply(unexplainedFactor, unexplainedFactor), factorOf(ratio)) < 0
  );
}

/** The factor between a ratio and 1, in either direction. */
export function factorOf(ratio: Decimal): Decimal {
  return compareDecimals(ratio, '1') >= 0 ? ratio : assertDefined(divide('1', ratio));
}
