import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { listFigureValues } from '../../../src/figures/figure-values.ts';
import { makeFact, parseFacts } from '../filed-facts.ts';

/** Apple's fiscal year 2014: income and cover page of its 10-K, and the balance sheets in a later 8-K. */
const APPLE_FACTS = parseFacts(`
us-gaap NetIncomeLoss USD 2013-09-29 2014-09-27 39510000000 0001193125-14-383437 10-K 2014-10-27 2014 FY -
dei EntityCommonStockSharesOutstanding shares - 2014-10-10 5864840000 0001193125-14-383437 10-K 2014-10-27 2014 FY -
us-gaap CommonStockSharesOutstanding shares - 2013-09-28 6294494000 0001193125-15-023732 8-K 2015-01-28 2014 FY -
us-gaap CommonStockSharesOutstanding shares - 2014-09-27 5866161000 0001193125-15-023732 8-K 2015-01-28 2014 FY -
`);
const deriveFiguresOfFacts = (facts: readonly Fact[]) => deriveCompanyFigures(facts, [], { releaseDate: '2030-01-01' });
const listCounts = (facts: readonly Fact[], asOf: string | null = null) =>
  listFigureValues(deriveFiguresOfFacts(facts).reportedValues, { keys: ['common_shares_outstanding'], asOf }).map(
    ({ end, value }) => [end, value],
  );

test("a balance sheet's share count is used only if no cover page has a count for its period", () => {
  expect(listCounts(APPLE_FACTS)).toEqual([
    ['2014-10-10', '5864840000'],
    ['2013-09-28', '6294494000'],
  ]);
  // Reported values still include the share counts of statements, although the figures above omit one of them.
  expect(
    deriveFiguresOfFacts(APPLE_FACTS).reportedValues.filter(
      ({ metricKey }) => metricKey === 'common_shares_outstanding',
    ),
  ).toHaveLength(3);
});

test("a balance sheet's share count is used until a cover page with a count for its period is filed", () => {
  const factsWithLateCover = APPLE_FACTS.map((fact) =>
    fact.taxonomy === 'dei' ? { ...fact, filed: '2015-02-10' } : fact,
  );
  const countsBeforeCover = listCounts(factsWithLateCover, '2015-02-09');
  expect(countsBeforeCover).toContainEqual(['2014-09-27', '5866161000']);
  expect(listCounts(factsWithLateCover, '2015-02-10')).not.toContainEqual(['2014-09-27', '5866161000']);
  expect(listCounts(factsWithLateCover.filter(({ filed }) => filed <= '2015-02-09'))).toEqual(countsBeforeCover);
});

const makeCoverFact = (end: string, value: string, filingNumber: number): Fact =>
  makeFact({
    ...{ taxonomy: 'dei', concept: 'EntityCommonStockSharesOutstanding', unit: 'shares', start: null },
    ...{ end, filed: end, value, accession: `0000000001-25-${String(filingNumber).padStart(6, '0')}` },
  });
const deriveShareFigures = (...counts: string[]) => {
  const coverDays = ['2025-02-01', '2025-05-01', '2025-08-01', '2025-11-01', '2026-02-01'];
  const coverFacts = counts.map((value, index) => makeCoverFact(coverDays[index] ?? '', value, index + 10));
  // The reports of February are annual.
  const revenueFacts = [0, 4].flatMap((index) => {
    const end = coverDays[index] ?? '';
    const year = Number(end.slice(0, 4)) - 1;
    const period = { start: `${year}-01-01`, end: `${year}-12-31`, focusYear: year };
    const filing = { filed: end, accession: `0000000001-25-${String(index + 10).padStart(6, '0')}` };
    return index < counts.length ? [makeFact({ ...period, ...filing })] : [];
  });
  const figures = deriveFiguresOfFacts([...revenueFacts, ...coverFacts]).screen?.figures;
  return [figures?.common_shares_outstanding, figures?.shares_change];
};

test('a share count that jumps without a split is not used until a later count confirms it', () => {
  expect(deriveShareFigures('1000', '1010', '1020', '1030', '1100')).toEqual(['1100', '0.1']);
  // The last count may be wrong: 7 may count a single share class, and 1100000 may be in another scale.
  expect(deriveShareFigures('1000', '1010', '1020', '1030', '7')).toEqual(['1030', null]);
  expect(deriveShareFigures('1000', '1010', '1020', '1030', '1100000')).toEqual(['1030', null]);
  // A first count has no earlier count to differ from, and a second count of the same size confirms a jump.
  expect(deriveShareFigures('7')).toEqual(['7', null]);
  expect(deriveShareFigures('1000', '1010', '1020', '9000', '9000')).toEqual(['9000', '8']);
  // An error in an earlier count is ignored.
  expect(deriveShareFigures('1000', '1010', '1020', '1', '1100')).toEqual(['1100', '0.1']);
});

test('the change of shares is from one annual cover to the next, with its date, in the screener as in metrics', () => {
  // Boeing's covers, with a quarterly count after the last annual one.
  const facts = parseFacts(`
us-gaap Revenues USD 2023-01-01 2023-12-31 77794000000 0000012927-24-000010 10-K 2024-01-31 2023 FY -
dei EntityCommonStockSharesOutstanding shares - 2024-01-24 610135237 0000012927-24-000010 10-K 2024-01-31 2023 FY -
us-gaap Revenues USD 2024-01-01 2024-12-31 66517000000 0000012927-25-000015 10-K 2025-02-03 2024 FY -
dei EntityCommonStockSharesOutstanding shares - 2025-01-27 750073950 0000012927-25-000015 10-K 2025-02-03 2024 FY -
us-gaap Revenues USD 2025-04-01 2025-06-30 22749000000 0000012927-25-000062 10-Q 2025-07-29 2025 Q2 -
dei EntityCommonStockSharesOutstanding shares - 2025-07-22 756157695 0000012927-25-000062 10-Q 2025-07-29 2025 Q2 -
`);
  const { screen, reportedValues } = deriveFiguresOfFacts(facts);
  expect(screen).toMatchObject({
    fiscalYear: 2024,
    figures: { common_shares_outstanding: '756157695', shares_change: '0.2293568778' },
    dates: { shares_outstanding_end_date: '2025-07-22', shares_change_end_date: '2025-01-27' },
  });
  const changes = listFigureValues(reportedValues, { keys: ['shares_change'], asOf: null });
  expect(changes.map(({ end, fiscalYear, value }) => [end, fiscalYear, value])).toEqual([
    ['2025-01-27', 2024, screen?.figures.shares_change],
  ]);
  // A later fiscal year without an annual cover has no change, instead of that of the year before.
  const nextYear = parseFacts(
    'us-gaap Revenues USD 2025-01-01 2025-12-31 89463000000 0000012927-26-000010 10-K 2026-01-30 2025 FY -',
  );
  expect(deriveFiguresOfFacts([...facts, ...nextYear]).screen).toMatchObject({
    fiscalYear: 2025,
    figures: { shares_change: null },
    dates: { shares_change_end_date: null },
  });
});
