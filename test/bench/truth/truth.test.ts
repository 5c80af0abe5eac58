import { expect, test } from 'vitest';
import { kindOf } from './facts.mjs';
import { answerAll } from './oracle.mjs';
import { Exact } from './sums.mjs';

const YEAR = '2023-01-01 to 2023-12-31';
const YEAR_END = 'at 2023-12-31';

interface Statement {
  readonly filed: string;
  readonly form?: string;
  readonly period?: string;
  readonly amounts: Readonly<Record<string, string>>;
}

/** Returns the oracle's answer for a figure of 2023, from statements of successive filings. */
function answerFor(key: string, statements: readonly Statement[]) {
  const facts = statements.flatMap(({ filed, form = '10-K', period = YEAR, amounts }) =>
    Object.entries({ ...amounts }).map(([concept, value]) => {
      const [start, end] = period.startsWith('at ') ? [null, period.slice(3)] : period.split(' to ');
      const accn = `0000000001-${filed}`;
      return { concept, unit: 'USD', start, end, kind: kindOf(start, end), value: new Exact(value), accn, form, filed };
    }),
  );
  const answer = answerAll(facts).find((each) => each.key === key && each.period.end === '2023-12-31');
  return answer === undefined ? null : `${answer.isClear ? 'clear' : 'unclear'} ${answer.value.toFixed()}`;
}

/** A report whose year and day make 2023 a fiscal year. */
const balanceSheet = (filed: string, amounts: Record<string, string>): Statement[] => [
  { filed, amounts: { OperatingIncomeLoss: '1' } },
  { filed, period: YEAR_END, amounts },
];

test('the newest filing restates a value if an equation proves it', () => {
  const first = balanceSheet('2024-02-01', { Assets: '900', LiabilitiesAndStockholdersEquity: '900' });
  const proven = balanceSheet('2025-02-01', { Assets: '950', LiabilitiesAndStockholdersEquity: '950' });
  const unproven = balanceSheet('2025-02-01', { Assets: '950' });
  expect(answerFor('assets', [...first, ...proven])).toBe('clear 950');
  expect(answerFor('assets', [...first, ...unproven])).toBe('unclear 950');
});

test('a repeated value with fewer digits does not replace digits, and 2.7 of EPS is 2.70', () => {
  const revenues = ['51987', '52000'].map((Revenues, index) => ({
    filed: `202${4 + index}-02-01`,
    amounts: { Revenues },
  }));
  expect(answerFor('revenue', revenues)).toBe('clear 51987');
  const eps = {
    EarningsPerShareDiluted: '2.7',
    NetIncomeLoss: '270',
    WeightedAverageNumberOfDilutedSharesOutstanding: '100',
  };
  expect(
    answerFor('eps_diluted', [
      { filed: '2024-02-01', amounts: { EarningsPerShareDiluted: '2.66' } },
      { filed: '2025-02-01', amounts: eps },
    ]),
  ).toBe('clear 2.7');
});

test('opening balances of the next day are not those of the fiscal year', () => {
  const report = balanceSheet('2024-02-01', { Assets: '900', LiabilitiesAndStockholdersEquity: '900' });
  const opening = { Assets: '990', LiabilitiesAndStockholdersEquity: '990' };
  expect(answerFor('assets', [...report, { filed: '2024-02-01', period: 'at 2024-01-01', amounts: opening }])).toBe(
    'clear 900',
  );
});

test('net income is the parent’s', () => {
  const whole = { ProfitLoss: '5303', NetIncomeLossAttributableToNoncontrollingInterest: '-211' };
  const answer = (amounts: Record<string, string>) => answerFor('net_income', [{ filed: '2024-02-01', amounts }]);
  expect(answer({ ...whole, NetIncomeLossAvailableToCommonStockholdersBasic: '5514' })).toBe('clear 5514');
  expect(answer({ ...whole, NetIncomeLossAvailableToCommonStockholdersBasic: '5092' })).toBe('clear 5092');
  expect(answer({ ...whole, NetIncomeLossAvailableToCommonStockholdersBasic: '4000' })).toBe('unclear 5514');
  expect(answer({ ...whole, NetIncomeLoss: '5303', NetIncomeLossAvailableToCommonStockholdersBasic: '5514' })).toBe(
    'clear 5514',
  );
  expect(answer({ ProfitLoss: '5303' })).toBe('clear 5303');
});

test('revenue is the concept that an equation proves; of a bank it is net', () => {
  const answer = (amounts: Record<string, string>) => answerFor('revenue', [{ filed: '2024-02-01', amounts }]);
  const both = { Revenues: '7013', SalesRevenueGoodsNet: '6507' };
  expect(answer({ ...both, CostOfGoodsSold: '4001', GrossProfit: '2506' })).toBe('clear 6507');
  expect(answer({ Revenues: '7013', SalesRevenueNet: '6507' })).toBe('unclear 7013');
  expect(answer({ Revenues: '900', InterestIncomeExpenseNet: '500', NoninterestIncome: '50' })).toBe('clear 550');
});

test('shares in thousands are not shares', () => {
  const amounts = { NetIncomeLoss: '5000000', EarningsPerShareDiluted: '2.5' };
  const answer = (shares: string) =>
    answerFor('weighted_shares_diluted', [
      { filed: '2024-02-01', amounts: { ...amounts, WeightedAverageNumberOfDilutedSharesOutstanding: shares } },
    ]);
  expect(answer('2000000')).toBe('clear 2000000');
  expect(answer('2000')).toBeNull();
});

test('an amendment with the statements of another company is not read', () => {
  const concepts = [
    'Revenues',
    'OperatingIncomeLoss',
    'ProfitLoss',
    'CostOfRevenue',
    'GrossProfit',
    'CostsAndExpenses',
  ];
  const amountsFrom = (base: number) =>
    Object.fromEntries(concepts.map((concept, index) => [concept, `${base + index}`]));
  const own = ['2024-02-01', '2025-02-01', '2026-02-01'].map((filed) => ({ filed, amounts: amountsFrom(7000) }));
  const amendment = { filed: '2025-03-01', form: '10-K/A', amounts: amountsFrom(100) };
  expect(answerFor('revenue', [...own, amendment])).toBe('clear 7000');
  expect(answerFor('revenue', [...own.slice(0, 2), { ...amendment, filed: '2025-03-01' }])).toBe('unclear 100');
});
