import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { PartJoiner } from '../../../src/building/companies/company-batch.ts';
import { integer } from '../../../src/store/schema/columns.ts';
import { defineTable } from '../../../src/store/schema/declare-table.ts';
import { PartSink, type TablePart } from '../../../src/store/table-part.ts';
import { TableSink } from '../../../src/store/table-writer.ts';

const directory = mkdtempSync(join(tmpdir(), 'fin-joiner-'));
afterAll(() => rmSync(directory, { recursive: true }));

interface Row {
  readonly number: number;
  readonly index: number;
}

const NUMBERS_TABLE = defineTable<Row>()({
  name: 'numbers',
  key: 'number',
  groupRows: 10,
  columns: [integer('number', 'number'), integer('index', 'index')],
});

/**
 * Returns a part in which one key has this number of rows. Five or more rows make a row group; fewer rows become the
 * part's remaining rows.
 */
function createPart(key: number, rowCount: number): TablePart {
  const sink = new PartSink<Row>(NUMBERS_TABLE);
  sink.add(
    key,
    Array.from({ length: rowCount }, (_, index) => ({ number: key, index })),
  );
  return sink.finish();
}

function writeTable(name: string, parts: readonly TablePart[]) {
  mkdirSync(join(directory, name));
  const sink = new TableSink<Row>(join(directory, name), NUMBERS_TABLE);
  for (const part of parts) sink.append(part);
  const { file, rows } = sink.finish();
  return { content: file.content, rows, bytes: readFileSync(join(directory, name, 'numbers.parquet'), 'base64') };
}

test('joined parts give the same bytes as separate parts, however many parts are joined', () => {
  const rowCounts = [3, 4, 0, 12, 3, 2, 7, 1, 4, 4, 4, 3, 30, 2, 2, 9, 0, 1, 3];
  const createParts = () => rowCounts.map((rows, number) => createPart(number, rows));
  const separateWriteResult = writeTable('apart', createParts());
  expect(separateWriteResult.rows).toBe(rowCounts.reduce((sum, rows) => sum + rows));
  for (const partsPerJoiner of [1, 2, 3, 5, 8, rowCounts.length]) {
    const joinedParts: TablePart[] = [];
    for (let startIndex = 0; startIndex < rowCounts.length; startIndex += partsPerJoiner) {
      const joiner = new PartJoiner(NUMBERS_TABLE);
      for (const part of createParts().slice(startIndex, startIndex + partsPerJoiner)) joiner.add(part);
      joinedParts.push(...joiner.finish());
    }
    expect(writeTable(`by-${partsPerJoiner}`, joinedParts)).toEqual(separateWriteResult);
    // The two parts with rows before the first row group stay separate, and empty parts are dropped; all later parts
    // become one part.
    if (partsPerJoiner === rowCounts.length) expect(joinedParts).toHaveLength(3);
  }
});
