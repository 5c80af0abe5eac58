import { expect, test } from 'vitest';
import { pagesText, sectionText } from '../../src/reading/section-text.ts';
import { readHtml } from './filing.ts';

const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;

test('tables have signs joined to amounts, and no empty columns', () => {
  const table = `<table>${row('', '', '2024', '', '2023', '')}${row('Net sales', '$', '1,000', '', '$', '900')}${row('Growth', '', '(4', ')%', '', '2')}</table>`;
  expect(sectionText(readHtml(table), null, 'text')).toBe(
    ['             2024  2023', 'Net sales  $1,000  $900', 'Growth       (4)%     2'].join('\n'),
  );
});

test('a head is above the column that it spans, also without a cell above the labels', () => {
  const head = '<tr><td colspan="3"></td><td colspan="3">2024</td><td colspan="3">2023</td></tr>';
  const amounts = '<tr><td colspan="3">Cash</td><td></td><td>50</td><td></td><td></td><td>57</td><td></td></tr>';
  expect(sectionText(readHtml(`<table>${head}${amounts}</table>`), null, 'text')).toBe(
    ['      2024  2023', 'Cash    50    57'].join('\n'),
  );
});

test('a row of years or one amount at the edge of a page is no page number', () => {
  const tables = ['Ohio', 'Iowa', 'Utah', 'Maine'].map(
    (state, index) =>
      `<table>${row('2024', '2023')}${row(state, '10', '9')}${row('34', '')}</table><p>${index + 3}</p><hr style="page-break-after:always">`,
  );
  const text = sectionText(readHtml(`${tables.join('')}<p>End</p>`), null, 'text');
  expect(text.match(/2024/g)).toHaveLength(4);
  expect(text.match(/34/g)).toHaveLength(4);
  expect(text).not.toMatch(/^[3-6]$/m);
});

test('a wide table wraps its labels, and a wider one has a line per row', () => {
  const label = 'A label of many words that does not fit into eighty characters with two amounts';
  const text = sectionText(readHtml(`<table>${row(label, '1,000', '2,000')}</table>`), null, 'text');
  expect(text.split('\n').every((line) => line.length <= 80)).toBe(true);
  const prose = 'Prose of a cell that is much too long for a column of a table in eighty characters.';
  expect(sectionText(readHtml(`<table>${row('Name', prose, prose)}</table>`), null, 'text')).toBe(
    `Name: ${prose}, ${prose}`,
  );
  expect(sectionText(readHtml(`<table>${row('•', prose)}</table>`), null, 'text')).toBe(`• ${prose}`);
});

test('Markdown carries text only', () => {
  const body =
    '<p>1. a &lt;script&gt; `x` | [y](http://z) <a href="https://evil.example">www.evil.example</a> a@b.c</p><p># no heading</p>' +
    `<table>${row('a|b', '<img src=x>&lt;b&gt;')}</table>`;
  expect(sectionText(readHtml(body), null, 'markdown')).toBe(
    '1\\. a \\<script\\> \\`x\\` \\| \\[y\\](http\\://z) www\\.evil.example a\\@b.c\n\n\\# no heading\n\n| a\\|b | \\<b\\> |\n| --- | --- |',
  );
});

test('pages are found by their printed numbers', () => {
  const pages = [3, 4, 5, 6].map((page) => `<p>Prose ${'abcdefg'[page]}</p><p>${page}</p><hr>`).join('');
  const document = readHtml(pages);
  expect(pagesText(document, '4', '5', 'text')).toBe('Prose e\n\nProse f');
  expect(pagesText(document, '4', '9', 'text')).toBeNull();
});
