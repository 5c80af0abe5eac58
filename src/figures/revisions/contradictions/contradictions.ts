/**
 * Finds facts that other facts of the company show to be wrong, and the day from which they do.
 * A figure as of an earlier day stays the same: later filings do not affect it.
 */

import { absolute, add, multiply, nearlyEqual, subtract } from '../../../contract/decimal.ts';
import { compareDecimals, type Decimal, isEqual, isZero, shiftDecimal } from '../../../contract/decimal-text.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import { formClass } from '../../../edgar/filings/forms.ts';
import { getOrInsert, groupBy } from '../../../platform/collections.ts';
import { type FactSeries, filterSeries } from '../../facts/fact-series.ts';
import { conceptsOf } from '../../metrics/concepts.ts';
import { periodKind } from '../../periods/period-kind.ts';
import { PeriodMap } from '../../periods/period-map.ts';
import type { Split } from '../../shares/splits.ts';
import { type Amounts, amountsBeside } from '../synonyms/amounts-beside.ts';
import { restsShownLater } from '../synonyms/depreciation.ts';
import { isNear, median, misscaledFacts } from './misscaled-facts.ts';
import { judgeShares, misscaledFilings } from './misscaled-shares.ts';
import { partialCosts, staleLines } from './stale-gross-profit.ts';

/** The day of the filing that shows the error, by fact. */
export type Contradictions = ReadonlyMap<Fact, string>;

/** @param series of the concepts that metrics are read from */
export function contradictedFacts(series: readonly FactSeries[], splits: readonly Split[]): Contradictions {
  const reportedSeries = filterSeries(series, ({ form }) => formClass(form) !== null);
  const shares = judgeShares(reportedSeries);
  const plausible =
    shares.wrong.size === 0 ? reportedSeries : filterSeries(reportedSeries, (fact) => !shares.wrong.has(fact));
  const found = misscaledFacts(plausible, splits);
  for (const fact of shares.confirmed) found.delete(fact);
  for (const [fact, day] of restsShownLater(reportedSeries)) if (!found.has(fact)) found.set(fact, day);
  const profits = [...staleLines(reportedSeries), ...partialCosts(reportedSeries)];
  for (const [fact, day] of profits) if (!found.has(fact)) found.set(fact, day);
  const sheets = balances(reportedSeries);
  const shownByFiling = [
    ...misscaledFilings(reportedSeries, shares.filings),
    ...partsAboveTheirWhole(reportedSeries),
    ...expensesAboveAll(reportedSeries),
    ...sheets.flatMap(wrongOnBalanceSheet),
    ...componentsOfEquity(sheets),
  ];
  for (const fact of shownByFiling) found.set(fact, fact.filed);
  for (const [fact, day] of shares.wrong) found.set(fact, day);
  return found;
}

/**
 * Flows that only accumulate within a year. Compensation in shares is not one: it is reversed when shares are
 * forfeited.
 */
const CUMULATIVE: ReadonlySet<string> = new Set([
  'revenue',
  'cost_of_revenue',
  'capital_expenditures',
  'dividends_paid',
  'dividends_per_share',
  'share_repurchases',
]);
const TWICE: Decimal = '2';

/** Maximum factor between an amount and those of other periods of the same length that support it. */
const NEAR_OTHERS: Decimal = '3';

/**
 * In one filing, finds an amount for some months that is more than twice that of a longer period around them. The one
 * that other periods do not support is wrong; if they support neither or both, either may be.
 */
function partsAboveTheirWhole(series: readonly FactSeries[]): Fact[] {
  return series.filter(isCumulative).flatMap(({ facts }) => {
    const filings = groupBy(facts, ({ accession }) => accession);
    return [...filings.values()].flatMap((reportedFacts) =>
      reportedFacts.flatMap((wholeFact) =>
        reportedFacts
          .filter((part) => isWithin(part, wholeFact) && isAboveTwice(part.value, absolute(wholeFact.value)))
          .flatMap((part) => {
            const unsupported = [wholeFact, part].filter((fact) => !isSupported(fact, facts));
            return unsupported.length === 0 ? [wholeFact, part] : unsupported;
          }),
      ),
    );
  });
}

function isAboveTwice(a: Decimal, b: Decimal): boolean {
  return compareDecimals(a, b) > 0 && compareDecimals(a, multiply(b, TWICE)) > 0;
}

/** @param facts of the concept and unit */
function isSupported(fact: Fact, facts: readonly Fact[]): boolean {
  const kind = periodKind(fact.start, fact.end);
  const otherFacts = facts.filter(
    (otherFact) =>
      otherFact.end !== fact.end &&
      otherFact.filed <= fact.filed &&
      periodKind(otherFact.start, otherFact.end) === kind,
  );
  return (
    otherFacts.length > 0 && isNear(fact.value, median(otherFacts.map(({ value }) => absolute(value))), NEAR_OTHERS)
  );
}

function isCumulative({ mappings }: FactSeries): boolean {
  return mappings.some(({ metricKey }) => CUMULATIVE.has(metricKey));
}

function isWithin(part: Fact, wholeFact: Fact): boolean {
  if (part === wholeFact || part.start === null || wholeFact.start === null) return false;
  return part.start >= wholeFact.start && part.end <= wholeFact.end;
}

/** Expenses that a filing reports with its revenue and net income. */
const EXPENSES: ReadonlySet<string> = new Set([
  'share_based_compensation',
  'depreciation_and_amortization',
  'research_and_development',
  'selling_general_and_administrative',
]);
const [REVENUES, INCOMES] = ['revenue', 'net_income'].map((key) => conceptsOf(key).map(({ concept }) => concept));
/** Maximum multiple of revenue and net income together: gains in neither of them do not pay for larger expenses. */
const MAX_MULTIPLE_OF_BOTH: Decimal = '3';

/** An expense is paid from revenue or is part of the loss: one far above both together has a wrong scale. */
function expensesAboveAll(series: readonly FactSeries[]): Fact[] {
  const beside = amountsBeside(series);
  const largestOf = (concepts: readonly string[] = [], amounts: Amounts) => {
    const found = concepts.flatMap((concept) => amounts.get(concept) ?? []).map(absolute);
    return found.reduce<Decimal | null>(
      (most, one) => (most === null || compareDecimals(one, most) > 0 ? one : most),
      null,
    );
  };
  const expenses = series.filter(({ mappings }) => mappings.some(({ metricKey }) => EXPENSES.has(metricKey)));
  return expenses.flatMap(({ facts }) =>
    facts.filter((fact) => {
      const amounts = beside(fact);
      const isAbove = (amount: Decimal) => compareDecimals(fact.value, multiply(amount, MAX_MULTIPLE_OF_BOTH)) > 0;
      const revenue = largestOf(REVENUES, amounts);
      if (revenue === null || !isAbove(revenue)) return false;
      const income = largestOf(INCOMES, amounts);
      return income !== null && isAbove(add(revenue, income));
    }),
  );
}

/** One filing's facts for one day, by metric, with the best concept of each. */
type Balance = ReadonlyMap<string, Fact>;

const OF_BALANCES = [
  'assets',
  'current_assets',
  'cash_and_equivalents',
  'liabilities',
  'current_liabilities',
  'total_equity',
  'stockholders_equity',
  'retained_earnings',
];

function balances(series: readonly FactSeries[]): Balance[] {
  const found: Map<string, Fact>[] = [];
  const places = new Map<string, Map<string, PeriodMap<Map<string, Fact>>>>();
  for (const { mappings, unit, facts } of series) {
    const filings = getOrInsert(places, unit, () => new Map<string, PeriodMap<Map<string, Fact>>>());
    for (const { metricKey, priority } of mappings) {
      if (priority > 1 || !OF_BALANCES.includes(metricKey)) continue;
      for (const fact of facts) {
        if (fact.start !== null) continue;
        const days = getOrInsert(filings, fact.accession, () => new PeriodMap<Map<string, Fact>>());
        let balance = days.get(fact);
        if (balance === undefined) {
          balance = new Map();
          days.set(fact, balance);
          found.push(balance);
        }
        balance.set(metricKey, fact);
      }
    }
  }
  return found;
}

function wrongOnBalanceSheet(balance: Balance): Fact[] {
  return [...emptyTotals(balance), ...componentAsTotal(balance), ...misscaledPart(balance)];
}

const PARTS: readonly (readonly [total: string, parts: readonly string[]])[] = [
  ['assets', ['current_assets', 'cash_and_equivalents', 'liabilities', 'current_liabilities']],
  ['current_assets', ['cash_and_equivalents']],
  ['liabilities', ['current_liabilities']],
];

/** A total of zero when a part of it is not zero. */
function emptyTotals(balance: Balance): Fact[] {
  return PARTS.flatMap(([name, parts]) => {
    const total = balance.get(name);
    if (total === undefined || !isZero(total.value)) return [];
    return parts.some((part) => compareDecimals(balance.get(part)?.value ?? '0', '0') > 0) ? [total] : [];
  });
}

/** Minimum ratio of total equity to the parent's own: no known noncontrolling interests reduce it further. */
const MIN_SHARE_OF_EQUITY: Decimal = '0.5';

/** Total equity far below the parent's own is a component that was tagged as the total. */
function componentAsTotal(balance: Balance): Fact[] {
  const [total, parent] = [balance.get('total_equity'), balance.get('stockholders_equity')];
  if (total === undefined || parent === undefined || compareDecimals(parent.value, '0') <= 0) return [];
  return compareDecimals(total.value, multiply(parent.value, MIN_SHARE_OF_EQUITY)) < 0 ? [total] : [];
}

/** Minimum share of equity that remains while earnings and assets are unchanged, except for treasury stock. */
const FALLEN: Decimal = '0.34';
const KEPT: Decimal = '0.8';

/**
 * A component of equity that a filing tags as the total: on another day of the same filing, equity exceeds retained
 * earnings and is three times this amount, while neither earnings nor assets fell.
 */
function componentsOfEquity(sheets: readonly Balance[]): Fact[] {
  const filings = groupBy(sheets, (sheet) => sheet.get('stockholders_equity')?.accession ?? '');
  return [...filings].flatMap(([accession, ownBalances]) =>
    accession === ''
      ? []
      : ownBalances
          .filter((sheet) => ownBalances.some((otherFacts) => isComponent(sheet, otherFacts)))
          .flatMap((sheet) => sheet.get('stockholders_equity') ?? []),
  );
}

function isComponent(sheet: Balance, otherFacts: Balance): boolean {
  const amountOf = (balance: Balance, key: string) => balance.get(key)?.value;
  const [equity, earnings, assets] = OF_COMPONENT.map((key) => amountOf(sheet, key));
  const [equityThen, earningsThen, assetsThen] = OF_COMPONENT.map((key) => amountOf(otherFacts, key));
  if (equity === undefined || earnings === undefined || assets === undefined) return false;
  if (equityThen === undefined || earningsThen === undefined || assetsThen === undefined) return false;
  if (compareDecimals(earningsThen, '0') <= 0 || compareDecimals(equityThen, earningsThen) < 0) return false;
  return (
    compareDecimals(equity, multiply(equityThen, FALLEN)) < 0 &&
    compareDecimals(equity, earnings) < 0 &&
    compareDecimals(earnings, multiply(earningsThen, KEPT)) >= 0 &&
    compareDecimals(assets, multiply(assetsThen, KEPT)) >= 0
  );
}

const OF_COMPONENT = ['stockholders_equity', 'retained_earnings', 'assets'];

const POWERS = [-9, -6, -3, 3, 6, 9];
const ROUNDED: Decimal = '0.01';

/** The one of assets, liabilities and equity that matches the other two only in another scale. */
function misscaledPart(balance: Balance): Fact[] {
  const [assets, liabilities] = [balance.get('assets'), balance.get('liabilities')];
  const equity = balance.get('total_equity') ?? balance.get('stockholders_equity');
  if (assets === undefined || liabilities === undefined || equity === undefined) return [];
  if (isEqual(assets.value, add(liabilities.value, equity.value))) return [];
  const rests = [
    { fact: assets, rest: add(liabilities.value, equity.value) },
    { fact: liabilities, rest: subtract(assets.value, equity.value) },
    { fact: equity, rest: subtract(assets.value, liabilities.value) },
  ];
  return rests.flatMap(({ fact, rest }) =>
    !isZero(fact.value) && !nearlyEqual(fact.value, rest, ROUNDED) && fitsInOtherScale(fact.value, rest) ? [fact] : [],
  );
}

function fitsInOtherScale(value: Decimal, rest: Decimal): boolean {
  return POWERS.some((power) => nearlyEqual(shiftDecimal(value, power), rest, ROUNDED));
}
