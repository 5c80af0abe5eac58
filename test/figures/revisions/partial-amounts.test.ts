import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { listFigureValues } from '../../../src/figures/figure-values.ts';
import { makeFact } from '../filed-facts.ts';

type Amounts = Readonly<Record<string, string>>;

const makeFlowFacts = (amounts: Amounts, filing: Partial<Fact> = {}) =>
  Object.entries(amounts).map(([concept, value]) => makeFact({ concept, value, ...filing }));
const makeBalanceFacts = (amounts: Amounts, filing: Partial<Fact> = {}) =>
  makeFlowFacts(amounts, { start: null, ...filing });

/** Returns the current values of a metric, latest period first. */
function listValues(key: string, facts: readonly Fact[]): string[] {
  const { reportedValues } = deriveCompanyFigures(facts, [], { releaseDate: '2026-08-20' });
  return listFigureValues(reportedValues, { keys: [key] }).map(({ value }) => value);
}

test('an amount below one of its parts is not read as the total', () => {
  const expensePartAmounts = { GeneralAndAdministrativeExpense: '8508862', SellingAndMarketingExpense: '2000000' };
  const expenseFacts = makeFlowFacts({ SellingGeneralAndAdministrativeExpense: '1531337', ...expensePartAmounts });
  expect(listValues('selling_general_and_administrative', expenseFacts)).toEqual(['10508862']);
  // Akorn's balance sheet of June 2013 has licensing rights on a separate line.
  const akornAmounts = {
    IntangibleAssetsNetExcludingGoodwill: '61220000',
    FiniteLivedIntangibleAssetsNet: '107254000',
  };
  expect(listValues('intangible_assets', makeBalanceFacts(akornAmounts))).toEqual(['107254000']);
});

test('finite-lived intangible assets are the total only if no other intangible assets are reported', () => {
  const finiteLivedAmounts = { FiniteLivedIntangibleAssetsNet: '300' };
  expect(listValues('intangible_assets', makeBalanceFacts(finiteLivedAmounts))).toEqual(['300']);
  const allIntangibleAmounts = { ...finiteLivedAmounts, IndefiniteLivedIntangibleAssetsExcludingGoodwill: '50' };
  expect(listValues('intangible_assets', makeBalanceFacts(allIntangibleAmounts))).toEqual(['350']);
});

test('operating expenses that include a separately reported cost of revenue are not read', () => {
  // BK Technologies tagged all costs of 2023 as operating expenses.
  const amountsWithExpenses = { Revenues: '74094000', OperatingIncomeLoss: '-777000', OperatingExpenses: '74871000' };
  expect(
    listValues('operating_expenses', makeFlowFacts({ ...amountsWithExpenses, CostOfRevenue: '51858000' })),
  ).toEqual([]);
  expect(listValues('operating_expenses', makeFlowFacts(amountsWithExpenses))).toEqual(['74871000']);
});

test('operating expenses that include a cost of revenue that an earlier filing reports are not read', () => {
  // BK Technologies' report of 2022 states no cost of 2021, unlike the report of 2021.
  const amounts = { Revenues: '45364000', OperatingIncomeLoss: '-1196000' };
  const earlierFacts = makeFlowFacts(
    { ...amounts, CostOfRevenue: '29103000' },
    { accession: '0001654954-22-003300', start: '2021-01-01', end: '2021-12-31', filed: '2022-03-17' },
  );
  const laterFacts = makeFlowFacts(
    { ...amounts, OperatingExpenses: '46560000' },
    { accession: '0001654954-23-003055', start: '2021-01-01', end: '2021-12-31', filed: '2023-03-16' },
  );
  expect(listValues('operating_expenses', [...earlierFacts, ...laterFacts])).toEqual([]);
});

test('operating expenses that are gross profit less operating income are read if there is no cost of revenue', () => {
  // SUNation's report of 2022 restates 2021 without discontinued operations.
  const amounts = { Revenues: '38162', GrossProfit: '38162', OperatingIncomeLoss: '-4862289' };
  expect(listValues('operating_expenses', makeFlowFacts({ ...amounts, OperatingExpenses: '4900451' }))).toEqual([
    '4900451',
  ]);
});

test('total equity is not the equity of the parent if an earlier filing reports noncontrolling interests', () => {
  // Procter & Gamble's statements of changes in equity state the total of earlier days, without its parts.
  const totalEquityConcept = 'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest';
  const earlierFacts = makeBalanceFacts(
    { [totalEquityConcept]: '47065000000', MinorityInterest: '288000000' },
    { accession: '0000080424-23-000073', end: '2023-06-30', filed: '2023-08-04' },
  );
  const laterFacts = makeBalanceFacts(
    { [totalEquityConcept]: '47065000000' },
    { accession: '0000080424-25-000076', end: '2023-06-30', filed: '2025-08-04' },
  );
  expect(listValues('stockholders_equity', [...earlierFacts, ...laterFacts])).toEqual(['46777000000']);
  expect(listValues('stockholders_equity', laterFacts)).toEqual(['47065000000']);
});

test('income before tax is the line from which tax is subtracted', () => {
  const pretaxConceptPrefix = 'IncomeLossFromContinuingOperationsBeforeIncomeTaxes';
  const facts = makeFlowFacts({
    [`${pretaxConceptPrefix}ExtraordinaryItemsNoncontrollingInterest`]: '110',
    [`${pretaxConceptPrefix}MinorityInterestAndIncomeLossFromEquityMethodInvestments`]: '100',
    IncomeTaxExpenseBenefit: '20',
    ProfitLoss: '80',
  });
  expect(listValues('pretax_income', facts)).toEqual(['100']);
});

test('a negative cost or payment is not read, except for acquisitions', () => {
  expect(listValues('interest_expense', makeFlowFacts({ InterestExpense: '-27518' }))).toEqual([]);
  expect(
    listValues('capital_expenditures', makeFlowFacts({ PaymentsToAcquirePropertyPlantAndEquipment: '-5' })),
  ).toEqual([]);
  expect(listValues('acquisitions', makeFlowFacts({ PaymentsToAcquireBusinessesNetOfCashAcquired: '-5' }))).toEqual([
    '-5',
  ]);
  // Eli Lilly's report of March 2010 has the wrong sign.
  const depreciationAmounts = { DepreciationDepletionAndAmortization: '-299400000' };
  expect(listValues('depreciation_and_amortization', makeFlowFacts(depreciationAmounts))).toEqual([]);
  expect(listValues('ebitda', makeFlowFacts({ ...depreciationAmounts, OperatingIncomeLoss: '1600000000' }))).toEqual(
    [],
  );
});

test('long-term debt of all maturities is used only if liabilities are not divided into current and noncurrent', () => {
  // T-Mobile in September 2017 divides liabilities into current and noncurrent; a bank does not.
  const classifiedBalanceFacts = makeBalanceFacts({ LongTermDebt: '15144', LiabilitiesCurrent: '8103' });
  expect(listValues('long_term_debt', classifiedBalanceFacts)).toEqual([]);
  expect(listValues('total_debt', classifiedBalanceFacts)).toEqual([]);
  expect(listValues('long_term_debt', makeBalanceFacts({ LongTermDebt: '15144' }))).toEqual(['15144']);
});

test('long-term debt of all maturities is noncurrent if no principal is due within a year', () => {
  // Apple in September 2013.
  const list = (key: string, due: string) =>
    listValues(
      key,
      makeBalanceFacts({
        LongTermDebt: '16960',
        LongTermDebtMaturitiesRepaymentsOfPrincipalInNextTwelveMonths: due,
        LiabilitiesCurrent: '43658',
      }),
    );
  expect([list('long_term_debt', '0'), list('total_debt', '0')]).toEqual([['16960'], ['16960']]);
  expect([list('long_term_debt', '2500'), list('total_debt', '2500')]).toEqual([[], []]);
});

test('the current portion is total less noncurrent debt if an earlier filing divided its debt in this way', () => {
  const firstReport = { accession: '1', filed: '2023-02-01', end: '2022-12-31' };
  const secondReport = { accession: '2', filed: '2024-02-01', end: '2023-12-31' };
  const dividedDebtFacts = makeBalanceFacts(
    { LongTermDebt: '100', LongTermDebtNoncurrent: '80', LongTermDebtCurrent: '20' },
    firstReport,
  );
  const undividedDebtFacts = makeBalanceFacts({ LongTermDebt: '100', LongTermDebtNoncurrent: '70' }, secondReport);
  expect(listValues('short_term_debt', [...dividedDebtFacts, ...undividedDebtFacts])).toEqual(['30', '20']);
  expect(listValues('total_debt', [...dividedDebtFacts, ...undividedDebtFacts])).toEqual(['100', '100']);
  expect(listValues('short_term_debt', undividedDebtFacts)).toEqual([]);
});

test('short-term debt is the current portion plus the only line of borrowings; if there are several lines, it is not derived', () => {
  const debtAmounts = { LongTermDebtCurrent: '12350', LongTermDebtNoncurrent: '78328', CommercialPaper: '7979' };
  expect(listValues('short_term_debt', makeBalanceFacts(debtAmounts))).toEqual(['20329']);
  expect(listValues('total_debt', makeBalanceFacts(debtAmounts))).toEqual(['98657']);
  expect(listValues('short_term_debt', makeBalanceFacts({ ...debtAmounts, LinesOfCreditCurrent: '5' }))).toEqual([]);
  expect(listValues('short_term_debt', makeBalanceFacts({ ...debtAmounts, ShortTermBorrowings: '7979' }))).toEqual([
    '20329',
  ]);
});

test('the current portion of debt is read next to several lines of borrowings if the filing states their total', () => {
  // As filed by Coca-Cola for December 2024.
  const lines = {
    LongTermDebtAndCapitalLeaseObligationsCurrent: '648',
    CommercialPaper: '1138',
    OtherShortTermBorrowings: '361',
  };
  expect(listValues('current_portion_of_debt', makeBalanceFacts(lines))).toEqual([]);
  const withTotal = makeBalanceFacts({ ...lines, NotesAndLoansPayable: '1499' });
  expect(listValues('current_portion_of_debt', withTotal)).toEqual(['648']);
});

test('if the current portion of long-term debt exceeds current debt, the current portion is read as short-term debt', () => {
  // As filed by McDonald's for September 2020.
  const facts = makeBalanceFacts({
    DebtCurrent: '1400',
    LongTermDebtCurrent: '2688.8',
    LongTermDebtNoncurrent: '35202',
  });
  expect(listValues('short_term_debt', facts)).toEqual(['2688.8']);
});

test('debt is the sum of bonds and loans if a filer reports them separately', () => {
  // As filed by TSMC for 2024.
  const makeDebtFacts = (unit: string, bonds: string, loans: string) =>
    makeBalanceFacts(
      { NoncurrentPortionOfNoncurrentBondsIssued: bonds, LongtermBorrowings: loans },
      { taxonomy: 'ifrs-full', unit },
    );
  const currentDebtFacts = makeBalanceFacts(
    { CurrentPortionOfLongtermBorrowings: '59857900000' },
    { taxonomy: 'ifrs-full', unit: 'TWD' },
  );
  const tsmcFacts = [...makeDebtFacts('TWD', '926604500000', '31824400000'), ...currentDebtFacts];
  expect(listValues('long_term_debt', tsmcFacts)).toEqual(['958428900000']);
  expect(listValues('total_debt', tsmcFacts)).toEqual(['1018286800000']);
  // If borrowings exceed bonds, borrowings include the bonds.
  expect(listValues('long_term_debt', makeDebtFacts('EUR', '100', '250'))).toEqual(['250']);
});

test('income before tax that no filing states is domestic and foreign income, else net income and tax', () => {
  const pretaxConceptPrefix = 'IncomeLossFromContinuingOperationsBeforeIncomeTaxes';
  // As filed by McDonald's for 2024.
  const mcdonaldsFacts = makeFlowFacts({
    [`${pretaxConceptPrefix}Domestic`]: '3282000000',
    [`${pretaxConceptPrefix}Foreign`]: '7062000000',
  });
  expect(listValues('pretax_income', mcdonaldsFacts)).toEqual(['10344000000']);
  // In Air Products' report for 2014, income of affiliates is neither domestic nor foreign.
  const airProductsFacts = makeFlowFacts({
    [`${pretaxConceptPrefix}ExtraordinaryItemsNoncontrollingInterest`]: '1354500000',
    [`${pretaxConceptPrefix}Domestic`]: '602400000',
    [`${pretaxConceptPrefix}Foreign`]: '600700000',
  });
  expect(listValues('pretax_income', airProductsFacts)).toEqual(['1354500000']);
  // As filed by AIG, which tags income before tax with a concept of its own, for a quarter of 2010.
  const aigAmounts = {
    ProfitLoss: '2099000000',
    IncomeTaxExpenseBenefit: '-91000000',
    IncomeLossFromDiscontinuedOperationsNetOfTax: '1173000000',
  };
  expect(listValues('pretax_income', makeFlowFacts(aigAmounts))).toEqual(['835000000']);
  // Income of companies accounted for by the equity method may stand above or below tax.
  const withEquityMethod = { ...aigAmounts, IncomeLossFromEquityMethodInvestments: '5000000' };
  expect(listValues('pretax_income', makeFlowFacts(withEquityMethod))).toEqual([]);
});

test('finished goods are read as inventories if the filing has no other inventories', () => {
  // As filed by Nike for May 2024.
  const nikeFacts = makeBalanceFacts({ InventoryFinishedGoodsNetOfReserves: '7519000000' });
  expect(listValues('inventories', nikeFacts)).toEqual(['7519000000']);
  expect(listValues('inventories', [...nikeFacts, ...makeBalanceFacts({ InventoryWorkInProcess: '1' })])).toEqual([]);
  expect(listValues('inventories', [...nikeFacts, ...makeBalanceFacts({ InventoryNet: '7600000000' })])).toEqual([
    '7600000000',
  ]);
});

test('liabilities that do not fit the balance sheet are not read', () => {
  // AAR's balance sheet of February 2023: a report of 2024 has only the liabilities of one business.
  const dayFields = { end: '2023-02-28', form: '10-Q' };
  const aarFacts = [
    ...makeBalanceFacts(
      { Assets: '1673300000', StockholdersEquity: '1067700000' },
      { ...dayFields, accession: '0001104659-23-035153', filed: '2023-03-21' },
    ),
    ...makeBalanceFacts(
      { Liabilities: '1800000' },
      { end: '2023-02-28', accession: '0001104659-24-080890', filed: '2024-07-19' },
    ),
  ];
  expect(listValues('liabilities', aarFacts)).toEqual(['605600000']);
});

test('total debt includes debt to related parties that has its own line', () => {
  // Air Products, September 2018: the annual report also states this total of 3,812.6 million.
  const airProductsAmounts = {
    LongTermDebtAndCapitalLeaseObligations: '2967400000',
    LongTermDebtAndCapitalLeaseObligationsCurrent: '406600000',
    ShortTermBorrowings: '54300000',
    LiabilitiesCurrent: '2398800000',
  };
  const relatedPartyAmounts = { NotesPayableRelatedPartiesNoncurrent: '384300000' };
  expect(listValues('total_debt', makeBalanceFacts({ ...airProductsAmounts, ...relatedPartyAmounts }))).toEqual([
    '3812600000',
  ]);
  expect(listValues('total_debt', makeBalanceFacts(airProductsAmounts))).toEqual(['3428300000']);
});

test("stockholders' equity is total equity less noncontrolling interests", () => {
  // As filed by Procter & Gamble for June 2025.
  const totalEquityAmounts = { StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest: '52284000000' };
  expect(
    listValues('stockholders_equity', makeBalanceFacts({ ...totalEquityAmounts, MinorityInterest: '272000000' })),
  ).toEqual(['52012000000']);
  expect(listValues('stockholders_equity', makeBalanceFacts(totalEquityAmounts))).toEqual(['52284000000']);
});
