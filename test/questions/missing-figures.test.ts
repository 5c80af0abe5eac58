/** Tests notices about missing figures of a screen. */
import { expect, test } from 'vitest';
import screen from '../../src/questions/screen.ts';
import { formatNotices, runWithAnswers, runWithData } from './result-of.ts';

const makeRow = (ticker: string, figures: object) => ({
  ...{ cik: ticker.charCodeAt(0), ticker, exchange: 'NYSE', entity_name: `${ticker} Inc.` },
  ...{ fiscal_year: 2024, annual_end_date: '2025-12-31', ...figures },
});
const META = { total: 2, universe: 95, limit: 25, offset: 0 };

test('a notice counts the companies that lack each figure of the filters', async () => {
  const findLeftOutNotice = async (meta: object) =>
    formatNotices(await runWithData(screen, [], { meta: { ...META, total: 0, set_aside: 94, ...meta } })).find((text) =>
      text.includes('left out'),
    );
  const whereFilters = ['operating_margin:gt:0.2', 'dividends_paid:gt:0', 'revenue:gt:0'];
  const set_aside_by = [
    { column: 'operating_margin', companies: 19 },
    { column: 'dividends_paid', companies: 81 },
    { column: 'revenue', companies: 0 },
  ];
  expect(await findLeftOutNotice({ where: whereFilters, set_aside_by })).toBe(
    '94 of 95 companies are left out, because they lack a figure that a filter uses: operating_margin (19 companies), dividends_paid (81 companies).',
  );
  expect(await findLeftOutNotice({ where: whereFilters.slice(0, 1) })).toBe(
    '94 of 95 companies are left out, because they lack operating_margin.',
  );
  // The answer of another service may lack `set_aside_by`.
  expect(await findLeftOutNotice({ where: whereFilters })).toBe(
    '94 of 95 companies are left out, because they lack a figure that a filter uses.',
  );
});

test('a notice counts the empty rows of each requested column, and states the formula of the column', async () => {
  const rows = [
    makeRow('A', { operating_margin: null, assets: '5' }),
    makeRow('B', { operating_margin: '0.3', assets: null }),
  ];
  const columns = ['fiscal_year', 'operating_margin', 'assets', 'annual_end_date'];
  const meta = { ...META, columns, sort: 'operating_margin' };
  const options = { columns: 'operating_margin,assets', sort: 'operating_margin' };
  expect(formatNotices(await runWithData(screen, rows, { meta, options }))).toEqual([
    'Some values are missing, because the release lacks them, or figures from which they are derived: operating_margin (1 of 2 rows; operating_income / revenue), assets (1 of 2 rows). Rows without operating_margin come last, sorted by ticker.',
  ]);
  // Columns that are shown without being named are counted, too.
  expect(formatNotices(await runWithData(screen, rows, { meta: { ...META, columns } }))).toEqual([
    expect.stringContaining('operating_margin (1 of 2 rows; operating_income / revenue), assets (1 of 2 rows).'),
  ]);
});

test('a notice counts all companies that lack the figure of the sort, not only those of the page', async () => {
  const rows = [makeRow('A', { roe: '0.5' }), makeRow('B', { roe: '0.4' })];
  const missing_by = [{ column: 'roe', companies: 78 }];
  const meta = { ...META, total: 95, columns: ['roe'], sort: 'roe', dir: 'desc', missing_by };
  const run = async (options: Readonly<Record<string, string>>, total = 95) =>
    formatNotices(
      await runWithData(screen, rows, { meta: { ...meta, total }, options: { sort: 'roe', dir: 'desc', ...options } }),
    );
  expect(await run({ limit: '2' })).toContainEqual(
    'Some values are missing, because the release lacks them, or figures from which they are derived: roe (78 of 95 companies; net_income / stockholders_equity). Rows without roe come last, sorted by ticker.',
  );
  // The service does not know which companies fin filters out itself.
  expect((await run({ tickers: 'A' }, 2)).join(' ')).not.toContain('78');
});

test('if no price is recent enough, a notice names the last day with prices', async () => {
  const runAndJoinNotices = async (latest: string, hasPastPrices = true) =>
    formatNotices(
      await runWithAnswers(
        screen,
        ({ operation, parameters: { as_of: day } }) => {
          if (operation.id === 'prices') return { data: { latest: { day: latest } } };
          if (day !== undefined) return hasPastPrices ? { data: [] } : null;
          const data = [makeRow('A', { market_cap: null }), makeRow('B', { market_cap: null })];
          return { data, meta: { ...META, columns: ['market_cap'], sort: 'market_cap' } };
        },
        { options: { columns: 'market_cap' } },
      ),
    ).join(' ');
  expect(await runAndJoinNotices('2026-01-30')).toContain(
    'The latest prices of many companies are from 2026-01-30 or earlier. To screen as of that day: --as-of 2026-01-30',
  );
  expect(await runAndJoinNotices('2026-01-30', false)).not.toContain('--as-of');
  expect(await runAndJoinNotices('2026-08-01')).not.toContain('--as-of');
});
