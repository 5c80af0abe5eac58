/** Remainders of statements (totals less their lines), and unreported totals that are derived from lines. */
import { expect, test } from 'vitest';
import { negate, sum } from '../../../src/contract/decimal.ts';
import { REMAINDERS } from '../../../src/contract/figures.ts';
import type { SignedLine, SumFormula } from '../../../src/contract/statements/formula.ts';
import { readCompanyFacts } from '../../../src/edgar/facts/company-facts.ts';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { openPublicFiles } from '../../../src/edgar/files/public-files.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import type { Figure } from '../../../src/figures/derived/figure.ts';
import { deriveFiguresOfFormulas } from '../../../src/figures/derived/formulas.ts';
import { expectOfFiles, getPublicFilePath, testWithPublicFile } from '../../public-files.ts';
import { makeFact } from '../filed-facts.ts';

const REMAINDER_KEYS = REMAINDERS.map(({ key }) => key);

/**
 * Returns the values of the year and the balances at `end`, by metric key. They include derived values and remainders.
 */
function deriveValuesByKey(facts: readonly Fact[], end: string): Readonly<Record<string, string>> {
  const { figures, splits } = deriveCompanyFigures(facts, [], { releaseDate: '2026-01-01' });
  const allFigures = [...figures, ...deriveFiguresOfFormulas(REMAINDER_KEYS, figures, splits)];
  const figuresOfPeriod = allFigures.filter(
    (figure) => figure.end === end && (figure.start === null || figure.periodKind === 'annual'),
  );
  return Object.fromEntries(figuresOfPeriod.map(({ metricKey, value }) => [metricKey, value]));
}

/** Returns facts of one annual report; `flows` and `balances` are in millions. */
function makeAnnualFacts(
  filing: Pick<Fact, 'accession' | 'filed' | 'start' | 'end' | 'focusYear'>,
  flows: Readonly<Record<string, number>>,
  balances: Readonly<Record<string, number>> = {},
): Fact[] {
  const makeFactFromMillions = (concept: string, millions: number) =>
    makeFact({ ...filing, concept, value: `${millions}000000` });
  return [
    ...Object.entries(flows).map(([concept, millions]) => makeFactFromMillions(concept, millions)),
    ...Object.entries(balances).map(([concept, millions]) => ({
      ...makeFactFromMillions(concept, millions),
      start: null,
    })),
  ];
}

const NIKE_REPORT = {
  ...{ accession: '0000320187-23-000039', filed: '2023-07-20', focusYear: 2023 },
  ...{ start: '2022-06-01', end: '2023-05-31' },
};
const NIKE_FLOWS = {
  Revenues: 51217,
  CostOfRevenue: 28925,
  GrossProfit: 22292,
  SellingGeneralAndAdministrativeExpense: 16377,
  InterestIncomeExpenseNonoperatingNet: 6,
  OtherNonoperatingIncomeExpense: 280,
  IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest: 6201,
};

test("Nike's unreported operating income is derived only if two formulas agree or total operating expenses are reported", () => {
  expect(deriveValuesByKey(makeAnnualFacts(NIKE_REPORT, NIKE_FLOWS), NIKE_REPORT.end).operating_income).toBe(
    '5915000000',
  );
  const flowsWithOtherExpense = { ...NIKE_FLOWS, SellingGeneralAndAdministrativeExpense: 16000 };
  expect(
    deriveValuesByKey(makeAnnualFacts(NIKE_REPORT, flowsWithOtherExpense), NIKE_REPORT.end).operating_income,
  ).toBeUndefined();
  const { OtherNonoperatingIncomeExpense: _, ...flowsWithoutOther } = NIKE_FLOWS;
  expect(
    deriveValuesByKey(makeAnnualFacts(NIKE_REPORT, flowsWithoutOther), NIKE_REPORT.end).operating_income,
  ).toBeUndefined();
  const flowsWithTotal = { ...flowsWithoutOther, OperatingExpenses: 16377 };
  expect(deriveValuesByKey(makeAnnualFacts(NIKE_REPORT, flowsWithTotal), NIKE_REPORT.end).operating_income).toBe(
    '5915000000',
  );
});

const APPLE_REPORT = {
  ...{ accession: '0000320193-24-000123', filed: '2024-11-01', focusYear: 2024 },
  ...{ start: '2023-10-01', end: '2024-09-28' },
};
const APPLE_BALANCES = {
  CashAndCashEquivalentsAtCarryingValue: 29943,
  MarketableSecuritiesCurrent: 35228,
  AccountsReceivableNetCurrent: 33410,
  InventoryNet: 7286,
  AssetsCurrent: 152987,
  MarketableSecuritiesNoncurrent: 91479,
  PropertyPlantAndEquipmentNet: 45680,
  Assets: 364980,
  AccountsPayableCurrent: 68960,
  ContractWithCustomerLiabilityCurrent: 8249,
  LiabilitiesCurrent: 176392,
  LongTermDebtNoncurrent: 85750,
  Liabilities: 308030,
  CommonStocksIncludingAdditionalPaidInCapital: 83276,
  RetainedEarningsAccumulatedDeficit: -19154,
  AccumulatedOtherComprehensiveIncomeLossNetOfTax: -7172,
  StockholdersEquity: 56950,
};
const APPLE_FLOWS = { RevenueFromContractWithCustomerExcludingAssessedTax: 391035, NetIncomeLoss: 93736 };

test("Apple's balance sheet of 2024 adds up, with vendor receivables and other assets as the remainder", () => {
  const figures = deriveValuesByKey(makeAnnualFacts(APPLE_REPORT, APPLE_FLOWS, APPLE_BALANCES), APPLE_REPORT.end);
  // As printed: vendor non-trade receivables of 32,833 plus other current assets of 14,287, and other non-current
  // assets of 74,834.
  expect(figures).toMatchObject({
    other_current_assets: '47120000000',
    other_noncurrent_assets: '74834000000',
    other_current_liabilities: '99183000000',
    other_noncurrent_liabilities: '45888000000',
    working_capital: '-23405000000',
  });
  // The three lines of equity add up to the total, so equity has no remainder.
  expect(figures.other_equity).toBeUndefined();
  expect(figures.other_assets).toBeUndefined();
});

test('a line that exceeds its total, or that another filing revised, leaves no remainder', () => {
  const deriveWithBalances = (changedBalances: Readonly<Record<string, number>>) =>
    deriveValuesByKey(
      makeAnnualFacts(APPLE_REPORT, APPLE_FLOWS, { ...APPLE_BALANCES, ...changedBalances }),
      APPLE_REPORT.end,
    );
  expect(deriveWithBalances({ InventoryNet: 100000 }).other_current_assets).toBeUndefined();
  const laterReport = { ...APPLE_REPORT, accession: '0000320193-24-000999', filed: '2024-12-01' };
  const facts = [
    ...makeAnnualFacts(APPLE_REPORT, APPLE_FLOWS, APPLE_BALANCES),
    ...makeAnnualFacts(laterReport, {}, { InventoryNet: 7000 }),
  ];
  expect(deriveValuesByKey(facts, APPLE_REPORT.end).other_current_assets).toBeUndefined();
});

test('an amount of a note, which accrued liabilities include, is not subtracted a second time', () => {
  const readRemainder = (balances: Readonly<Record<string, number>>) =>
    deriveValuesByKey(
      makeAnnualFacts(APPLE_REPORT, APPLE_FLOWS, {
        LiabilitiesCurrent: 1000,
        AccountsPayableCurrent: 400,
        ...balances,
      }),
      APPLE_REPORT.end,
    ).other_current_liabilities;
  expect(readRemainder({ AccruedLiabilitiesCurrent: 350 })).toBe('250000000');
  expect(readRemainder({ AccruedLiabilitiesCurrent: 350, EmployeeRelatedLiabilitiesCurrent: 108 })).toBe('250000000');
  // All lines add up, so the balance sheet has them all, and nothing remains.
  expect(readRemainder({ AccruedLiabilitiesCurrent: 350, EmployeeRelatedLiabilitiesCurrent: 250 })).toBeUndefined();
  // No other line can include it.
  expect(readRemainder({ EmployeeRelatedLiabilitiesCurrent: 108 })).toBe('492000000');
});

test('a balance sheet without current assets has one remainder of assets, and a total without lines has no remainder', () => {
  const { AssetsCurrent: _, LiabilitiesCurrent: __, ...unclassifiedSheet } = APPLE_BALANCES;
  const figures = deriveValuesByKey(makeAnnualFacts(APPLE_REPORT, APPLE_FLOWS, unclassifiedSheet), APPLE_REPORT.end);
  expect(figures.other_assets).toBe('121954000000');
  expect(figures.other_noncurrent_assets).toBeUndefined();
  const figuresOfFewLines = deriveValuesByKey(
    makeAnnualFacts(APPLE_REPORT, APPLE_FLOWS, { Assets: 364980 }),
    APPLE_REPORT.end,
  );
  expect(figuresOfFewLines.other_assets).toBeUndefined();
});

test("a bank's unreported revenue is the sum of net interest income and noninterest income", () => {
  const bankFiling = { accession: '0000950123-10-046578', filed: '2010-05-07', focusYear: 2010 };
  const quarterFields = { ...bankFiling, form: '10-Q', start: '2010-01-01', end: '2010-03-31', focusPeriod: 'Q1' };
  const facts = [
    makeFact({ ...quarterFields, concept: 'InterestIncomeExpenseNet', value: '11147000000' }),
    makeFact({ ...quarterFields, concept: 'NoninterestIncome', value: '10301000000' }),
    makeFact({ ...quarterFields, concept: 'InterestAndDividendIncomeOperating', value: '13225000000' }),
  ];
  const { figures } = deriveCompanyFigures(facts, [], { releaseDate: '2026-01-01' });
  expect(figures.find(({ metricKey }) => metricKey === 'revenue')).toMatchObject({
    value: '21448000000',
    derived: true,
  });
});

testWithPublicFile(
  'companyfacts.zip',
  'every remainder plus the lines of its statement equals the total, in all statements of eight companies',
  async () => {
    const files = await openPublicFiles(getPublicFilePath('companyfacts.zip'));
    let checkedCount = 0;
    for (const cik of [320193, 789019, 1045810, 80424, 104169, 909832, 2969, 1800]) {
      const { facts } = readCompanyFacts((await files.readFacts(cik)) ?? '{}');
      const { figures, splits } = deriveCompanyFigures(facts, [], { releaseDate: '2026-08-01' });
      const figureByPeriod = new Map(
        figures.map((figure) => [`${figure.metricKey} ${figure.unit} ${figure.start} ${figure.end}`, figure]),
      );
      for (const { key, formula } of REMAINDERS) {
        const { plus, minus = [], lines = [] }: SumFormula = formula;
        for (const remainder of deriveFiguresOfFormulas([key], figures, splits)) {
          const findFigure = (line: string) =>
            figureByPeriod.get(`${line} ${remainder.unit} ${remainder.start} ${remainder.end}`);
          const findFirst = (keys: string | readonly string[]) =>
            [keys].flat().flatMap((line) => findFigure(line) ?? [])[0];
          const [total, ...added] = plus.map(findFirst);
          const subtracted = minus.map(findFirst);
          const reported = listSubtractedLines(lines, findFigure);
          const lineFigures = [...added, ...subtracted, ...reported.map(([figure]) => figure)].flatMap(
            (figure) => figure ?? [],
          );
          // Skips the remainder if its total or one of its lines has other dates, so that the map lacks that figure.
          if (total === undefined || remainder.terms.length !== countTerms([total, ...lineFigures])) continue;
          const signedValues = [
            ...added.map((figure) => negate(figure?.value ?? '0')),
            ...subtracted.map((figure) => figure?.value ?? '0'),
            ...reported.map(([{ value }, isNegative]) => (isNegative ? negate(value) : value)),
          ];
          expect(sum([remainder.value, ...signedValues])).toBe(total.value);
          checkedCount += 1;
        }
      }
    }
    files.close();
    expect(checkedCount).toBeGreaterThan(expectOfFiles(2000, 200));
  },
);

const countTerms = (figures: readonly Figure[]) => figures.reduce((count, { terms }) => count + terms.length, 0);

/** Returns the lines that a remainder leaves out: without those that another line may include. */
function listSubtractedLines(lines: readonly SignedLine[], find: (key: string) => Figure | undefined) {
  const reported = listReportedLines(lines, find);
  return reported.filter(([, , { mayBeIn }]) => !reported.some(([, , { key }]) => key === mayBeIn));
}

/** Returns the lines that have a figure, each with its sign in the total; of a line without one, its own lines. */
function listReportedLines(
  lines: readonly SignedLine[],
  find: (key: string) => Figure | undefined,
  isNegative = false,
): (readonly [Figure, boolean, SignedLine])[] {
  return lines.flatMap((line) => {
    const figure = find(line.key);
    const sign = line.isNegative !== isNegative;
    return figure === undefined ? listReportedLines(line.lines, find, sign) : [[figure, sign, line] as const];
  });
}

test('a remainder of balances at the end of a year is not repeated for the fourth quarter', () => {
  const facts = [
    ...makeAnnualFacts(
      NIKE_REPORT,
      { Revenues: 51217 },
      { AssetsCurrent: 25202, CashAndCashEquivalentsAtCarryingValue: 7441 },
    ),
    makeFact({ ...NIKE_REPORT, concept: 'Revenues', start: '2023-03-01', value: '12825000000' }),
  ];
  const { figures, splits } = deriveCompanyFigures(facts, [], { releaseDate: '2026-01-01' });
  const remainders = deriveFiguresOfFormulas(['other_current_assets'], figures, splits);
  expect(remainders.map(({ end, value }) => [end, value])).toEqual([['2023-05-31', '17761000000']]);
});

test('quarters that lack a line of the annual report have no remainder', () => {
  const filing = { accession: '0000320187-23-000039', filed: '2023-07-20', focusYear: 2023 };
  const quarters = [
    ['2022-06-01', '2022-08-31'],
    ['2022-09-01', '2022-11-30'],
    ['2022-12-01', '2023-02-28'],
    ['2023-03-01', '2023-05-31'],
  ] as const;
  const makeFactsWithQuarters = (quarterlyConcepts: readonly string[]) => [
    ...makeAnnualFacts(
      { ...filing, start: '2022-06-01', end: '2023-05-31' },
      { GrossProfit: 400, OperatingIncomeLoss: 100 },
    ),
    ...makeAnnualFacts(
      { ...filing, start: '2022-06-01', end: '2023-05-31' },
      { SellingGeneralAndAdministrativeExpense: 200, ResearchAndDevelopmentExpense: 40 },
    ),
    ...quarters.flatMap(([start, end]) =>
      quarterlyConcepts.map((concept) => {
        const value = { GrossProfit: '100', OperatingIncomeLoss: '25', SellingGeneralAndAdministrativeExpense: '50' }[
          concept
        ];
        return makeFact({ ...filing, concept, start, end, value: `${value ?? '10'}000000` });
      }),
    ),
  ];
  const listRemainders = (facts: readonly Fact[]) => {
    const { figures, splits } = deriveCompanyFigures(facts, [], { releaseDate: '2026-01-01' });
    const remainders = deriveFiguresOfFormulas(['other_operating_expenses'], figures, splits);
    return remainders.map(({ periodKind, value }) => `${periodKind} ${value}`);
  };
  const concepts = ['GrossProfit', 'OperatingIncomeLoss', 'SellingGeneralAndAdministrativeExpense'];
  expect(listRemainders(makeFactsWithQuarters([...concepts, 'ResearchAndDevelopmentExpense']))).toEqual([
    'annual 60000000',
    ...['quarter 15000000', 'quarter 15000000', 'quarter 15000000', 'quarter 15000000'],
  ]);
  expect(listRemainders(makeFactsWithQuarters(concepts))).toEqual(['annual 60000000']);
});
