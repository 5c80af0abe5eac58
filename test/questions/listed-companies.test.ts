import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeListFilter } from '../../src/questions/screens/company-filters.ts';
import { registerCleanUp } from '../clean-up.ts';
import { formatNotices } from './result-of.ts';

const makeRow = (ticker: string, cik: number) => ({ ticker, cik, exchange: 'NYSE', entity_name: ticker });
const ROWS = [makeRow('AAPL', 320193), makeRow('BRK-B', 1067983), makeRow('GOOG', 1652044), makeRow('GOOGL', 1652044)];

function applyFilter(options: Readonly<Record<string, string>>) {
  const filter = makeListFilter(new Map(Object.entries(options).map(([name, text]) => [name, [text]])));
  if (filter === null) throw new Error('no filter');
  const filteredRows = filter.apply(ROWS, {});
  return {
    tickers: filteredRows.map(({ ticker }) => ticker),
    notices: formatNotices({ notices: filter.notices(ROWS, filteredRows, {}) }),
  };
}

test('companies are selected by ticker in any spelling, or by CIK with all their tickers', () => {
  expect(applyFilter({ tickers: 'brk.b, aapl' }).tickers).toEqual(['AAPL', 'BRK-B']);
  expect(applyFilter({ tickers: '1652044' }).tickers).toEqual(['GOOG', 'GOOGL']);
  expect(applyFilter({ tickers: 'CIK0000320193' }).tickers).toEqual(['AAPL']);
});

test('listed companies without a row are named as typed', () => {
  expect(applyFilter({ tickers: 'aapl,fb' }).notices).toEqual([
    'Filtered by --tickers: kept 1 of 4 rows.',
    'Not found among these rows: fb. To find a ticker: fin search <name>',
  ]);
});

test('a watchlist is a file of names, one per line or in the first column of a table', () => {
  const directory = mkdtempSync(join(tmpdir(), 'fin-list-'));
  registerCleanUp(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'list.csv');
  writeFileSync(file, '\ufeffticker,name\r\n# mine\r\n"AAPL",Apple Inc.\r\nBRK B # class B\r\n\r\n');
  expect(applyFilter({ watchlist: file }).tickers).toEqual(['AAPL', 'BRK-B']);
  expect(() => applyFilter({ watchlist: join(directory, 'none') })).toThrow('cannot be read');
  writeFileSync(file, '# nothing\n');
  expect(() => applyFilter({ watchlist: file })).toThrow('has no tickers');
  expect(() => applyFilter({ tickers: 'AAPL,,' })).toThrow('has an empty item');
});
