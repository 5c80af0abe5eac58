/** `--xlsx`: a spreadsheet of the rows, read back from the XML files in it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openArchive } from '../../src/edgar/files/archive.ts';
import { makeHome, runFin } from './run-fin.ts';

/** Returns the index of a column from its letters: 0 for A, 26 for AA. */
const findColumnIndex = (letters: string): number =>
  [...letters].reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1;

async function readSpreadsheet(args: readonly string[], sheetNumber = 1) {
  const file = join(makeHome(), 'figures.xlsx');
  const { code, out } = await runFin([...args, '--xlsx', file, '-q']);
  expect({ code, out }).toEqual({ code: 0, out: '' });
  const archive = await openArchive(file, undefined, 'path');
  const readPart = async (name: string): Promise<string> => (await archive.read(name)).toString('utf8');
  const sharedTexts = [...(await readPart('xl/sharedStrings.xml')).matchAll(/<t[^>]*>([^<]*)<\/t>/g)].map(
    ([, text]) => text,
  );
  const sheetXml = await readPart(`xl/worksheets/sheet${sheetNumber}.xml`);
  const rows = [...sheetXml.matchAll(/<row [^>]*>(.*?)<\/row>/g)].map(([, cells = '']) => {
    // The file omits empty cells, so that a cell's position follows from its reference.
    const texts: (string | undefined)[] = [];
    for (const [, column = '', attributes = '', value] of cells.matchAll(
      /<c r="([A-Z]+)\d+"([^>]*?)(?:\/>|>(?:<v>([^<]*)<\/v>)?<\/c>)/g,
    ))
      texts[findColumnIndex(column)] = attributes.includes('t="s"') ? sharedTexts[Number(value)] : value;
    return texts;
  });
  const linkXml = await readPart(`xl/worksheets/_rels/sheet${sheetNumber}.xml.rels`).catch(() => '');
  const styleXml = await readPart('xl/styles.xml');
  archive.close();
  return { rows, sheet: sheetXml, links: linkXml, texts: sharedTexts, styles: styleXml };
}

test('a spreadsheet has a number next to the exact text of each figure, a frozen header, and links to filings', async () => {
  const { rows, sheet, links, texts } = await readSpreadsheet(['metrics', 'AAPL', 'MSFT', '--keys', 'revenue']);
  const [header = [], firstRow = []] = rows;
  const valueColumnIndex = header.indexOf('value');
  expect(header.slice(valueColumnIndex, valueColumnIndex + 2)).toEqual(['value', 'value (exact)']);
  expect([firstRow[valueColumnIndex], firstRow[valueColumnIndex + 1]]).toEqual(['111184000000', '111184000000']);
  expect(sheet).toMatch(/<pane ySplit="1"[^>]*state="frozen"/);

  for (const row of rows.slice(1)) expect(Number(row[valueColumnIndex])).toBe(Number(row[valueColumnIndex + 1]));
  expect(sheet).toMatch(/<hyperlink ref="[A-Z]+2" r:id="rId-link-1"\/>/);
  expect(links).toContain('Target="https://www.sec.gov/Archives/edgar/data/320193/');
  expect(texts).toContain('Release');
});

test('columns that fin adds, such as growth, are numbers too', async () => {
  const { rows } = await readSpreadsheet(['metrics', 'AAPL', '--keys', 'revenue', '--years', '1', '--growth'], 2);
  const [header = [], firstRow = []] = rows;
  const index = header.indexOf('growth');
  expect(header[index + 1]).toBe('growth (exact)');
  expect(Number(firstRow[index])).toBe(Number(firstRow[index + 1]));
});

test('item numbers are texts, not numbers', async () => {
  const { rows } = await readSpreadsheet(['filings', 'AAPL', '--forms', '8-K', '--items', '2.02', '--limit', '2']);
  expect(rows[0]).not.toContain('items (exact)');
  expect(rows[1]).toContain('2.02 9.01');
});

test('the chosen rows and fields are written, and a file name with another ending is refused', async () => {
  const { rows } = await readSpreadsheet(['screen', '--fields', 'ticker,revenue', '--limit', '1', '--no-header']);
  expect(rows).toEqual([['AAPL', '416161000000', '416161000000']]);
  const file = join(makeHome(), 'figures.csv');
  const { code, err } = await runFin(['screen', '--xlsx', file]);
  expect([code, err]).toEqual([2, expect.stringContaining('must end in .xlsx')]);
  expect((await runFin(['screen', '--xlsx', 'x.xlsx', '--csv'])).err).toContain('--xlsx and --csv cannot be combined');
  expect(existsSync(file)).toBe(false);
});

test('a statement is a sheet with lines and periods, and marks as number formats', async () => {
  const args = ['metrics', 'MSFT', '--statement', 'income', '--years', '3', '--growth'];
  const { rows, sheet, links, styles } = await readSpreadsheet(args);
  expect(rows[1]?.filter((cell) => cell !== undefined)).toEqual(['FY2025', 'FY2024', 'FY2023']);
  expect(rows.find(([label]) => label === 'Revenue')).toEqual([
    'Revenue',
    '281724000000',
    '245122000000',
    '211915000000',
  ]);
  expect(rows.find(([label]) => label?.trim() === 'growth')?.[1]).toBe('0.1493215623');
  expect(rows).toContainEqual(['* derived from reported figures']);
  expect(styles).toContain('#,##0&quot;*&quot;;[Red]-#,##0&quot;*&quot;');
  expect(sheet).toMatch(/<pane[^>]*xSplit="1"[^>]*ySplit="3"|<pane[^>]*ySplit="3"[^>]*xSplit="1"/);
  // The next sheet has the rows, with exact texts and links to the filings.
  expect(links).not.toContain('sec.gov');
  const secondSheet = await readSpreadsheet(args, 2);
  expect(secondSheet.rows[0]).toContain('value (exact)');
  expect(secondSheet.links).toContain('https://www.sec.gov/Archives/edgar/data/789019/');
});
