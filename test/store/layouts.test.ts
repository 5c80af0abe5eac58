import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { openTable } from '../../src/store/local-table.ts';
import { openRelease } from '../../src/store/reader.ts';
import { readCurrentStamp } from '../../src/store/releases/home.ts';
import { readManifest } from '../../src/store/releases/manifest.ts';
import { verifyRelease } from '../../src/store/releases/verify.ts';
import { integer, text } from '../../src/store/schema/columns.ts';
import { COMPANIES } from '../../src/store/schema/companies.ts';
import type { Table } from '../../src/store/schema/declare-table.ts';
import { FILING_DOCUMENTS, FILINGS } from '../../src/store/schema/filings.ts';
import { makeFolder } from './public-source.ts';

const layoutsDirectory = resolve(import.meta.dirname, './layouts');
const OLDER_RELEASE_DIRECTORY = join(layoutsDirectory, 'older-2.0');
const NEWER_RELEASE_DIRECTORY = join(layoutsDirectory, 'newer-2.7');
const APPLE_CIK = 320193;

afterEach(() => {
  vi.doUnmock('../../src/contract/screen-columns.ts');
  vi.resetModules();
});

test.each([
  ['an older', OLDER_RELEASE_DIRECTORY],
  ['a newer', NEWER_RELEASE_DIRECTORY],
])('a release with %s minor version of the layout is read', async (_, directory) => {
  const release = openRelease(directory);
  expect(verifyRelease(directory, release.manifest)).toEqual([]);
  expect((await release.companies()).map(({ entityName }) => entityName)).toEqual(['Apple Inc.', 'NVIDIA Corp']);
  expect((await release.securities()).map(({ ticker, isPrimary }) => [ticker, isPrimary])).toEqual([
    ['AAPL', true],
    ['NVDA', true],
  ]);
  const revenueValues = await release.reportedValues(APPLE_CIK, ['revenue']);
  const currentValues = revenueValues.filter(({ end, periodKind }) => end === '2025-09-27' && periodKind === 'annual');
  expect(currentValues.map(({ value, filed, rank, splitRatio }) => [value, filed, rank, splitRatio])).toEqual([
    ['416161000000', '2025-10-31', 1, null],
  ]);
  expect(await release.rawConcepts(APPLE_CIK)).not.toEqual([]);
  expect((await release.screen(['ticker', 'revenue'])).columns).toMatchObject({ ticker: ['AAPL', 'NVDA'] });
  expect((await release.coverage()).get('revenue')).toBe(2);
  expect((await release.rowsOf(FILINGS, APPLE_CIK)).length).toBeGreaterThan(0);
  await release.close();
});

test('columns that an older release lacks are null, and its missing tables are not included', async () => {
  const release = openRelease(OLDER_RELEASE_DIRECTORY);
  expect(await release.screen(['net_income_ttm', 'pe'])).toEqual({
    length: 2,
    columns: { net_income_ttm: [null, null], pe: [null, null] },
  });
  expect(new Set((await release.rowsOf(FILINGS, APPLE_CIK)).map(({ reportDate }) => reportDate))).toEqual(
    new Set([null]),
  );
  expect(release.includes(FILING_DOCUMENTS)).toBe(false);
  expect(await release.rowsOf(FILING_DOCUMENTS, APPLE_CIK)).toEqual([]);
  await release.close();
});

test('unknown columns of a newer release are ignored', async () => {
  const release = openRelease(NEWER_RELEASE_DIRECTORY);
  expect(Object.keys(release.manifest.tables)).toContain('analyst_notes');
  expect(release.manifest.tables.companies?.columns).toMatchObject({ legal_entity: 'text', employees: 'integer' });
  const propertyNames = Object.getOwnPropertyNames(Object.getPrototypeOf(await release.company(APPLE_CIK)));
  expect(propertyNames.filter((name) => name !== 'constructor')).toEqual(COMPANIES.columns.map(({ field }) => field));
  await expect(release.screen(['cash_conversion'])).rejects.toThrow(/no column cash_conversion/);
  await release.close();
});

const matchRefusal = (message: RegExp, hint: RegExp) =>
  expect.objectContaining({
    kind: 'data',
    message: expect.stringMatching(message),
    hint: expect.stringMatching(hint),
  });

test('a release of an older major layout is refused with the hint to build it again', () => {
  expect(() => openRelease(join(layoutsDirectory, 'incompatible-1'))).toThrow(
    matchRefusal(/incompatible-1 has layout 1; this version of fin reads layouts 2\.x\.$/, /fin data build/),
  );
});

test.each(['3.0', '99.1'])('a release of layout %s is refused with the hint to upgrade fin', async (layout) => {
  const directory = join(await makeFolder('layout'), 'release');
  cpSync(NEWER_RELEASE_DIRECTORY, directory, { recursive: true });
  const path = join(directory, 'manifest.json');
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), layout }));
  expect(() => openRelease(directory)).toThrow(matchRefusal(new RegExp(`has layout "${layout}"`), /^Upgrade fin/));
});

/** Returns the table of companies as a later version of fin could define it. */
const makeExtendedCompaniesTable = (...columns: Table['columns']): Table => ({
  ...(COMPANIES as Table),
  columns: [...COMPANIES.columns, ...columns],
});

test('a missing column that is not nullable has its declared default; without a default the table is refused', async () => {
  const tableFile = readManifest(OLDER_RELEASE_DIRECTORY).tables.companies;
  if (tableFile === undefined) throw new Error('there are no companies');
  const reader = openTable(
    OLDER_RELEASE_DIRECTORY,
    makeExtendedCompaniesTable(integer('employees', { absent: -1 })),
    tableFile,
  );
  expect(await reader.rowsOf(APPLE_CIK)).toMatchObject([{ entityName: 'Apple Inc.', employees: -1 }]);
  expect(await reader.columns(['employees'])).toEqual([[-1, -1]]);
  reader.close();
  expect(() => openTable(OLDER_RELEASE_DIRECTORY, makeExtendedCompaniesTable(text('legal_entity')), tableFile)).toThrow(
    matchRefusal(/companies\.parquet has no column legal_entity, which this version of fin needs\.$/, /fin data build/),
  );
});

test('a column whose type has changed is refused', () => {
  const tableFile = readManifest(NEWER_RELEASE_DIRECTORY).tables.companies;
  if (tableFile === undefined) throw new Error('there are no companies');
  expect(() => openTable(NEWER_RELEASE_DIRECTORY, makeExtendedCompaniesTable(text('employees?')), tableFile)).toThrow(
    matchRefusal(
      /has the column employees of type integer, but this version of fin needs type text\.$/,
      /fin data build/,
    ),
  );
});

test('a new figure of the screener is null in releases built before it', async () => {
  vi.resetModules();
  vi.doMock('../../src/contract/screen-columns.ts', async (original) => {
    const originalModule = await original<typeof import('../../src/contract/screen-columns.ts')>();
    const addedFigure = {
      key: 'cash_conversion',
      label: 'Cash conversion',
      measure: 'fraction',
      priced: false,
      formula: null,
    };
    return {
      ...originalModule,
      SCREEN_FIGURES: [addedFigure, ...originalModule.SCREEN_FIGURES],
      SCREEN_COLUMNS: ['cash_conversion', ...originalModule.SCREEN_COLUMNS],
    };
  });
  const { openRelease: openWithAddedFigure } = await import('../../src/store/reader.ts');
  const home = resolve(import.meta.dirname, '../../src/store/sample');
  const release = openWithAddedFigure(join(home, readCurrentStamp(home) ?? ''));
  const { columns } = await release.screen(['ticker', 'cash_conversion', 'revenue']);
  const appleRowNumber = columns.ticker?.indexOf('AAPL') ?? -1;
  expect(columns.cash_conversion?.[appleRowNumber]).toBeNull();
  expect(columns.revenue?.[appleRowNumber]).toMatch(/^\d+$/);
  await release.close();
});
