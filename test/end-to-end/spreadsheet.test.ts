/** `--xlsx`: a spreadsheet of the rows, read back from the XML files in it. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openArchive } from '../../src/edgar/files/archive.ts';
import { makeEnvelope, sendAnswer, serve } from '../http-service.ts';
import { makeResource } from '../resource.ts';
import { makeHome } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

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
      /<c r="([A-Z]+)\d+"([^>]*?)(?:\/>|>(?:<f>[^<]*<\/f>)?(?:<v>([^<]*)<\/v>)?<\/c>)/g,
    ))
      texts[findColumnIndex(column)] = attributes.includes('t="s"') ? sharedTexts[Number(value)] : value;
    return texts;
  });
  const linkXml = await readPart(`xl/worksheets/_rels/sheet${sheetNumber}.xml.rels`).catch(() => '');
  const styleXml = await readPart('xl/styles.xml');
  archive.close();
  return { rows, sheet: sheetXml, links: linkXml, texts: sharedTexts, styles: styleXml };
}

interface CalculatedCell {
  readonly f?: string;
  v: number | string | null;
}

/** Computes all formulas of a spreadsheet again. */
const calculate: (file: { Sheets: { Tables: Record<string, CalculatedCell> } }) => void = createRequire(
  import.meta.url,
)('xlsx-calc');

/** Returns the numbers of a sheet by address, with their formulas. */
function readCells(sheetXml: string): Record<string, CalculatedCell> {
  const cells = sheetXml.matchAll(/<c r="([A-Z]+\d+)"([^>]*)>(?:<f>([^<]*)<\/f>)?<v>([^<]*)<\/v><\/c>/g);
  return Object.fromEntries(
    [...cells].flatMap(([, address = '', attributes = '', f, v]) =>
      attributes.includes('t="s"') ? [] : [[address, { ...(f === undefined ? {} : { f }), v: Number(v) }]],
    ),
  );
}

test('each figure is one number, days are dates, the header is frozen, and filings are linked', async () => {
  const { rows, sheet, links, texts, styles } = await readSpreadsheet(['metrics', 'AAPL', 'MSFT', '--keys', 'revenue']);
  const [header = [], firstRow = []] = rows;
  expect(header.filter((name) => name?.startsWith('value'))).toEqual(['value', 'value_kind']);
  expect(firstRow[header.indexOf('value')]).toBe('111184000000');
  // 2026-03-28 is day 46,109 of Excel.
  expect(firstRow[header.indexOf('end_date')]).toBe('46109');
  expect(styles).toContain('yyyy-mm-dd');
  expect(sheet).toMatch(/<pane ySplit="1"[^>]*state="frozen"/);
  expect(sheet).toMatch(/<col min="2"[^>]* width="\d/);
  expect(sheet).toMatch(/<hyperlink ref="[A-Z]+2" r:id="rId-link-1"\/>/);
  expect(links).toContain('Target="https://www.sec.gov/Archives/edgar/data/320193/');
  expect(texts).toContain('Release');
});

test('a column with a figure of more than 15 digits is followed by the exact texts', async () => {
  const figures = ['0.12345678901234567', '12'].map((value) => makeResource('MetricValue', { value, unit: 'pure' }));
  const { baseUrl } = await serve((_, response) => sendAnswer(response, makeEnvelope(figures)));
  const { rows } = await readSpreadsheet(['metrics', 'ONE', '--base-url', baseUrl]);
  const [header = [], first = [], second = []] = rows;
  const column = header.indexOf('value');
  expect(header[column + 1]).toBe('value (exact)');
  expect([first[column + 1], second[column + 1]]).toEqual(['0.12345678901234567', '12']);
  expect(header).not.toContain('confidence (exact)');
});

test.each([
  ['AAPL', '--years 4 --growth', 40],
  ['KHC', '--quarters 6', 80],
  ['META', '--years 5 --common-size', 40],
  ['AMPH', '--years 3', 40],
  ['NVDA', '--years 5 --ttm', 60],
])('the statements of %s %s carry formulas that give the values of fin', async (ticker, options, least) => {
  const statements = ['--statement', 'income,balance,cash-flow,ratios'];
  const { sheet, rows } = await readSpreadsheet(['metrics', ticker, ...statements, ...options.split(' ')]);
  const shown = readCells(sheet);
  const computed = structuredClone(shown);
  for (const cell of Object.values(computed)) if (cell.f !== undefined) cell.v = null;
  calculate({ Sheets: { Tables: computed } });
  expect(Object.values(shown).filter(({ f }) => f !== undefined).length).toBeGreaterThan(least);
  for (const [address, { f, v }] of Object.entries(shown))
    expect({ address, f, v: computed[address]?.v }).toEqual({ address, f, v });
  const findRow = (label: string) => rows.findIndex(([text]) => text?.trim() === label) + 1;
  const [revenue, gross] = [computed[`B${findRow('Revenue')}`], computed[`B${findRow('Gross profit')}`]];
  if (revenue === undefined || revenue.f !== undefined || gross?.f === undefined) return;
  revenue.v = Number(revenue.v) + 1000;
  calculate({ Sheets: { Tables: computed } });
  expect(gross.v).toBe(Number(shown[`B${findRow('Gross profit')}`]?.v) + 1000);
});

test('item numbers are texts, not numbers', async () => {
  const { rows } = await readSpreadsheet(['filings', 'AAPL', '--forms', '8-K', '--items', '2.02', '--limit', '2']);
  expect(rows[1]).toContain('2.02 9.01');
});

test('the chosen rows and fields are written, and a file name with another ending is refused', async () => {
  const { rows } = await readSpreadsheet(['screen', '--fields', 'ticker,revenue', '--limit', '1', '--no-header']);
  expect(rows).toEqual([['AAPL', '416161000000']]);
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
  // The next sheet has the rows, with links to the filings.
  expect(links).not.toContain('sec.gov');
  const secondSheet = await readSpreadsheet(args, 2);
  const index = secondSheet.rows[0]?.indexOf('growth') ?? -1;
  expect(secondSheet.rows[1]?.[index]).toBe('0.1493215623');
  expect(secondSheet.links).toContain('https://www.sec.gov/Archives/edgar/data/789019/');
});
