/**
 * Detects amounts that are only a part of their metric, or include more than the metric: other amounts of the same
 * filing show that the metric's value is higher or lower.
 */
import { compareText } from '../../contract/compare-text.ts';
import { add, isNearlyEqual, multiply, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isNegative, isZero } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { countDaysBetween, findLastItemBy } from '../../platform/dates.ts';
import { createFirstDayFinder, type FactSeries, findFirstMatchingFilingDay } from '../facts/fact-series.ts';
import { listMappingsOfMetric } from '../metrics/concepts.ts';
import type { Candidate } from './candidates.ts';
import type { AmountChooser, AmountLookup, FilingAmounts } from './filing-amounts.ts';
import {
  type CandidateChoice,
  type FilingCandidates,
  isNonEmpty,
  preferNonZeroCandidates,
  putBestFirst,
} from './filing-candidates.ts';

/** Concepts that each metric includes. An amount below the amount of an included concept is not the metric's value. */
const INCLUDED_CONCEPTS_BY_METRIC: Readonly<Record<string, readonly string[]>> = {
  selling_general_and_administrative: [
    'GeneralAndAdministrativeExpense',
    'SellingAndMarketingExpense',
    'AdministrativeExpense',
  ],
  operating_expenses: [
    'ResearchAndDevelopmentExpense',
    'SellingGeneralAndAdministrativeExpense',
    'GeneralAndAdministrativeExpense',
    'SellingAndMarketingExpense',
  ],
  intangible_assets: ['FiniteLivedIntangibleAssetsNet'],
  short_term_debt: ['LongTermDebtCurrent', 'ShortTermBorrowings', 'CommercialPaper'],
};

/** Concepts that only banks report. Net interest is not listed, because other companies report net interest, too. */
const BANK_CONCEPTS = [
  'InterestAndDividendIncomeOperating',
  'RevenuesNetOfInterestExpense',
  'ProvisionForLoanLeaseAndOtherLosses',
  'ProvisionForLoanAndLeaseLosses',
];

const FINITE_LIVED_CONCEPT = 'FiniteLivedIntangibleAssetsNet';
const INDEFINITE_LIVED_CONCEPT = 'IndefiniteLivedIntangibleAssetsExcludingGoodwill';

const OPERATING_INCOME_CONCEPT = 'OperatingIncomeLoss';
const INCOME_TAX_CONCEPT = 'IncomeTaxExpenseBenefit';
const [DOMESTIC_CONCEPT, FOREIGN_CONCEPT] = ['Domestic', 'Foreign'].map(
  (region) => `IncomeLossFromContinuingOperationsBeforeIncomeTaxes${region}`,
) as [string, string];
const PRETAX_INCOME_CONCEPTS = listMappingsOfMetric('pretax_income').map(({ concept }) => concept);
const NET_INTEREST_CONCEPT = 'InterestIncomeExpenseNet';
const FINISHED_GOODS_CONCEPT = 'InventoryFinishedGoodsNetOfReserves';
const DEFERRED_REVENUE_CONCEPT = 'DeferredRevenueCurrent';
const CONTRACT_LIABILITIES_CONCEPT = 'ContractWithCustomerLiabilityCurrent';
const ASSETS_CONCEPT = 'Assets';
/** Maximum age in days of an interim report that shows which concept the company uses. */
const MAX_INTERIM_AGE_DAYS = 400;
/** Maximum relative difference between amounts that count as equal. */
const EQUALITY_TOLERANCE: Decimal = '0.005';
/** Concepts of income after tax. Income before tax equals the value of one of these concepts plus tax. */
const AFTER_TAX_INCOME_CONCEPTS = [
  'ProfitLoss',
  'NetIncomeLoss',
  'IncomeLossFromContinuingOperations',
  'IncomeLossFromContinuingOperationsIncludingPortionAttributableToNoncontrollingInterest',
];
const REVENUE_CONCEPTS = [
  'Revenues',
  'RevenueFromContractWithCustomerExcludingAssessedTax',
  'RevenueFromContractWithCustomerIncludingAssessedTax',
  'SalesRevenueNet',
];
const GROSS_PROFIT_CONCEPT = 'GrossProfit';
const COST_OR_PROFIT_CONCEPTS = [
  'CostOfRevenue',
  'CostOfGoodsAndServicesSold',
  'CostOfGoodsSold',
  GROSS_PROFIT_CONCEPT,
];

/** Minimum ratio of a total to one of its parts: both are rounded, so the total may be slightly smaller. */
const MIN_ROUNDED_RATIO: Decimal = '0.99';

/** Concepts of total equity, and of the noncontrolling interests that it includes. */
const NONCONTROLLING_CONCEPT_BY_TOTAL_EQUITY: ReadonlyMap<string, string> = new Map([
  ['StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest', 'MinorityInterest'],
  ['Equity', 'NoncontrollingInterests'],
]);

/** Returns the choosers of metrics whose amounts may be partial, by metric. */
export function createPartialAmountChoosers(
  series: readonly FactSeries[],
  findAmounts: AmountLookup,
): ReadonlyMap<string, AmountChooser> {
  return new Map<string, AmountChooser>([
    ...Object.keys(INCLUDED_CONCEPTS_BY_METRIC).map((key): [string, AmountChooser] => [key, chooseUnlessBelowParts]),
    ['intangible_assets', chooseIntangibles],
    ['operating_expenses', createOperatingExpensesChooser(series)],
    ['net_interest_income', chooseNetInterest],
    ['interest_expense', createInterestExpenseChooser(series)],
    ['pretax_income', createPretaxChooser(series)],
    ...createPretaxRegionChoosers(series, findAmounts),
    ['inventories', createInventoryChooser(series)],
    // Inventories in production never become a figure; their amounts only show that finished goods are a part of all
    // inventories.
    ['inventories_in_production', () => null],
    ['deferred_revenue', createDeferredRevenueChooser(series, findAmounts)],
    ['liabilities', createLiabilitiesChooser(series)],
    ['stockholders_equity', createParentEquityChooser(series)],
  ]);
}

/**
 * Returns a chooser that rejects total equity of a day with noncontrolling interests, which are not the parent's. If
 * the filing does not state them, as later statements of changes in equity do not, the filings before it count.
 */
function createParentEquityChooser(series: readonly FactSeries[]): AmountChooser {
  const noncontrollingConcepts = new Set(NONCONTROLLING_CONCEPT_BY_TOTAL_EQUITY.values());
  const noncontrollingSeries = series.filter(({ concept }) => noncontrollingConcepts.has(concept));
  const findFirstNonzeroDay = createFirstDayFinder(({ value }) => !isZero(value));
  const isIncludingNoncontrolling = ({ fact }: Candidate, amounts: FilingAmounts): boolean => {
    const noncontrollingConcept = NONCONTROLLING_CONCEPT_BY_TOTAL_EQUITY.get(fact.concept);
    if (noncontrollingConcept === undefined) return false;
    const noncontrollingAmount = amounts.get(noncontrollingConcept);
    if (noncontrollingAmount !== undefined) return !isZero(noncontrollingAmount);
    return noncontrollingSeries.some((factSeries) => {
      if (factSeries.concept !== noncontrollingConcept || factSeries.unit !== fact.unit) return false;
      const firstDay = findFirstNonzeroDay(factSeries.getPeriod(fact));
      return firstDay !== null && firstDay < fact.filed;
    });
  };
  return (candidates, amounts) => {
    const parentCandidates = candidates.filter((candidate) => !isIncludingNoncontrolling(candidate, amounts));
    return isNonEmpty(parentCandidates)
      ? putBestFirst(preferNonZeroCandidates(parentCandidates))
      : 'total equity that includes noncontrolling interests';
  };
}

function chooseUnlessBelowParts(candidates: FilingCandidates, amounts: FilingAmounts): CandidateChoice {
  const totalCandidates = candidates.filter(({ fact, mapping }) =>
    (INCLUDED_CONCEPTS_BY_METRIC[mapping.metricKey] ?? []).every((concept) => {
      const includedAmount = amounts.get(concept);
      return (
        includedAmount === undefined || compareDecimals(fact.value, multiply(includedAmount, MIN_ROUNDED_RATIO)) >= 0
      );
    }),
  );
  return isNonEmpty(totalCandidates)
    ? putBestFirst(preferNonZeroCandidates(totalCandidates))
    : 'a total that is less than one of its parts';
}

/**
 * Chooses intangible assets. Finite-lived assets are the total only if the filing reports no indefinite-lived assets.
 */
function chooseIntangibles(candidates: FilingCandidates, amounts: FilingAmounts): CandidateChoice {
  const totalCandidates = candidates.filter(
    ({ fact }) => fact.concept !== FINITE_LIVED_CONCEPT || !amounts.has(INDEFINITE_LIVED_CONCEPT),
  );
  return isNonEmpty(totalCandidates)
    ? chooseUnlessBelowParts(totalCandidates, amounts)
    : 'finite-lived intangible assets in a filing that also has indefinite-lived ones';
}

/**
 * Returns a chooser that rejects expenses that equal revenue less operating income, because such expenses include the
 * cost of revenue, if this filing or an earlier one states a cost or a gross profit.
 */
function createOperatingExpensesChooser(series: readonly FactSeries[]): AmountChooser {
  const costOrProfitSeries = series.filter(({ concept }) => COST_OR_PROFIT_CONCEPTS.includes(concept));
  const findFirstDay = createFirstDayFinder(() => true);
  const hasCost = (fact: Fact) => costOrProfitSeries.some((factSeries) => isStatedBy(factSeries, fact, findFirstDay));
  const includesCost = (fact: Fact, amounts: FilingAmounts) => {
    const operatingIncome = amounts.get(OPERATING_INCOME_CONCEPT);
    if (operatingIncome === undefined) return false;
    const leavesIncome = (amount: Decimal | undefined) =>
      amount !== undefined && subtract(amount, fact.value) === operatingIncome;
    if (leavesIncome(amounts.get(GROSS_PROFIT_CONCEPT))) return false;
    return REVENUE_CONCEPTS.some((concept) => leavesIncome(amounts.get(concept))) && hasCost(fact);
  };
  return (candidates, amounts) => {
    const candidatesWithoutCost = candidates.filter(({ fact }) => !includesCost(fact, amounts));
    return isNonEmpty(candidatesWithoutCost)
      ? chooseUnlessBelowParts(candidatesWithoutCost, amounts)
      : 'operating expenses that include the cost of revenue';
  };
}

function chooseNetInterest(candidates: FilingCandidates, amounts: FilingAmounts): CandidateChoice {
  return BANK_CONCEPTS.some((concept) => amounts.has(concept))
    ? putBestFirst(candidates)
    : 'net interest income of a company that is not a bank';
}

/** Returns a chooser that rejects an interest expense of zero if filings report net interest paid for the period. */
function createInterestExpenseChooser(series: readonly FactSeries[]): AmountChooser {
  const netInterestSeries = series.filter(({ concept }) => concept === NET_INTEREST_CONCEPT);
  const findFirstPaidDay = createFirstDayFinder(({ value }) => isNegative(value));
  const isNetInterestPaid = (fact: Fact) =>
    netInterestSeries.some((factSeries) => isStatedBy(factSeries, fact, findFirstPaidDay));
  return (candidates) => {
    const possibleCandidates = preferNonZeroCandidates(candidates);
    const [{ fact }] = possibleCandidates;
    return isZero(fact.value) && isNetInterestPaid(fact)
      ? 'an interest expense of zero in a period with net interest paid'
      : putBestFirst(possibleCandidates);
  };
}

/**
 * Returns a chooser among several amounts of income before tax. Chooses the amount whose concept recent quarterly
 * reports use: another amount, from a note, may include income of equity-method companies. Otherwise chooses the amount
 * that equals income after tax plus tax.
 */
function createPretaxChooser(series: readonly FactSeries[]): AmountChooser {
  const filingDaysByConcept = new Map<string, string[]>();
  for (const { concept, facts } of series.filter(({ mappings }) =>
    mappings.some(({ metricKey }) => metricKey === 'pretax_income'),
  )) {
    filingDaysByConcept.set(
      concept,
      facts
        .filter(({ form }) => form.startsWith('10-Q'))
        .map(({ filed }) => filed)
        .sort(),
    );
  }
  const isUsedInQuarterlyReports = ({ fact }: Candidate) => {
    const filingDays = filingDaysByConcept.get(fact.concept) ?? [];
    const lastFilingDay = findLastItemBy(filingDays, (filed) => filed, fact.filed);
    return lastFilingDay !== undefined && countDaysBetween(lastFilingDay, fact.filed) < MAX_INTERIM_AGE_DAYS;
  };
  return (candidates, amounts) => {
    if (candidates.length > 1) {
      const quarterlyReportCandidates = candidates.filter(isUsedInQuarterlyReports);
      if (quarterlyReportCandidates.length === 1 && isNonEmpty(quarterlyReportCandidates))
        return quarterlyReportCandidates;
    }
    const tax = amounts.get(INCOME_TAX_CONCEPT);
    const matchingCandidates = candidates.filter(
      ({ fact }) =>
        tax !== undefined &&
        AFTER_TAX_INCOME_CONCEPTS.some((concept) => isIncomePlusTax(fact.value, tax, amounts.get(concept))),
    );
    return putBestFirst(preferNonZeroCandidates(isNonEmpty(matchingCandidates) ? matchingCandidates : candidates));
  };
}

/**
 * Returns choosers of domestic and foreign income before tax, which replace a missing total. They choose nothing if the
 * filing states the total, or if the filing or an earlier one shows a total that differs from the sum of both.
 */
function createPretaxRegionChoosers(
  series: readonly FactSeries[],
  findAmounts: AmountLookup,
): [string, AmountChooser][] {
  const firstDifferenceDay = findFirstMatchingFilingDay(series, DOMESTIC_CONCEPT, (fact) => {
    const amounts = findAmounts(fact);
    const foreignIncome = amounts.get(FOREIGN_CONCEPT);
    const totalAmounts = PRETAX_INCOME_CONCEPTS.flatMap((concept) => amounts.get(concept) ?? []);
    return (
      foreignIncome !== undefined &&
      totalAmounts.length > 0 &&
      !totalAmounts.some((total) => isNearlyEqual(total, add(fact.value, foreignIncome), EQUALITY_TOLERANCE))
    );
  });
  const chooseRegionalIncome: AmountChooser = (candidates, amounts) => {
    const { filed } = candidates[0].fact;
    if (firstDifferenceDay !== null && firstDifferenceDay <= filed) return null;
    return PRETAX_INCOME_CONCEPTS.some((concept) => amounts.has(concept)) ? null : candidates;
  };
  return [
    ['pretax_income_domestic', chooseRegionalIncome],
    ['pretax_income_foreign', chooseRegionalIncome],
  ];
}

/**
 * Returns a chooser of inventories. Finished goods are the total only if the filing reports no total and no other
 * inventories.
 */
function createInventoryChooser(series: readonly FactSeries[]): AmountChooser {
  const otherInventorySeries = series.filter(
    ({ concept, mappings }) =>
      concept !== FINISHED_GOODS_CONCEPT &&
      mappings.some(({ metricKey }) => metricKey === 'inventories' || metricKey === 'inventories_in_production'),
  );
  const filingsWithOtherInventories = new Set(
    otherInventorySeries.flatMap(({ facts }) => facts.map(({ accession }) => accession)),
  );
  return (candidates) => {
    const possibleCandidates = candidates.filter(
      ({ fact }) => fact.concept !== FINISHED_GOODS_CONCEPT || !filingsWithOtherInventories.has(fact.accession),
    );
    return isNonEmpty(possibleCandidates)
      ? putBestFirst(preferNonZeroCandidates(possibleCandidates))
      : 'finished goods of a company that also has other inventories';
  };
}

/**
 * Returns a chooser that rejects deferred revenue if it is only a part of contract liabilities: contract liabilities
 * are larger in the filer's last filing with both amounts.
 */
function createDeferredRevenueChooser(series: readonly FactSeries[], findAmounts: AmountLookup): AmountChooser {
  const deferredRevenueComparisons = series
    .filter(({ concept }) => concept === DEFERRED_REVENUE_CONCEPT)
    .flatMap(({ facts }) =>
      facts.flatMap((fact) => {
        const contractLiabilities = findAmounts(fact).get(CONTRACT_LIABILITIES_CONCEPT);
        return contractLiabilities === undefined
          ? []
          : [
              {
                filed: fact.filed,
                isPart: compareDecimals(fact.value, multiply(contractLiabilities, MIN_ROUNDED_RATIO)) < 0,
              },
            ];
      }),
    )
    .sort((a, b) => compareText(a.filed, b.filed));
  return (candidates) => {
    const isPart = ({ fact }: Candidate) =>
      fact.concept === DEFERRED_REVENUE_CONCEPT &&
      findLastItemBy(deferredRevenueComparisons, ({ filed }) => filed, fact.filed)?.isPart === true;
    const totalCandidates = candidates.filter((candidate) => !isPart(candidate));
    return isNonEmpty(totalCandidates)
      ? putBestFirst(preferNonZeroCandidates(totalCandidates))
      : 'deferred revenue that is only a part of contract liabilities';
  };
}

/**
 * Returns a chooser that rejects total liabilities that are not from a balance sheet: their filing does not state total
 * assets of the day, although another filing already did.
 */
function createLiabilitiesChooser(series: readonly FactSeries[]): AmountChooser {
  const assetSeries = series.filter(({ concept }) => concept === ASSETS_CONCEPT);
  const findFirstDay = createFirstDayFinder(() => true);
  return (candidates, amounts) => {
    const { fact } = candidates[0];
    const areAssetsReported = assetSeries.some((factSeries) => isStatedBy(factSeries, fact, findFirstDay));
    if (areAssetsReported && !amounts.has(ASSETS_CONCEPT))
      return 'liabilities in a filing that does not state the assets of the same date';
    return putBestFirst(preferNonZeroCandidates(candidates));
  };
}

/** Whether a series has a matching fact of the fact's unit and period by the fact's filing day. */
function isStatedBy(
  factSeries: FactSeries,
  fact: Fact,
  findFirstDay: ReturnType<typeof createFirstDayFinder>,
): boolean {
  if (factSeries.unit !== fact.unit) return false;
  const firstDay = findFirstDay(factSeries.getPeriod(fact));
  return firstDay !== null && firstDay <= fact.filed;
}

function isIncomePlusTax(pretaxIncome: Decimal, tax: Decimal, income: Decimal | undefined): boolean {
  return income !== undefined && add(income, tax) === pretaxIncome;
}
