/** Finds amounts that the same filing shows to be a part of their tagged concept, or to include more. */
import { compareText } from '../../../contract/compare-text.ts';
import { add, multiply, nearlyEqual, subtract } from '../../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero } from '../../../contract/decimal-text.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import { daysBetween } from '../../../platform/dates.ts';
import { type FactSeries, firstFiled } from '../../facts/fact-series.ts';
import { conceptsOf } from '../../metrics/concepts.ts';
import type { AmountChooser, Amounts, AmountsBeside } from './amounts-beside.ts';
import type { Candidate } from './candidates.ts';
import { bestFirst, type Choice, type FilingCandidates, isFilled, withoutZeros } from './filing-candidates.ts';

/** Concepts that each metric includes: an amount below one of them is not the metric. */
const INCLUDED: Readonly<Record<string, readonly string[]>> = {
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

/** Concepts of banks: other companies also report net interest, but none of these. */
const OF_BANKS = [
  'InterestAndDividendIncomeOperating',
  'RevenuesNetOfInterestExpense',
  'ProvisionForLoanLeaseAndOtherLosses',
  'ProvisionForLoanAndLeaseLosses',
];

const FINITE_LIVED = 'FiniteLivedIntangibleAssetsNet';
const INDEFINITE_LIVED = 'IndefiniteLivedIntangibleAssetsExcludingGoodwill';

const OPERATING_INCOME = 'OperatingIncomeLoss';
const TAX = 'IncomeTaxExpenseBenefit';
const [DOMESTIC, FOREIGN] = ['Domestic', 'Foreign'].map(
  (half) => `IncomeLossFromContinuingOperationsBeforeIncomeTaxes${half}`,
) as [string, string];
const PRETAX = conceptsOf('pretax_income').map(({ concept }) => concept);
const NET_INTEREST = 'InterestIncomeExpenseNet';
const FINISHED_GOODS = 'InventoryFinishedGoodsNetOfReserves';
const DEFERRED = 'DeferredRevenueCurrent';
const CONTRACT_LIABILITIES = 'ContractWithCustomerLiabilityCurrent';
const ASSETS = 'Assets';
/** Interim reports of this many days before show which line a company reports. */
const YEAR_DAYS = 400;
/** Maximum difference of amounts that count as equal, as a share. */
const SAME: Decimal = '0.005';
/** Lines of which one is the rest of income before tax. */
const INCOMES = [
  'ProfitLoss',
  'NetIncomeLoss',
  'IncomeLossFromContinuingOperations',
  'IncomeLossFromContinuingOperationsIncludingPortionAttributableToNoncontrollingInterest',
];
const REVENUES = [
  'Revenues',
  'RevenueFromContractWithCustomerExcludingAssessedTax',
  'RevenueFromContractWithCustomerIncludingAssessedTax',
  'SalesRevenueNet',
];
const PRODUCTION = ['CostOfRevenue', 'CostOfGoodsAndServicesSold', 'CostOfGoodsSold', 'GrossProfit'];

/** Minimum ratio of a rounded amount to its rounded parts. */
const ROUNDED: Decimal = '0.99';

/** The choosers of metrics with such rules, by metric. */
export function partChoosers(series: readonly FactSeries[], beside: AmountsBeside): ReadonlyMap<string, AmountChooser> {
  return new Map<string, AmountChooser>([
    ...Object.keys(INCLUDED).map((key): [string, AmountChooser] => [key, withoutParts]),
    ['intangible_assets', chooseIntangibles],
    ['operating_expenses', chooseOperatingExpenses],
    ['net_interest_income', chooseInterest],
    ['interest_expense', interestChooser(series)],
    ['pretax_income', pretaxChooser(series)],
    ...halvesOfPretax(series, beside),
    ['inventories', inventoryChooser(series)],
    // Used only to show that finished goods are not all inventories.
    ['inventories_in_production', () => null],
    ['deferred_revenue', deferredRevenueChooser(series, beside)],
    ['liabilities', liabilitiesChooser(series)],
  ]);
}

function withoutParts(candidates: FilingCandidates, amounts: Amounts): Choice {
  const wholeCandidates = candidates.filter(({ fact, mapping }) =>
    (INCLUDED[mapping.metricKey] ?? []).every((concept) => {
      const part = amounts.get(concept);
      return part === undefined || compareDecimals(fact.value, multiply(part, ROUNDED)) >= 0;
    }),
  );
  return isFilled(wholeCandidates)
    ? bestFirst(withoutZeros(wholeCandidates))
    : 'a total that is less than one of its parts';
}

/** Finite-lived intangible assets are the total only if the filing has no others. */
function chooseIntangibles(candidates: FilingCandidates, amounts: Amounts): Choice {
  const wholeCandidates = candidates.filter(
    ({ fact }) => fact.concept !== FINITE_LIVED || !amounts.has(INDEFINITE_LIVED),
  );
  return isFilled(wholeCandidates)
    ? withoutParts(wholeCandidates, amounts)
    : 'finite-lived intangible assets in a filing that also has indefinite-lived ones';
}

/** Revenue less operating income is all costs, including the cost of revenue. */
function chooseOperatingExpenses(candidates: FilingCandidates, amounts: Amounts): Choice {
  const expenses = candidates.filter(({ fact }) => {
    const income = amounts.get(OPERATING_INCOME);
    if (income === undefined || !PRODUCTION.some((concept) => amounts.has(concept))) return true;
    return REVENUES.every((concept) => {
      const revenue = amounts.get(concept);
      return revenue === undefined || subtract(revenue, fact.value) !== income;
    });
  });
  return isFilled(expenses) ? withoutParts(expenses, amounts) : 'operating expenses that include the cost of revenue';
}

function chooseInterest(candidates: FilingCandidates, amounts: Amounts): Choice {
  return OF_BANKS.some((concept) => amounts.has(concept))
    ? bestFirst(candidates)
    : 'net interest income of a company that is not a bank';
}

/** A zero expense is ignored if the filing reports net interest for the period. */
function interestChooser(series: readonly FactSeries[]): AmountChooser {
  const net = series.filter(({ concept }) => concept === NET_INTEREST);
  const isPaid = ({ unit, start, end, filed }: Fact) =>
    net.some((one) => {
      const reportedFacts = one.unit === unit ? (one.of({ start, end })?.facts ?? []) : [];
      return reportedFacts.some((fact) => fact.filed <= filed && fact.value.startsWith('-') && !isZero(fact.value));
    });
  return (candidates) => {
    const possible = withoutZeros(candidates);
    const [{ fact }] = possible;
    return isZero(fact.value) && isPaid(fact)
      ? 'an interest expense of zero in a period with net interest paid'
      : bestFirst(possible);
  };
}

/**
 * Statements have several lines before tax; the one that tax is taken from is meant. If income of equity-method
 * companies follows that line, a note's sum of both matches too: then the line that quarterly reports use is meant.
 */
function pretaxChooser(series: readonly FactSeries[]): AmountChooser {
  const lines = new Map<string, string[]>();
  for (const { concept, facts } of series.filter(({ mappings }) =>
    mappings.some(({ metricKey }) => metricKey === 'pretax_income'),
  )) {
    lines.set(
      concept,
      facts
        .filter(({ form }) => form.startsWith('10-Q'))
        .map(({ filed }) => filed)
        .sort(),
    );
  }
  const isOfQuarters = ({ fact }: Candidate) => {
    const last = lines.get(fact.concept)?.findLast((filed) => filed <= fact.filed);
    return last !== undefined && daysBetween(last, fact.filed) < YEAR_DAYS;
  };
  return (candidates, amounts) => {
    if (candidates.length > 1) {
      const ofQuarters = candidates.filter(isOfQuarters);
      if (ofQuarters.length === 1 && isFilled(ofQuarters)) return ofQuarters;
    }
    const tax = amounts.get(TAX);
    const taxed = candidates.filter(
      ({ fact }) => tax !== undefined && INCOMES.some((concept) => isRest(fact.value, tax, amounts.get(concept))),
    );
    return bestFirst(withoutZeros(isFilled(taxed) ? taxed : candidates));
  };
}

/** Domestic plus foreign income before tax is the total unless a filing of the company shows more. */
function halvesOfPretax(series: readonly FactSeries[], beside: AmountsBeside): [string, AmountChooser][] {
  const differsSince = firstFiled(series, DOMESTIC, (fact) => {
    const amounts = beside(fact);
    const foreign = amounts.get(FOREIGN);
    const totals = PRETAX.flatMap((concept) => amounts.get(concept) ?? []);
    return (
      foreign !== undefined &&
      totals.length > 0 &&
      !totals.some((total) => nearlyEqual(total, add(fact.value, foreign), SAME))
    );
  });
  const choose: AmountChooser = (candidates, amounts) => {
    const { filed } = candidates[0].fact;
    if (differsSince !== null && differsSince <= filed) return null;
    return PRETAX.some((concept) => amounts.has(concept)) ? null : candidates;
  };
  return [
    ['pretax_income_domestic', choose],
    ['pretax_income_foreign', choose],
  ];
}

/** Finished goods are all inventories of a filing without other inventories and without a total. */
function inventoryChooser(series: readonly FactSeries[]): AmountChooser {
  const otherSeries = series.filter(
    ({ concept, mappings }) =>
      concept !== FINISHED_GOODS &&
      mappings.some(({ metricKey }) => metricKey === 'inventories' || metricKey === 'inventories_in_production'),
  );
  const filings = new Set(otherSeries.flatMap(({ facts }) => facts.map(({ accession }) => accession)));
  return (candidates) => {
    const possibleCandidates = candidates.filter(
      ({ fact }) => fact.concept !== FINISHED_GOODS || !filings.has(fact.accession),
    );
    return isFilled(possibleCandidates)
      ? bestFirst(withoutZeros(possibleCandidates))
      : 'finished goods of a company that also has other inventories';
  };
}

/** Deferred revenue is only a part for a filer whose last filing with both has larger contract liabilities. */
function deferredRevenueChooser(series: readonly FactSeries[], beside: AmountsBeside): AmountChooser {
  const compared = series
    .filter(({ concept }) => concept === DEFERRED)
    .flatMap(({ facts }) =>
      facts.flatMap((fact) => {
        const all = beside(fact).get(CONTRACT_LIABILITIES);
        return all === undefined
          ? []
          : [{ filed: fact.filed, isPart: compareDecimals(fact.value, multiply(all, ROUNDED)) < 0 }];
      }),
    )
    .sort((a, b) => compareText(a.filed, b.filed));
  return (candidates) => {
    const isPart = ({ fact }: Candidate) =>
      fact.concept === DEFERRED && compared.findLast(({ filed }) => filed <= fact.filed)?.isPart === true;
    const wholeCandidates = candidates.filter((candidate) => !isPart(candidate));
    return isFilled(wholeCandidates)
      ? bestFirst(withoutZeros(wholeCandidates))
      : 'deferred revenue that is only a part of contract liabilities';
  };
}

/** Total liabilities are on a balance sheet: without them, assets reported for the day belong to something else. */
function liabilitiesChooser(series: readonly FactSeries[]): AmountChooser {
  const assets = series.filter(({ concept }) => concept === ASSETS);
  return (candidates, amounts) => {
    const { fact } = candidates[0];
    const isReported = assets.some(
      (asset) => asset.unit === fact.unit && asset.of(fact)?.facts.some(({ filed }) => filed <= fact.filed) === true,
    );
    if (isReported && !amounts.has(ASSETS))
      return 'liabilities in a filing that does not state the assets of the same date';
    return bestFirst(withoutZeros(candidates));
  };
}

function isRest(pretax: Decimal, tax: Decimal, income: Decimal | undefined): boolean {
  return income !== undefined && add(income, tax) === pretax;
}
