import { expect, test } from 'vitest';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { createSplitAdjuster } from '../../../src/figures/derived/shares-of-today.ts';
import { selectFigures } from '../../../src/figures/figure-values.ts';
import { parseFacts } from '../filed-facts.ts';

const EPS_FACT_PREFIX = 'us-gaap EarningsPerShareDiluted USD/shares';
const SHARES_FACT_PREFIX = 'us-gaap WeightedAverageNumberOfDilutedSharesOutstanding shares';

/** Apple's fiscal years before and after the split of 2020, as stated in its annual reports. */
const ANNUAL_FACT_LINES = `
${EPS_FACT_PREFIX} 2016-09-25 2017-09-30 9.21 0000320193-17-000070 10-K 2017-11-03 2017 FY -
${EPS_FACT_PREFIX} 2017-10-01 2018-09-29 11.91 0000320193-18-000145 10-K 2018-11-05 2018 FY -
${EPS_FACT_PREFIX} 2017-10-01 2018-09-29 11.91 0000320193-19-000119 10-K 2019-10-31 2019 FY -
${EPS_FACT_PREFIX} 2017-10-01 2018-09-29 2.98 0000320193-20-000096 10-K 2020-10-30 2020 FY CY2018
${EPS_FACT_PREFIX} 2018-09-30 2019-09-28 11.89 0000320193-19-000119 10-K 2019-10-31 2019 FY -
${EPS_FACT_PREFIX} 2018-09-30 2019-09-28 2.97 0000320193-20-000096 10-K 2020-10-30 2020 FY -
${SHARES_FACT_PREFIX} 2017-10-01 2018-09-29 5000109000 0000320193-19-000119 10-K 2019-10-31 2019 FY -
${SHARES_FACT_PREFIX} 2017-10-01 2018-09-29 20000435000 0000320193-20-000096 10-K 2020-10-30 2020 FY CY2018
${SHARES_FACT_PREFIX} 2018-09-30 2019-09-28 4648913000 0000320193-19-000119 10-K 2019-10-31 2019 FY -
${SHARES_FACT_PREFIX} 2018-09-30 2019-09-28 18595651000 0000320193-20-000096 10-K 2020-10-30 2020 FY -`;

/** A quarter in the last report before the split; no other report in these tests states the quarter. */
const QUARTER_FACT_LINE = `
${EPS_FACT_PREFIX} 2020-03-29 2020-06-27 2.58 0000320193-20-000062 10-Q 2020-07-31 2020 Q3 -`;

/**
 * The quarter one year before that of `QUARTER_FACT_LINE`. The same report states it in shares before the split; the
 * next report states it in shares after the split.
 */
const COMPARATIVE_FACT_LINES = `
${EPS_FACT_PREFIX} 2019-03-31 2019-06-29 2.18 0000320193-20-000062 10-Q 2020-07-31 2020 Q3 -
${EPS_FACT_PREFIX} 2019-03-31 2019-06-29 0.55 0000320193-20-000096 10-K 2020-10-30 2020 FY CY2019Q2`;

const COVER_FACT_LINES = `
dei EntityCommonStockSharesOutstanding shares - 2019-10-18 4443265000 0000320193-19-000119 10-K 2019-10-31 2019 FY -
dei EntityCommonStockSharesOutstanding shares - 2020-04-17 4334335000 0000320193-20-000052 10-Q 2020-05-01 2020 Q2 CY2020Q1I
dei EntityCommonStockSharesOutstanding shares - 2020-10-16 17001802000 0000320193-20-000096 10-K 2020-10-30 2020 FY CY2020Q3I`;

function listAdjustedFigures(factLines: string): string[] {
  const { reportedValues, splits } = deriveCompanyFigures(parseFacts(factLines), [], { releaseDate: '2026-08-20' });
  const adjust = createSplitAdjuster(reportedValues, splits);
  return selectFigures(reportedValues)
    .currentFigures.map(adjust)
    .map(
      ({ figure: { metricKey, end, value }, ratio }) =>
        `${metricKey} ${end} ${value} ${ratio == null ? ratio : `${ratio.newShares}:${ratio.oldShares}`}`,
    );
}

test('a year filed before a split is converted to the shares after it, and a restated year is unchanged', () => {
  expect(listAdjustedFigures(ANNUAL_FACT_LINES)).toEqual([
    'eps_diluted 2019-09-28 2.97 1:1',
    'eps_diluted 2018-09-29 2.98 1:1',
    'eps_diluted 2017-09-30 2.3025 4:1',
    'weighted_shares_diluted 2019-09-28 18595651000 1:1',
    'weighted_shares_diluted 2018-09-29 20000435000 1:1',
  ]);
});

test('the split ratio of a report filed between two that show a split is unknown, unless its own comparatives show it', () => {
  const findQuarterLine = (factLines: string) =>
    listAdjustedFigures(factLines).find((line) => line.includes('2020-06-27'));
  expect(findQuarterLine(ANNUAL_FACT_LINES + QUARTER_FACT_LINE)).toBe('eps_diluted 2020-06-27 2.58 null');
  expect(findQuarterLine(ANNUAL_FACT_LINES + QUARTER_FACT_LINE + COMPARATIVE_FACT_LINES)).toBe(
    'eps_diluted 2020-06-27 0.645 4:1',
  );
});

test('a cover page counts the shares of its own day, so counts before a split are adjusted', () => {
  expect(listAdjustedFigures(ANNUAL_FACT_LINES + COVER_FACT_LINES).filter((line) => line.startsWith('common'))).toEqual(
    [
      'common_shares_outstanding 2020-10-16 17001802000 1:1',
      'common_shares_outstanding 2020-04-17 17337340000 4:1',
      'common_shares_outstanding 2019-10-18 17773060000 4:1',
    ],
  );
});

test('amounts of money are not adjusted for splits', () => {
  const revenueFactLine =
    'us-gaap Revenues USD 2016-09-25 2017-09-30 229234000000 0000320193-17-000070 10-K 2017-11-03 2017 FY -';
  expect(listAdjustedFigures(`${ANNUAL_FACT_LINES}\n${revenueFactLine}`)).toContain(
    'revenue 2017-09-30 229234000000 undefined',
  );
});
