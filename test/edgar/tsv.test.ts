import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ArchiveError, openArchive } from '../../src/edgar/archive.ts';
import { Tally } from '../../src/edgar/tally.ts';
import { readTable, TableError } from '../../src/edgar/tsv.ts';
import { makeZip } from './make-zip.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fin-tsv-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function* chunksOf(text: string, size = 3): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function rowsOf(text: string, columns: readonly string[], tally = new Tally()): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const row of readTable(chunksOf(text), columns, tally)) rows.push(columns.map((column) => row.at(column)));
  return rows;
}

test('columns are found by name, whatever their order and case, across chunks that split letters', async () => {
  expect(await rowsOf('\uFEFFb\tA\r\nzwö\t1\r\n\tNestlé\n', ['A', 'B'])).toEqual([
    ['1', 'zwö'],
    ['Nestlé', ''],
  ]);
});

test('a row of another width is set aside and counted, an empty line is nothing', async () => {
  const tally = new Tally();
  expect(await rowsOf('A\tB\n1\t2\n3\n\n4\t5\t6\n7\t8', ['A', 'B'], tally)).toEqual([
    ['1', '2'],
    ['7', '8'],
  ]);
  expect(tally.counts()).toEqual({ 'a row with another number of cells than its header': 2 });
});

test('a table without a needed column is refused by name, as is one without a header', async () => {
  await expect(rowsOf('A\tB\n', ['A', 'CUSIP'])).rejects.toThrow('no column CUSIP');
  await expect(rowsOf('', ['A'])).rejects.toThrow(TableError);
  await expect(rowsOf('A\ta\n', ['A'])).rejects.toThrow('twice');
});

test('a member streams from an archive, by path where folders tell members apart', async () => {
  const path = join(folder, 'set.zip');
  await makeZip(path, { 'one/T.tsv': 'A\n1\n', 'two/T.tsv': 'A\n2\n' });
  const archive = await openArchive(path, undefined, 'path');
  expect(archive.names).toEqual(['one/T.tsv', 'two/T.tsv']);
  const stream = await archive.stream('TWO/t.tsv');
  const rows: string[] = [];
  if (stream !== null) for await (const row of readTable(stream, ['A'], new Tally())) rows.push(row.at('A'));
  expect(rows).toEqual(['2']);
  expect(await archive.stream('three/T.tsv')).toBeNull();
  archive.close();
});

test('a damaged member ends its stream in an error that names it', async () => {
  const path = join(folder, 'damaged.zip');
  await makeZip(path, { 'T.tsv': 'A\n1\n' });
  const sum = (await readFile(path)).indexOf('PK\x01\x02') + 16;
  const file = await open(path, 'r+');
  await file.write(Buffer.from([1, 2, 3, 4]), 0, 4, sum);
  await file.close();
  const archive = await openArchive(path);
  const drain = async () => {
    for await (const _ of (await archive.stream('T.tsv')) ?? []);
  };
  await expect(drain()).rejects.toThrow(ArchiveError);
  await expect(drain()).rejects.toThrow(/T\.tsv: .*damaged|T\.tsv: cannot be read/);
  archive.close();
});
