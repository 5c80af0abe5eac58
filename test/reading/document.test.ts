import { expect, test } from 'vitest';
import { readDocument } from '../../src/reading/document.ts';
import { encode, readHtml } from './filing.ts';

const textsOf = (body: string) => readHtml(body).blocks.map(({ text }) => text);

test('hidden text is skipped, and text keeps its place in the source', () => {
  const source =
    '<html><head><title>No</title></head><body><div style="display: none"><p>No</p></div><ix:header>No</ix:header>' +
    '<p hidden>No</p><p>Yes &amp;&#160;more<br>next</p></body></html>';
  const { blocks, length } = readDocument(encode(source), 'a.htm');
  expect(blocks.map(({ text }) => text)).toEqual(['Yes & more', 'next']);
  expect(blocks.map(({ start, end }) => source.slice(start, end))).toEqual(['Yes &amp;&#160;more', 'next']);
  expect(length).toBe(source.length);
});

test('bytes are UTF-8, or else windows-1252', () => {
  expect(readDocument(Uint8Array.from([0x93, 0x41, 0x94, 0x97]), 'a.txt').blocks[0]?.text).toBe('“A”—');
  expect(readDocument(encode('“A”'), 'a.txt').blocks[0]?.text).toBe('“A”');
});

test('rows of tables are blocks with cells; rows of layout are text', () => {
  const { blocks } = readHtml(
    '<table><tr><td></td><td><p>Alone</p><p>in its row</p></td></tr></table>' +
      '<table><tr><td>Revenue</td><td colspan="2">$</td><td>1,000</td></tr><tr><td>Of which:</td></tr></table>',
  );
  expect(blocks.map(({ kind, text, table }) => ({ kind, text, table }))).toEqual([
    { kind: 'text', text: 'Alone', table: 0 },
    { kind: 'text', text: 'in its row', table: 0 },
    { kind: 'row', text: 'Revenue $ 1,000', table: 2 },
    { kind: 'row', text: 'Of which:', table: 2 },
  ]);
  expect(blocks[2]?.cells.map(({ column, span }) => [column, span])).toEqual([
    [0, 1],
    [1, 2],
    [3, 1],
  ]);
});

test('pages have the numbers that are printed at their foot', () => {
  const pages = [3, 4, 5, 6].map((page) => `<p>Prose</p><p>Corp. | ${page}</p><hr>`).join('');
  expect(readHtml(`<p>Cover</p><hr>${pages}`).blocks.map(({ page }) => page)).toEqual([
    null,
    '3',
    '3',
    '4',
    '4',
    '5',
    '5',
    '6',
    '6',
  ]);
});

test('plain text has paragraphs, and tables with their spaces', () => {
  const text =
    'First line of\na paragraph.\n\nSales        100      200\nCosts         50       60\n\n<PAGE>\nItem 2. Properties\nNone.\n';
  expect(readDocument(encode(text), 'a.txt').blocks.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'text First line of a paragraph.',
    'line Sales        100      200',
    'line Costs         50       60',
    'text Item 2. Properties',
    'text None.',
  ]);
  expect(textsOf('<pre>A line\nof text &lt;here&gt;\n\nSales        100      200</pre>')).toEqual([
    'A line of text <here>',
    'Sales        100      200',
  ]);
});

test('tables of plain text keep their lines, and justified prose has none', () => {
  const text = [
    'No.         Description\n- --------  -----------\n99.1        Press release of the company,\n            dated May 10',
    'The  company   makes  many   things  of   all  kinds\nand  sells   them  to   its  customers   in  towns.',
    'ITEM 7.   DISCUSSION OF\n          RESULTS',
  ];
  const { blocks } = readDocument(new TextEncoder().encode(text.join('\n\n')), 'a.txt');
  expect(blocks.map(({ kind }) => kind)).toEqual(['line', 'line', 'line', 'line', 'text', 'text']);
});

test('a rule under a heading ends it, and makes no table', () => {
  const text = [
    'ITEM 1. BUSINESS\n-------\nThe company repaid its long-term\ndebt.',
    'Liquidity and capital\n- --------------------\nCash   is\nhigh.',
    '"Plan" means the plan of the company for\n ----\nits officers.',
  ];
  expect(readDocument(encode(text.join('\n\n')), 'a.txt').blocks.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'text ITEM 1. BUSINESS',
    'text The company repaid its long-term debt.',
    'text Liquidity and capital',
    'text Cash is high.',
    'text "Plan" means the plan of the company for its officers.',
  ]);
});

test('one element of HTML is no plain text', () => {
  const source =
    '<html><head><title>x</title></head><body><div>Item 8.01 Other Events. Acme &amp; Co sold a plant.</div></body></html>';
  const { format, blocks } = readDocument(encode(source), 'a.htm');
  expect([format, ...blocks.map(({ text }) => text)]).toEqual([
    'html',
    'Item 8.01 Other Events. Acme & Co sold a plant.',
  ]);
});

test('plain text inside one element of HTML is read as text', () => {
  const document = readHtml(
    '<div>\n  -1-\n\nItem 1.  Business\n\nThe company.\n\n<TABLE>\n<S>  <C>\nSales    1\n</TABLE>\n</div>',
  );
  expect([document.format, ...document.blocks.map(({ text }) => text)]).toEqual([
    ...['text', '-1-', 'Item 1. Business', 'The company.', 'Sales    1'],
  ]);
});

test('cells that reach into the next rows keep the columns apart', () => {
  const { blocks } = readHtml(
    '<table><tr><td rowspan="2">A</td><td>1</td></tr><tr><td>2</td><td>3</td></tr><tr><td>B</td><td>4</td></tr>' +
      '<tr><td rowspan="2">C</td><td>5</td></tr><tr></tr><tr><td>D</td><td>6</td></tr></table>',
  );
  expect(blocks.map(({ cells }) => cells.map(({ column }) => column))).toEqual([
    [0, 1],
    [1, 2],
    [0, 1],
    [0, 1],
    [0, 1],
  ]);
});

test('documents beyond the bounds are refused', () => {
  expect(() => readHtml('<div>'.repeat(3000))).toThrow('a.htm nests more than 2000 elements, more than fin reads.');
});

test('a million entities, attributes or repeated characters are read in one pass', () => {
  const count = 1_000_000;
  expect(readHtml(`<p>${'&amp;'.repeat(count)}`).blocks[0]?.text).toHaveLength(count);
  expect(readHtml(`<p ${'a=b '.repeat(count)}>text`).blocks).toHaveLength(1);
  for (const character of ' -.$"(#1aI\t')
    expect(readHtml(`<p>Item 1${character.repeat(count)}`).blocks).toHaveLength(1);
});

test('amounts at the edges of pages are no page numbers', () => {
  const page = (number: number) =>
    `Sales     1998   $   ${number}\n<PAGE>\n1999     ${number}   200\n\nText.\n\n${number}\n`;
  const document = readDocument(new TextEncoder().encode([1, 2, 3, 4, 5].map(page).join('')), 'a.txt');
  expect([...document.headersAndFooters].map((index) => document.blocks[index]?.text)).toEqual(['1', '2', '3', '4']);
});
