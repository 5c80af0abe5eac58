import { expect, test } from 'vitest';
import { isFailure } from '../../src/contract/failure.ts';
import type { ScreenRow } from '../../src/contract/screen-row.ts';
import { addMonths } from '../../src/platform/dates.ts';
import screen from '../../src/questions/screen.ts';
import { makeAgeFilter, makeOldRowsNotices } from '../../src/questions/screens/company-filters.ts';
import { META } from './envelopes.ts';
import { formatNotices, runWithAnswers } from './result-of.ts';

const makeRow = (ticker: string, end: string | null): ScreenRow => ({
  cik: 1,
  ticker,
  exchange: 'NYSE',
  entity_name: ticker,
  annual_end_date: end,
  revenue: '12600600000.10',
});

const ROWS = [
  makeRow('APD', '2023-09-30'),
  makeRow('AAPL', '2025-09-27'),
  makeRow('OLD', '2020-12-31'),
  makeRow('NEW', '2025-02-18'),
];

const selectRecentRows = (age: string, rows: readonly ScreenRow[]) => {
  const filter = makeAgeFilter(new Map([['year-ended-within', [age]]]));
  if (filter === null) throw new Error('no filter was created');
  const recentRows = filter.apply(rows, META);
  return {
    tickers: recentRows.map(({ ticker }) => ticker),
    notices: formatNotices({ notices: filter.notices(rows, recentRows, META) }),
  };
};

test('--year-ended-within removes old rows from every page and from JSON, and counts them', async () => {
  const options = { 'year-ended-within': '18m' };
  const meta = { total: 4, limit: 2, columns: ['revenue'] };
  const rowsByOffset = { 0: ROWS.slice(0, 2), 2: ROWS.slice(2) } as const;
  const result = await runWithAnswers(
    screen,
    ({ parameters: { offset = 0 } }) => ({ data: rowsByOffset[Number(offset) as 0 | 2], meta }),
    { options },
  );
  const document = JSON.parse([...result.document()].join(''));
  expect(document.data).toEqual([ROWS[1], ROWS[3]]);
  expect(document.fin).toEqual({ requests: 2, narrowed: true });
  expect(formatNotices(result)).toEqual([
    '--year-ended-within 18m leaves out 2 of 4 rows, because the fiscal year ended before 2025-02-18 or its end is unknown.',
  ]);
  expect(selectRecentRows('18m', [makeRow('AAPL', '2025-09-27')]).notices).toEqual([]);
});

test.each([
  ['3y', ['APD', 'AAPL', 'NEW']],
  ['345d', ['AAPL']],
  ['1D', []],
  ['100y', ['APD', 'AAPL', 'OLD', 'NEW']],
])('--year-ended-within %s keeps %j', (age, tickers) => {
  expect(selectRecentRows(age, ROWS).tickers).toEqual(tickers);
});

test('a row without the end of its fiscal year counts as old', () => {
  expect(selectRecentRows('100y', [makeRow('X', null)]).tickers).toEqual([]);
});

test.each(['18', '0m', '1h', '101y', '1201m', '1.5y', '-1m', 'm', '', '99999999m'])(
  '--year-ended-within %j is refused',
  (age) => {
    try {
      makeAgeFilter(new Map([['year-ended-within', [age]]]));
    } catch (error) {
      expect(isFailure(error) && [error.kind, error.message, error.hint]).toEqual([
        'usage',
        `--year-ended-within ${JSON.stringify(age)} is not valid: write months as 18m, years as 2y, days as 400d.`,
        'The minimum is 1d, the maximum 100y.',
      ]);
      return;
    }
    throw new Error('the age was accepted');
  },
);

test('without --year-ended-within no row is removed; giving it twice is an error', () => {
  expect(makeAgeFilter(new Map())).toBeNull();
  expect(() => makeAgeFilter(new Map([['year-ended-within', ['1y', '2y']]]))).toThrow(
    '--year-ended-within was given 2 times; give it once.',
  );
});

test('a notice counts rows older than eighteen months and names the oldest', () => {
  const listNotices = (rows: readonly ScreenRow[]) => formatNotices({ notices: makeOldRowsNotices(rows, META) });
  expect(listNotices(ROWS)).toEqual([
    "In 2 of 4 rows the fiscal year ended more than 18 months before the release's date (oldest: OLD, fiscal year to 2020-12-31). To leave out such rows: --year-ended-within 18m",
  ]);
  expect(listNotices(ROWS.slice(0, 2))).toEqual([
    "In 1 of 2 rows the fiscal year ended more than 18 months before the release's date (APD, fiscal year to 2023-09-30). To leave out such rows: --year-ended-within 18m",
  ]);
  expect(listNotices([makeRow('NEW', '2025-02-18'), makeRow('X', null)])).toEqual([]);
});

test('an age of fiscal years in --max-age is refused, because --max-age limits the age of cached responses', () => {
  for (const age of ['18m', '2y', '400d']) {
    expect(() => makeAgeFilter(new Map([['max-age', [age]]]))).toThrow('--max-age limits the age of cached responses');
  }
  expect(makeAgeFilter(new Map([['max-age', ['2h']]]))).toBeNull();
});

test('adding months keeps the day of the month, or takes the last day of a shorter month', () => {
  expect(addMonths('2026-08-18', -18)).toBe('2025-02-18');
  expect(addMonths('2026-08-31', -18)).toBe('2025-02-28');
  expect(addMonths('2025-08-31', -18)).toBe('2024-02-29');
  expect(addMonths('2026-01-15', -1)).toBe('2025-12-15');
  expect(addMonths('2025-11-30', 3)).toBe('2026-02-28');
});
