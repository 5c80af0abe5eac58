import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readDelimited, TableError } from '../../../src/edgar/files/delimited.ts';
import { SkippedRowCounts } from '../../../src/edgar/files/skipped-rows.ts';

async function readChunks(
  chunks: readonly (string | Uint8Array)[],
  requiredColumns: readonly string[],
  optionalColumns: readonly string[] = [],
) {
  const skipped = new SkippedRowCounts();
  const rows = [];
  const byteStream = Readable.from(chunks.map((chunk) => Buffer.from(chunk as string)));
  for await (const batch of readDelimited(byteStream, {
    label: 'T.tsv',
    delimiter: '\t',
    required: requiredColumns,
    optional: optionalColumns,
    skipped,
  })) {
    rows.push(...batch);
  }
  return { rows, counts: skipped.getCounts() };
}

test('rows are read by column names, whatever the order of the columns, the line ends and the chunks', async () => {
  const dividedTable = ['\uFEFFname\tVAL', 'UE\tX\r\nÅbo\t1\t\r\n"a ""b"""\t', '2\tz'];
  const { rows } = await readChunks(dividedTable, ['VALUE', 'NAME'], ['Y']);
  expect(rows).toEqual([
    { VALUE: '1', NAME: 'Åbo', Y: '' },
    { VALUE: '2', NAME: 'a "b"', Y: '' },
  ]);
});

test('a character divided between two chunks is read correctly', async () => {
  const bytes = Buffer.from('N\nÅbo\n');
  expect((await readChunks([bytes.subarray(0, 3), bytes.subarray(3)], ['N'])).rows).toEqual([{ N: 'Åbo' }]);
});

test('a short line is counted, and the error for a missing column names the column and the file', async () => {
  expect((await readChunks(['A\tB\n1\n1\t2\n'], ['A', 'B'])).counts).toEqual({ 'a line with too few cells': 1 });
  await expect(readChunks(['A\tB\n1\t2\n'], ['A', 'C'])).rejects.toThrow(
    new TableError('T.tsv: the header has no column C'),
  );
  await expect(readChunks([], ['A'])).rejects.toThrow(/empty/);
});

test('rows excluded by a column are ignored, without being counted', async () => {
  const skipped = new SkippedRowCounts();
  const rows = [];
  const bytes = Readable.from([Buffer.from('A\tTAG\n1\tx\n2\ty\n3\t"x"\n')]);
  const rowFilter = { column: 'TAG', accepts: (cell: string) => cell === 'x' } as const;
  const options = { label: 'T.tsv', delimiter: '\t', required: ['A', 'TAG'], skipped, rowFilter } as const;
  for await (const batch of readDelimited(bytes, options)) rows.push(...batch);
  expect(rows.map(({ A }) => A)).toEqual(['1', '3']);
  expect(skipped.getCounts()).toEqual({});
});
