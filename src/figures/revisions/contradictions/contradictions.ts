/**
 * Finds facts that other facts of the company show to be wrong, and the day from which filings show each error. Figures
 * as of an earlier day are unaffected.
 */

import {
  add,
  findUpperMedian,
  isNearlyEqual,
  multiply,
  subtract,
  takeAbsoluteValue,
} from '../../../contract/decimal.ts';
import { compareDecimals, type Decimal, isEqual, isZero, shiftDecimal } from '../../../contract/decimal-text.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import { classifyForm } from '../../../edgar/filings/forms.ts';
import { getOrInsert, groupBy } from '../../../platform/collections.ts';
import { setEarliestDay } from '../../../platform/dates.ts';
import { findRemaindersShownLater } from '../../evidence/depreciation.ts';
import { createAmountLookup, type FilingAmounts } from '../../evidence/filing-amounts.ts';
import { type FactSeries, filterFactsOfSeries, omitCrowdedPeriods } from '../../facts/fact-series.ts';
import { listMappingsOfMetric } from '../../metrics/concepts.ts';
import { detectPeriodKind } from '../../periods/period-kind.ts';
import { PeriodMap } from '../../periods/period-map.ts';
import type { Split } from '../../shares/splits.ts';
import { areMagnitudesWithinFactor, findScaleAndSignErrors } from './misscaled-facts.ts';
import { checkWeightedShares, findFactsInOtherScaleThanCover, ROUNDING_TOLERANCE } from './misscaled-shares.ts';
import { findReversedSigns } from './reversed-signs.ts';
import { findAssetsBelowParts, findStaleBalances } from './stale-balances.ts';
import { findPartialCosts, findStaleLines } from './stale-gross-profit.ts';

/** Wrong facts, each with the day of the filing that shows the error. */
export type ContradictionDayByFact = ReadonlyMap<Fact, string>;

/**
 * @param series series of the concepts that metrics are read from
 * @param count called with the name of the rule for each fact that a rule contradicts; several rules may contradict one
 */
export function findContradictedFacts(
  series: readonly FactSeries[],
  splits: readonly Split[],
  count: (rule: string) => void = () => undefined,
): ContradictionDayByFact {
  const reportedSeries = omitCrowdedPeriods(filterFactsOfSeries(series, ({ form }) => classifyForm(form) !== null));
  const shareFindings = checkWeightedShares(reportedSeries);
  const plausibleSeries =
    shareFindings.dayByWrongFact.size === 0
      ? reportedSeries
      : filterFactsOfSeries(reportedSeries, (fact) => !shareFindings.dayByWrongFact.has(fact));
  const contradictionDayByFact = findScaleAndSignErrors(plausibleSeries, splits);
  for (const fact of shareFindings.confirmedFacts) contradictionDayByFact.delete(fact);
  for (const _ of contradictionDayByFact) count('an amount of another scale or sign than in other filings');
  // If several rules contradict a fact, the first of their days is the day from which filings show the error.
  const addContradictions = (rule: string, days: Iterable<readonly [Fact, string]>) => {
    for (const [fact, day] of days) {
      setEarliestDay(contradictionDayByFact, fact, day);
      count(rule);
    }
  };
  const addOnFilingDay = (rule: string, facts: readonly Fact[]) =>
    addContradictions(
      rule,
      facts.map((fact) => [fact, fact.filed] as const),
    );
  const isContradicted = (fact: Fact) => contradictionDayByFact.has(fact);
  addContradictions('depreciation without a line that later filings include', findRemaindersShownLater(reportedSeries));
  const sheets = collectBalanceSheets(reportedSeries);
  addOnFilingDay('an accumulated deficit without its sign', sheets.flatMap(findDeficitsWithoutSign));
  // These rules find their facts before any of them is added.
  const staleFindings = [
    ['a line of an income statement that was not restated with the others', [...findStaleLines(reportedSeries)]],
    ['a cost that is only a part of the cost', [...findPartialCosts(reportedSeries)]],
    ['a balance that was not restated with the others', [...findStaleBalances(reportedSeries)]],
    ['an amount with the opposite sign in other filings', [...findReversedSigns(reportedSeries, isContradicted)]],
    ['assets that are less than their parts', [...findAssetsBelowParts(reportedSeries, isContradicted)]],
  ] as const;
  for (const [rule, days] of staleFindings) addContradictions(rule, days);
  addOnFilingDay('average shares of another scale than the cover', [
    ...findFactsInOtherScaleThanCover(reportedSeries, shareFindings.powerByFiling),
  ]);
  addOnFilingDay('a quarter far above its year, or a year far below its quarter', findPartsAboveWhole(reportedSeries));
  addOnFilingDay('an expense far above revenue and income', findExcessiveExpenses(reportedSeries));
  addOnFilingDay('a part of the balance sheet tagged as a total', [
    ...sheets.flatMap(findWrongFactsOfSheet),
    ...findEquityComponents(sheets),
  ]);
  addContradictions('average shares that income per share contradicts', shareFindings.dayByWrongFact);
  return contradictionDayByFact;
}

/** Flows that only accumulate within a year. Excludes share-based compensation, which forfeited shares reduce. */
const CUMULATIVE_METRICS: ReadonlySet<string> = new Set([
  'revenue',
  'cost_of_revenue',
  'capital_expenditures',
  'dividends_paid',
  'dividends_per_share',
  'share_repurchases',
]);
const TWO: Decimal = '2';

/** An amount is supported if it differs from the median of other periods of the same length by at most this factor. */
const MAX_SUPPORT_FACTOR: Decimal = '3';

/**
 * Finds pairs of amounts in one filing such as a quarter with more than twice the amount of its year. Returns the
 * amount that other periods do not support; both amounts if other periods support both or neither.
 */
function findPartsAboveWhole(series: readonly FactSeries[]): Fact[] {
  return series.filter(isCumulative).flatMap(({ facts }) => {
    const factsByFiling = groupBy(facts, ({ accession }) => accession);
    return [...factsByFiling.values()].flatMap((reportedFacts) =>
      reportedFacts.flatMap((longerFact) =>
        reportedFacts
          .filter((part) => isWithin(part, longerFact) && isAboveTwice(part.value, takeAbsoluteValue(longerFact.value)))
          .flatMap((part) => {
            const unsupportedFacts = [longerFact, part].filter((fact) => !isNearOtherPeriods(fact, facts));
            return unsupportedFacts.length === 0 ? [longerFact, part] : unsupportedFacts;
          }),
      ),
    );
  });
}

function isAboveTwice(a: Decimal, b: Decimal): boolean {
  return compareDecimals(a, b) > 0 && compareDecimals(a, multiply(b, TWO)) > 0;
}

/** @param facts facts of the same concept and unit */
function isNearOtherPeriods(fact: Fact, facts: readonly Fact[]): boolean {
  const kind = detectPeriodKind(fact.start, fact.end);
  const otherFacts = facts.filter(
    (otherFact) =>
      otherFact.end !== fact.end &&
      otherFact.filed <= fact.filed &&
      detectPeriodKind(otherFact.start, otherFact.end) === kind,
  );
  return (
    otherFacts.length > 0 &&
    areMagnitudesWithinFactor(
      fact.value,
      findUpperMedian(otherFacts.map(({ value }) => takeAbsoluteValue(value))),
      MAX_SUPPORT_FACTOR,
    )
  );
}

function isCumulative({ mappings }: FactSeries): boolean {
  return mappings.some(({ metricKey }) => CUMULATIVE_METRICS.has(metricKey));
}

function isWithin(part: Fact, longerFact: Fact): boolean {
  if (part === longerFact || part.start === null || longerFact.start === null) return false;
  return part.start >= longerFact.start && part.end <= longerFact.end;
}

/** Expenses that are compared with the revenue and net income of their filing. */
const EXPENSE_METRICS: ReadonlySet<string> = new Set([
  'share_based_compensation',
  'depreciation_and_amortization',
  'research_and_development',
  'selling_general_and_administrative',
]);
const [REVENUE_CONCEPTS, INCOME_CONCEPTS] = ['revenue', 'net_income'].map((key) =>
  listMappingsOfMetric(key).map(({ concept }) => concept),
);
/** Maximum plausible ratio of an expense to revenue plus the absolute net income. */
const MAX_RATIO_TO_REVENUE_AND_INCOME: Decimal = '3';

/**
 * Finds expenses far above revenue and net income (or loss) together. An expense is paid from revenue or is part of the
 * loss, so such an expense has a wrong scale.
 */
function findExcessiveExpenses(series: readonly FactSeries[]): Fact[] {
  const findAmounts = createAmountLookup(series);
  const findLargestAmount = (concepts: readonly string[] = [], amounts: FilingAmounts) => {
    let largestAmount: Decimal | null = null;
    for (const concept of concepts) {
      const amount = amounts.get(concept);
      if (amount === undefined) continue;
      const size = takeAbsoluteValue(amount);
      if (largestAmount === null || compareDecimals(size, largestAmount) > 0) largestAmount = size;
    }
    return largestAmount;
  };
  const expenseSeries = series.filter(({ mappings }) =>
    mappings.some(({ metricKey }) => EXPENSE_METRICS.has(metricKey)),
  );
  return expenseSeries.flatMap(({ facts }) =>
    facts.filter((fact) => {
      const amounts = findAmounts(fact);
      const exceedsMultiple = (amount: Decimal) =>
        compareDecimals(fact.value, multiply(amount, MAX_RATIO_TO_REVENUE_AND_INCOME)) > 0;
      const revenue = findLargestAmount(REVENUE_CONCEPTS, amounts);
      if (revenue === null || !exceedsMultiple(revenue)) return false;
      const income = findLargestAmount(INCOME_CONCEPTS, amounts);
      return income !== null && exceedsMultiple(add(revenue, income));
    }),
  );
}

/** One filing's facts for one day, by metric; only facts of each metric's best concept. */
type BalanceSheet = ReadonlyMap<string, Fact>;

const BALANCE_SHEET_METRICS = [
  'assets',
  'current_assets',
  'cash_and_equivalents',
  'liabilities',
  'current_liabilities',
  'total_equity',
  'stockholders_equity',
  'retained_earnings',
  'paid_in_capital',
  'treasury_stock',
  'accumulated_other_comprehensive_income',
];

function collectBalanceSheets(series: readonly FactSeries[]): BalanceSheet[] {
  const balanceSheets: Map<string, Fact>[] = [];
  const sheetsByUnit = new Map<string, Map<string, PeriodMap<Map<string, Fact>>>>();
  for (const { mappings, unit, facts } of series) {
    const sheetsByFiling = getOrInsert(sheetsByUnit, unit, () => new Map<string, PeriodMap<Map<string, Fact>>>());
    for (const { metricKey, priority } of mappings) {
      if (priority > 1 || !BALANCE_SHEET_METRICS.includes(metricKey)) continue;
      for (const fact of facts) {
        if (fact.start !== null) continue;
        const sheetByDay = getOrInsert(sheetsByFiling, fact.accession, () => new PeriodMap<Map<string, Fact>>());
        let sheet = sheetByDay.get(fact);
        if (sheet === undefined) {
          sheet = new Map();
          sheetByDay.set(fact, sheet);
          balanceSheets.push(sheet);
        }
        sheet.set(metricKey, fact);
      }
    }
  }
  return balanceSheets;
}

function findWrongFactsOfSheet(balance: BalanceSheet): Fact[] {
  return [
    ...findZeroTotals(balance),
    ...findTotalEquityFarBelowParent(balance),
    ...findNoncurrentLiabilitiesAsTotal(balance),
    ...findMisscaledParts(balance),
  ];
}

/** Maximum difference that lines without a metric, such as par value and warrants, explain. */
const OTHER_EQUITY_TOLERANCE: Decimal = '0.05';

/**
 * Returns an accumulated deficit without its minus sign: equity less the other parts of equity is about the same amount
 * below zero. A deficit with its sign is not compared, because a large par value can have the same effect.
 */
function findDeficitsWithoutSign(balance: BalanceSheet): Fact[] {
  const [equity, retainedEarnings, paidInCapital] = [
    balance.get('stockholders_equity'),
    balance.get('retained_earnings'),
    balance.get('paid_in_capital'),
  ];
  if (equity === undefined || retainedEarnings === undefined || paidInCapital === undefined) return [];
  if (compareDecimals(retainedEarnings.value, '0') <= 0) return [];
  const otherParts = subtract(
    add(paidInCapital.value, balance.get('accumulated_other_comprehensive_income')?.value ?? '0'),
    balance.get('treasury_stock')?.value ?? '0',
  );
  const expectedAmount = subtract(equity.value, otherParts);
  const reversedAmount = subtract('0', retainedEarnings.value);
  return isNearlyEqual(expectedAmount, reversedAmount, OTHER_EQUITY_TOLERANCE) ? [retainedEarnings] : [];
}

const PARTS_BY_TOTAL: readonly (readonly [total: string, parts: readonly string[]])[] = [
  ['assets', ['current_assets', 'cash_and_equivalents', 'liabilities', 'current_liabilities']],
  ['current_assets', ['cash_and_equivalents']],
  ['liabilities', ['current_liabilities']],
];

/** Returns totals of zero that have a part above zero. */
function findZeroTotals(balance: BalanceSheet): Fact[] {
  return PARTS_BY_TOTAL.flatMap(([totalKey, partKeys]) => {
    const total = balance.get(totalKey);
    if (total === undefined || !isZero(total.value)) return [];
    return partKeys.some((partKey) => compareDecimals(balance.get(partKey)?.value ?? '0', '0') > 0) ? [total] : [];
  });
}

/**
 * Minimum plausible ratio of total equity to the parent's equity: no known noncontrolling interest is negative enough
 * for a lower ratio.
 */
const MIN_RATIO_TO_PARENT_EQUITY: Decimal = '0.5';

/** Returns total equity far below the parent's equity: such an amount is a component tagged as the total. */
function findTotalEquityFarBelowParent(balance: BalanceSheet): Fact[] {
  const [totalEquity, parentEquity] = [balance.get('total_equity'), balance.get('stockholders_equity')];
  if (totalEquity === undefined || parentEquity === undefined || compareDecimals(parentEquity.value, '0') <= 0)
    return [];
  return compareDecimals(totalEquity.value, multiply(parentEquity.value, MIN_RATIO_TO_PARENT_EQUITY)) < 0
    ? [totalEquity]
    : [];
}

/**
 * Returns liabilities that include only noncurrent liabilities: assets equal the amount plus current liabilities and
 * equity.
 */
function findNoncurrentLiabilitiesAsTotal(balance: BalanceSheet): Fact[] {
  const [assets, liabilities, currentLiabilities] = [
    balance.get('assets'),
    balance.get('liabilities'),
    balance.get('current_liabilities'),
  ];
  const equity = balance.get('total_equity') ?? balance.get('stockholders_equity');
  if (assets === undefined || liabilities === undefined || currentLiabilities === undefined || equity === undefined)
    return [];
  if (isZero(currentLiabilities.value)) return [];
  const sumWithCurrent = add(add(liabilities.value, currentLiabilities.value), equity.value);
  return isEqual(assets.value, sumWithCurrent) ? [liabilities] : [];
}

/**
 * Maximum ratio of a component of equity to equity on another day. Equity itself falls this far only if retained
 * earnings or assets fall, or if the company buys treasury stock.
 */
const MAX_COMPONENT_RATIO: Decimal = '0.34';
/** Retained earnings or assets count as fallen if they are below this fraction of their amount on the other day. */
const MIN_UNCHANGED_RATIO: Decimal = '0.8';

/**
 * Finds components of equity that a filing tags as stockholders' equity. The filing's equity on another day is about
 * three times as large or more and exceeds retained earnings, although retained earnings and assets are not much lower
 * on the component's day.
 */
function findEquityComponents(sheets: readonly BalanceSheet[]): Fact[] {
  const sheetsByFiling = groupBy(sheets, (sheet) => sheet.get('stockholders_equity')?.accession ?? '');
  return [...sheetsByFiling].flatMap(([accession, sheetsOfFiling]) =>
    accession === ''
      ? []
      : sheetsOfFiling
          .filter((sheet) => sheetsOfFiling.some((otherSheet) => isEquityComponent(sheet, otherSheet)))
          .flatMap((sheet) => sheet.get('stockholders_equity') ?? []),
  );
}

function isEquityComponent(sheet: BalanceSheet, otherSheet: BalanceSheet): boolean {
  const [equity, retainedEarnings, assets] = getComponentTestAmounts(sheet);
  if (equity === undefined || retainedEarnings === undefined || assets === undefined) return false;
  if (compareDecimals(equity, retainedEarnings) >= 0) return false;
  const [otherEquity, otherRetainedEarnings, otherAssets] = getComponentTestAmounts(otherSheet);
  if (otherEquity === undefined || otherRetainedEarnings === undefined || otherAssets === undefined) return false;
  if (compareDecimals(otherRetainedEarnings, '0') <= 0 || compareDecimals(otherEquity, otherRetainedEarnings) < 0)
    return false;
  return (
    compareDecimals(equity, multiply(otherEquity, MAX_COMPONENT_RATIO)) < 0 &&
    compareDecimals(retainedEarnings, multiply(otherRetainedEarnings, MIN_UNCHANGED_RATIO)) >= 0 &&
    compareDecimals(assets, multiply(otherAssets, MIN_UNCHANGED_RATIO)) >= 0
  );
}

const getComponentTestAmounts = (sheet: BalanceSheet) =>
  [sheet.get('stockholders_equity')?.value, sheet.get('retained_earnings')?.value, sheet.get('assets')?.value] as const;

const SCALE_EXPONENTS = [-9, -6, -3, 3, 6, 9];

/** Returns the amount among assets, liabilities and equity that matches the other two only after a change of scale. */
function findMisscaledParts(balance: BalanceSheet): Fact[] {
  const [assets, liabilities] = [balance.get('assets'), balance.get('liabilities')];
  const equity = balance.get('total_equity') ?? balance.get('stockholders_equity');
  if (assets === undefined || liabilities === undefined || equity === undefined) return [];
  if (isEqual(assets.value, add(liabilities.value, equity.value))) return [];
  const factsWithExpectedValue = [
    { fact: assets, expectedValue: add(liabilities.value, equity.value) },
    { fact: liabilities, expectedValue: subtract(assets.value, equity.value) },
    { fact: equity, expectedValue: subtract(assets.value, liabilities.value) },
  ];
  return factsWithExpectedValue.flatMap(({ fact, expectedValue }) =>
    !isZero(fact.value) &&
    !isNearlyEqual(fact.value, expectedValue, ROUNDING_TOLERANCE) &&
    fitsWhenRescaled(fact.value, expectedValue)
      ? [fact]
      : [],
  );
}

function fitsWhenRescaled(value: Decimal, expectedValue: Decimal): boolean {
  return SCALE_EXPONENTS.some((power) => isNearlyEqual(shiftDecimal(value, power), expectedValue, ROUNDING_TOLERANCE));
}
