import { expect, test } from 'vitest';
import { openArchive } from '../../../src/edgar/files/archive.ts';
import { SkippedRowCounts } from '../../../src/edgar/files/skipped-rows.ts';
import { type FilingIndexRow, readIndex } from '../../../src/edgar/filings/filing-index.ts';
import { expectOfFiles, getPublicFilePath, testWithPublicFile } from '../../public-files.ts';

async function* yieldOnce(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

async function readAllRows(chunks: AsyncIterable<Buffer>, skipped = new SkippedRowCounts()): Promise<FilingIndexRow[]> {
  const rows: FilingIndexRow[] = [];
  for await (const row of readIndex(chunks, skipped)) rows.push(row);
  return rows;
}

const HEADER = 'Description:           Daily Index\nLast Data Received:    Mar 18, 2020\n \n';
const DASH_LINE = `${'-'.repeat(120)}\n`;
const DELHI_ROW = {
  form: '1-A POS',
  cik: 927719,
  filed: '2020-03-18',
  accession: '0001010549-20-000033',
};

test('in a form index, the form type is read from the left, whatever the column positions', async () => {
  const row =
    '1-A POS     DELHI BANK CORP            927719      20200318    edgar/data/927719/0001010549-20-000033.txt  \n';
  const text = `${HEADER}Form Type   Company Name    CIK\n      Date Filed  File Name\n${DASH_LINE}${row}`;
  expect(await readAllRows(yieldOnce(text))).toEqual([DELHI_ROW]);
});

test('in a company index, the form type is read from the right, because company names may contain wide gaps', async () => {
  const row = 'DELHI  BANK CORP     1-A POS     927719      20200318    edgar/data/927719/0001010549-20-000033.txt\n';
  const text = `${HEADER}Company Name     Form Type   CIK\n      Date Filed  File Name\n${DASH_LINE}${row}`;
  expect(await readAllRows(yieldOnce(text))).toEqual([DELHI_ROW]);
});

test('a master index is split at its bars; both date formats and a bar within a name are read', async () => {
  const rows = [
    '927719|DELHI BANK CORP|1-A POS|20200318|edgar/data/927719/0001010549-20-000033.txt',
    '1067983|BERKSHIRE|A|4|2025-10-08|edgar/data/1067983/0001398344-25-019020.txt',
    '1067983|NO PATH|4|2025-10-08|edgar/data/1067983/',
  ];
  const skipped = new SkippedRowCounts();
  const indexRows = await readAllRows(
    yieldOnce(`${HEADER}CIK|Company Name|Form Type|Date Filed|File Name\n${DASH_LINE}${rows.join('\n')}`),
    skipped,
  );
  expect(indexRows).toEqual([
    DELHI_ROW,
    { form: '4', cik: 1067983, filed: '2025-10-08', accession: '0001398344-25-019020' },
  ]);
  expect(skipped.getCounts()).toEqual({ 'a line that does not describe a filing, in a filing index': 1 });
});

test('a text that is not an index yields no rows and is counted', async () => {
  const skipped = new SkippedRowCounts();
  expect(await readAllRows(yieldOnce('<html>Request Rate Threshold Exceeded</html>'), skipped)).toEqual([]);
  expect(skipped.getCounts()).toEqual({ 'a filing index without its header': 1 });
});

testWithPublicFile('index.zip', 'every line of real daily indexes of all layouts is read', async () => {
  const archive = await openArchive(getPublicFilePath('index.zip'));
  const countsByFile: Record<string, [number, number]> = {};
  for (const name of archive.names.filter((member) => /\.(idx|txt)$/.test(member))) {
    const skipped = new SkippedRowCounts();
    const rows = await readAllRows(archive.stream(name), skipped);
    expect(skipped.getCounts(), name).toEqual({});
    expect(
      rows.every((row) => /^\S+( \S+)*$/.test(row.form) && row.form.length <= 20),
      name,
    ).toBe(true);
    countsByFile[name] = [rows.length, new Set(rows.map((row) => row.accession)).size];
  }
  archive.close();
  // The numbers of the whole file of 18 March 2020 were counted by hand.
  expect(countsByFile['form.20200318.idx']).toEqual(expectOfFiles([4084, 2666], [25, 25]));
  expect(Object.keys(countsByFile)).toHaveLength(6);
});

testWithPublicFile(
  'datasets/master_2025_QTR4.zip',
  'an index of a whole quarter and all filers is streamed',
  async () => {
    const archive = await openArchive(getPublicFilePath('datasets/master_2025_QTR4.zip'));
    const skipped = new SkippedRowCounts();
    let rowCount = 0;
    let appleAnnualReportCount = 0;
    for await (const row of readIndex(archive.stream('master.idx'), skipped)) {
      rowCount += 1;
      if (row.cik === 320193 && row.form === '10-K') appleAnnualReportCount += 1;
    }
    archive.close();
    expect(rowCount).toBeGreaterThan(expectOfFiles(270_000, 100));
    expect(skipped.getCounts()).toEqual({});
    expect(appleAnnualReportCount).toBe(1);
  },
);
