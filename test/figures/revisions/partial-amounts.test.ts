import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { deriveCompany } from '../../../src/figures/company.ts';
import { figureValues } from '../../../src/figures/figure-values.ts';
import { fact } from '../filed-facts.ts';

type Amounts = Readonly<Record<string, string>>;

const flows = (amounts: Amounts, filing: Partial<Fact> = {}) =>
  Object.entries(amounts).map(([concept, value]) => fact({ concept, value, ...filing }));
const balances = (amounts: Amounts, filing: Partial<Fact> = {}) => flows(amounts, { start: null, ...filing });

/** The values of a metric, the latest first. */
function valuesOf(key: string, facts: readonly Fact[]): string[] {
  const { reportedValues } = deriveCompany(facts, [], { releaseDate: '2026-08-20' });
  return figureValues(reportedValues, { keys: [key] }).map(({ value }) => value);
}

test('an amount below its own part is no total', () => {
  const parts = { GeneralAndAdministrativeExpense: '8508862', SellingAndMarketingExpense: '2000000' };
  const expenses = flows({ SellingGeneralAndAdministrativeExpense: '1531337', ...parts });
  expect(valuesOf('selling_general_and_administrative', expenses)).toEqual(['10508862']);
  // Akorn, June 2013: licensing rights are a line of their own.
  const akorn = { IntangibleAssetsNetExcludingGoodwill: '61220000', FiniteLivedIntangibleAssetsNet: '107254000' };
  expect(valuesOf('intangible_assets', balances(akorn))).toEqual(['107254000']);
});

test('intangible assets of a limited life are all only where there are no others', () => {
  const finite = { FiniteLivedIntangibleAssetsNet: '300' };
  expect(valuesOf('intangible_assets', balances(finite))).toEqual(['300']);
  const both = { ...finite, IndefiniteLivedIntangibleAssetsExcludingGoodwill: '50' };
  expect(valuesOf('intangible_assets', balances(both))).toEqual(['350']);
});

test('operating expenses without the cost of revenue', () => {
  // BK Technologies, 2023: all costs are tagged as operating expenses.
  const all = { Revenues: '74094000', OperatingIncomeLoss: '-777000', OperatingExpenses: '74871000' };
  expect(valuesOf('operating_expenses', flows({ ...all, CostOfRevenue: '51858000' }))).toEqual([]);
  expect(valuesOf('operating_expenses', flows(all))).toEqual(['74871000']);
});

test('income before tax is the line that the tax is taken from', () => {
  const before = 'IncomeLossFromContinuingOperationsBeforeIncomeTaxes';
  const facts = flows({
    [`${before}ExtraordinaryItemsNoncontrollingInterest`]: '110',
    [`${before}MinorityInterestAndIncomeLossFromEquityMethodInvestments`]: '100',
    IncomeTaxExpenseBenefit: '20',
    ProfitLoss: '80',
  });
  expect(valuesOf('pretax_income', facts)).toEqual(['100']);
});

test('a negative cost or payment is no figure', () => {
  expect(valuesOf('interest_expense', flows({ InterestExpense: '-27518' }))).toEqual([]);
  expect(valuesOf('capital_expenditures', flows({ PaymentsToAcquirePropertyPlantAndEquipment: '-5' }))).toEqual([]);
  expect(valuesOf('acquisitions', flows({ PaymentsToAcquireBusinessesNetOfCashAcquired: '-5' }))).toEqual(['-5']);
});

test('long-term debt of all maturities stands in only where liabilities are not divided', () => {
  // T-Mobile, September 2017; a bank.
  const divided = balances({ LongTermDebt: '15144', LiabilitiesCurrent: '8103' });
  expect(valuesOf('long_term_debt', divided)).toEqual([]);
  expect(valuesOf('total_debt', divided)).toEqual([]);
  expect(valuesOf('long_term_debt', balances({ LongTermDebt: '15144' }))).toEqual(['15144']);
});

test('the current portion is what remains, for a filer that has divided its debt so before', () => {
  const first = { accession: '1', filed: '2023-02-01', end: '2022-12-31' };
  const second = { accession: '2', filed: '2024-02-01', end: '2023-12-31' };
  const proof = balances({ LongTermDebt: '100', LongTermDebtNoncurrent: '80', LongTermDebtCurrent: '20' }, first);
  const rest = balances({ LongTermDebt: '100', LongTermDebtNoncurrent: '70' }, second);
  expect(valuesOf('short_term_debt', [...proof, ...rest])).toEqual(['30', '20']);
  expect(valuesOf('total_debt', [...proof, ...rest])).toEqual(['100', '100']);
  expect(valuesOf('short_term_debt', rest)).toEqual([]);
});

test('short-term debt is the current portion and the one line of borrowings; of several lines none is known to be all', () => {
  const debt = { LongTermDebtCurrent: '12350', LongTermDebtNoncurrent: '78328', CommercialPaper: '7979' };
  expect(valuesOf('short_term_debt', balances(debt))).toEqual(['20329']);
  expect(valuesOf('total_debt', balances(debt))).toEqual(['98657']);
  expect(valuesOf('short_term_debt', balances({ ...debt, LinesOfCreditCurrent: '5' }))).toEqual([]);
  expect(valuesOf('short_term_debt', balances({ ...debt, ShortTermBorrowings: '7979' }))).toEqual(['20329']);
});

test('a current portion above the current debt of its filing contradicts it', () => {
  // McDonald's, September 2020.
  const facts = balances({ DebtCurrent: '1400', LongTermDebtCurrent: '2688.8', LongTermDebtNoncurrent: '35202' });
  expect(valuesOf('short_term_debt', facts)).toEqual(['2688.8']);
});
