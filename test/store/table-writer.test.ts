import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetMetadata } from 'hyparquet';
import { expect, test } from 'vitest';
import { openTable } from '../../src/store/local-table.ts';
import { SECURITIES } from '../../src/store/schema/companies.ts';
import { SECURITY_HOLDERS } from '../../src/store/schema/holders.ts';
import { PRICES } from '../../src/store/schema/prices.ts';
import { PartSink, type TablePart } from '../../src/store/table-part.ts';
import { TableSink } from '../../src/store/table-writer.ts';
import { makeFolder } from './public-source.ts';

const makePriceRow = (cik: number, day: string, value = '1.50') => ({
  cik,
  tickerNormalized: 'T',
  day,
  price: value,
  source: 'fails' as const,
  sample: 1,
  agreement: null,
  soldAt: null,
  attribution: null,
});

/** Copies a row, which is a view of its columns, to a plain object. */
function copyRow(row: object): object {
  return Object.fromEntries(PRICES.columns.map(({ field }) => [field, Reflect.get(row, field)]));
}

test('rows written company by company are read by company, by range and by column, with every digit', async () => {
  const folder = await makeFolder('sink');
  const sink = new TableSink(folder, PRICES);
  for (let cik = 1; cik <= 5000; cik++)
    sink.add(cik, [makePriceRow(cik, '2026-01-02'), makePriceRow(cik, '2026-01-05', `${cik}.10`)]);
  const { file, rows } = sink.finish();
  expect(rows).toBe(10_000);
  const reader = openTable(folder, PRICES, file);
  expect((await reader.rowsOf(4321)).map(copyRow)).toEqual([
    makePriceRow(4321, '2026-01-02'),
    makePriceRow(4321, '2026-01-05', '4321.10'),
  ]);
  for (const cik of [1, 5000, 2500, 1, 3777]) {
    expect((await reader.rowsOf(cik)).map(copyRow)).toEqual([
      makePriceRow(cik, '2026-01-02'),
      makePriceRow(cik, '2026-01-05', `${cik}.10`),
    ]);
  }
  expect(await reader.rowsOf(5001)).toEqual([]);
  const readCiksBetween = async (firstCik: number, lastCik: number) =>
    (await reader.rowsBetween(firstCik, lastCik)).map(({ cik }) => cik);
  const listCiksTwice = (firstCik: number, lastCik: number) =>
    Array.from({ length: 2 * (lastCik - firstCik + 1) }, (_, row) => firstCik + (row >> 1));
  expect(await readCiksBetween(3, 4)).toEqual(listCiksTwice(3, 4));
  // Reads ranges that span several row groups, and ranges that end outside the keys of the table.
  expect(await readCiksBetween(900, 2100)).toEqual(listCiksTwice(900, 2100));
  expect(await readCiksBetween(0, 1)).toEqual([1, 1]);
  expect(await readCiksBetween(5000, 9000)).toEqual([5000, 5000]);
  expect(await readCiksBetween(5001, 9000)).toEqual([]);
  const readRowsOfEach = async (...ciks: number[]) => (await reader.rowsOfEach(ciks)).map(copyRow);
  const makeExpectedRows = (cik: number) => [
    makePriceRow(cik, '2026-01-02'),
    makePriceRow(cik, '2026-01-05', `${cik}.10`),
  ];
  // Reads keys in any order, repeated or unknown; then reads keys in more row groups than are cached.
  expect(await readRowsOfEach(4999, 3, 6000, 4, 3, 0)).toEqual([3, 4, 4999].flatMap(makeExpectedRows));
  expect(await readRowsOfEach()).toEqual([]);
  const manyCiks = Array.from({ length: 500 }, (_, index) => 10 * index + 1);
  expect(await readRowsOfEach(...manyCiks)).toEqual(manyCiks.flatMap(makeExpectedRows));
  // Reads some rows of a column, other rows of the same column, and all rows.
  for (const rowNumbers of [[9999, 0], [5, 6001], undefined]) {
    const expectedCiks = (rowNumbers ?? Array.from({ length: 10_000 }, (_, row) => row)).map((row) => 1 + (row >> 1));
    expect((await reader.columns(['cik'], rowNumbers))[0]).toEqual(expectedCiks);
  }
  reader.close();
});

test('a table has row groups of at least its requested size, and all rows of a key in one row group', async () => {
  const folder = await makeFolder('sink');
  const tableWithSmallGroups = { ...PRICES, groupRows: 3 };
  const sink = new TableSink(folder, tableWithSmallGroups);
  for (let cik = 1; cik <= 4; cik++) sink.add(cik, [makePriceRow(cik, '2026-01-02'), makePriceRow(cik, '2026-01-05')]);
  const { file } = sink.finish();
  const { row_groups } = parquetMetadata(new Uint8Array(readFileSync(join(folder, file.file))).buffer);
  expect(row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([4, 4]);
});

test('a table without a key has one row group, or row groups of its requested size', async () => {
  const securities = Array.from({ length: 2500 }, (_, index) => ({
    ...{ ticker: `T${index}`, tickerNormalized: `T${index}`, exchange: 'NYSE', cik: index + 1, isPrimary: true },
    ...{ isActive: true, coverageState: 'covered' as const },
  }));
  for (const [groupRows, groupSizes] of [
    [undefined, [2500]],
    [1000, [1000, 1000, 500]],
  ] as const) {
    const folder = await makeFolder('sink');
    const table = { ...SECURITIES, ...(groupRows && { groupRows }) };
    const sink = new TableSink(folder, table);
    sink.add(0, securities);
    const reader = openTable(folder, table, sink.finish().file);
    expect(await reader.groupSizes()).toEqual(groupSizes);
    expect(await reader.columns(['cik'], [2499, 0, 1000])).toEqual([[2500, 1, 1001]]);
    expect((await reader.columns(['cik']))[0]).toEqual(securities.map(({ cik }) => cik));
    reader.close();
  }
});

test('a table joined from parts of any size has the same rows as a table written key by key', async () => {
  const makeRows = (cik: number) =>
    Array.from({ length: cik % 5 }, (_, day) => makePriceRow(cik, `2026-01-0${day + 1}`));
  const ciks = Array.from({ length: 3000 }, (_, index) => index + 1);
  const [singleFolder, joinedFolder] = [await makeFolder('sink'), await makeFolder('sink')];
  const singleSink = new TableSink(singleFolder, PRICES);
  for (const cik of ciks) singleSink.add(cik, makeRows(cik));
  const singleResult = singleSink.finish();
  const joinedSink = new TableSink(joinedFolder, PRICES);
  const parts: TablePart[] = [];
  for (let from = 0, size = 1; from < ciks.length; from += size, size = (size * 7) % 1801) {
    const partSink = new PartSink(PRICES);
    for (const cik of ciks.slice(from, from + size)) partSink.add(cik, makeRows(cik));
    parts.push(partSink.finish());
  }
  for (const part of parts) joinedSink.append(part);
  const { rows, file } = joinedSink.finish();
  expect(rows).toBe(singleResult.rows);
  const reader = openTable(joinedFolder, PRICES, file);
  expect((await reader.rowsBetween(1, 3000)).map(copyRow)).toEqual(ciks.flatMap(makeRows));
  reader.close();
  const lateSink = new PartSink(PRICES);
  lateSink.add(2, makeRows(2));
  const sink = new TableSink(await makeFolder('sink'), PRICES);
  sink.add(2, makeRows(2));
  expect(() => sink.append(lateSink.finish())).toThrow(/key 2 came after those of key 2/);
  sink.abandon();
});

test('addSorted gives the same part as adding the rows key by key', () => {
  const makeRows = (cik: number) =>
    Array.from({ length: cik % 5 }, (_, day) => makePriceRow(cik, `2026-01-0${day + 1}`));
  const ciks = Array.from({ length: 3000 }, (_, index) => index + 1);
  const [singleSink, sortedSink] = [new PartSink(PRICES), new PartSink(PRICES)];
  for (const cik of ciks) singleSink.add(cik, makeRows(cik));
  sortedSink.addSorted(ciks.slice(0, 1234).flatMap(makeRows));
  sortedSink.addSorted(ciks.slice(1234).flatMap(makeRows));
  const sortedPart = sortedSink.finish();
  expect(sortedPart.groups.length).toBeGreaterThan(1);
  expect(sortedPart).toEqual(singleSink.finish());
  expect(() => sortedSink.addSorted([makePriceRow(3001, '2026-01-02'), makePriceRow(3000, '2026-01-02')])).toThrow(
    /key 3000 came after those of key 3001/,
  );
});

test('companies out of order are refused, and the content hash depends on the written rows', async () => {
  const computeHash = async (rows: readonly ReturnType<typeof makePriceRow>[]) => {
    const sink = new TableSink(await makeFolder('sink'), PRICES);
    for (const row of rows) sink.add(row.cik, [row]);
    return sink.finish().file.content;
  };
  const row = makePriceRow(1, '2026-01-02');
  expect(await computeHash([row, makePriceRow(2, '2026-01-02')])).toBe(
    await computeHash([row, makePriceRow(2, '2026-01-02')]),
  );
  expect(await computeHash([row])).not.toBe(await computeHash([makePriceRow(1, '2026-01-02', '1.5')]));
  const sink = new TableSink(await makeFolder('sink'), PRICES);
  sink.add(2, [makePriceRow(2, '2026-01-02')]);
  expect(() => sink.add(1, [row])).toThrow(/key 1 came after those of key 2/);
  sink.abandon();
});

test('a table without rows is written and read', async () => {
  const folder = await makeFolder('sink');
  const { file } = new TableSink(folder, SECURITY_HOLDERS).finish();
  const reader = openTable(folder, SECURITY_HOLDERS, file);
  expect(await reader.readAll()).toEqual([]);
  reader.close();
});
