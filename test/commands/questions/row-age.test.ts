import { expect, test } from 'vitest';
import type { FetchedAnswer } from '../../../src/ask/fetch/fetch.ts';
import { keepRows } from '../../../src/ask/keep-rows.ts';
import { oldRowsNotice, youngerRows } from '../../../src/commands/questions/shared/row-age.ts';
import { isFailure } from '../../../src/contract/failure.ts';
import type { ScreenRow } from '../../../src/contract/resources/screen.ts';
import { addMonths } from '../../../src/platform/dates.ts';
import { META } from '../envelopes.ts';

const row = (ticker: string, end: string | null): ScreenRow => ({
  cik: 1,
  ticker,
  exchange: 'NYSE',
  entity_name: ticker,
  annual_end_date: end,
  revenue: '12600600000.10',
});

const ROWS = [row('APD', '2023-09-30'), row('AAPL', '2025-09-27'), row('OLD', '2020-12-31'), row('NEW', '2025-02-18')];

const pagesOf = (...pages: readonly (readonly ScreenRow[])[]): FetchedAnswer => {
  const answers = pages.map((data) => ({ data, meta: META }));
  return {
    answer: answers.at(-1) ?? { data: [], meta: META },
    pages: () => answers,
    whole: () => ({ data: pages.flat(), meta: META }),
    text: () => [],
    close: () => undefined,
  };
};

const kept = (age: string, ...pages: readonly (readonly ScreenRow[])[]) => {
  const filter = youngerRows(new Map([['max-age', [age]]]));
  if (filter === null) throw new Error('no filter');
  // The pipeline knows no rows, only lists.
  return keepRows(pagesOf(...pages), filter as Parameters<typeof keepRows>[1]);
};

test('--max-age leaves old rows out of every page and of the document, and counts them', () => {
  const fetched = kept('18m', ROWS.slice(0, 2), ROWS.slice(2));
  expect([...fetched.pages()].map(({ data }) => data)).toEqual([[ROWS[1]], [ROWS[3]]]);
  expect(JSON.parse([...fetched.text()].join(''))).toEqual({ data: [ROWS[1], ROWS[3]], meta: META });
  expect(fetched.notices).toEqual([
    '2 of 4 rows of the service left out here by --max-age 18m: fiscal year ended before 2025-02-18.',
  ]);
  expect(kept('18m', [row('AAPL', '2025-09-27')]).notices).toEqual([]);
});

test.each([
  ['3y', ['APD', 'AAPL', 'NEW']],
  ['345d', ['AAPL']],
  ['1D', []],
  ['100y', ['APD', 'AAPL', 'OLD', 'NEW']],
])('--max-age %s keeps %j', (age, tickers) => {
  expect((kept(age, ROWS).whole().data as ScreenRow[]).map(({ ticker }) => ticker)).toEqual(tickers);
});

test('a row without the end of its year is as old as can be', () => {
  expect(kept('100y', [row('X', null)]).whole().data).toEqual([]);
});

test.each(['18', '0m', '1h', '101y', '1201m', '1.5y', '-1m', 'm', '', '99999999m'])(
  '--max-age %j is refused',
  (age) => {
    try {
      youngerRows(new Map([['max-age', [age]]]));
    } catch (error) {
      expect(isFailure(error) && [error.kind, error.message, error.hint]).toEqual([
        'usage',
        `--max-age ${JSON.stringify(age)} is no age of figures, such as 18m (months), 2y or 400d.`,
        'It is from 1d to 100y. How old a cached response may be: --fresh, --offline',
      ]);
      return;
    }
    throw new Error('it was taken');
  },
);

test('without the option nothing is left out; given twice it is a mistake', () => {
  expect(youngerRows(new Map())).toBeNull();
  expect(() => youngerRows(new Map([['max-age', ['1y', '2y']]]))).toThrow('--max-age was given 2 times; give it once.');
});

test('a notice counts rows older than eighteen months and names the oldest', () => {
  expect(oldRowsNotice(ROWS, META)).toEqual([
    '2 of 4 rows older than 18 months (the oldest OLD, fiscal year to 2020-12-31). Leave out: --max-age 18m',
  ]);
  expect(oldRowsNotice(ROWS.slice(0, 2), META)).toEqual([
    '1 of 2 rows older than 18 months (APD, fiscal year to 2023-09-30). Leave out: --max-age 18m',
  ]);
  expect(oldRowsNotice([row('NEW', '2025-02-18'), row('X', null)], META)).toEqual([]);
});

test('months are those of the calendar', () => {
  expect(addMonths('2026-08-18', -18)).toBe('2025-02-18');
  expect(addMonths('2026-08-31', -18)).toBe('2025-02-28');
  expect(addMonths('2025-08-31', -18)).toBe('2024-02-29');
  expect(addMonths('2026-01-15', -1)).toBe('2025-12-15');
  expect(addMonths('2025-11-30', 3)).toBe('2026-02-28');
});
