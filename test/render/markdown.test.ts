import { expect, test } from 'vitest';
import { createMarkdownRenderer } from '../../src/render/formats/markdown.ts';
import { createTsvRenderer } from '../../src/render/formats/row-formats.ts';
import { type Block, makeFieldsBlock, makeFigureCell, makeNoteBlock, makeTitleBlock } from '../../src/result/blocks.ts';
import { makeResultOfRows, makeTarget } from './targets.ts';

function renderMarkdown(blocks: readonly Block[], { exact = false, header = true } = {}): string {
  let text = '';
  const write = (chunk: string) => {
    text += chunk;
  };
  const renderer = createMarkdownRenderer(makeTarget(write, { header, exact }));
  renderer.answer(makeResultOfRows({ columns: ['a'], rows: [] }, { layout: () => blocks }));
  renderer.end?.();
  return text;
}

const TABLE: Block = {
  kind: 'table',
  columns: [
    { key: 'name', title: 'Name' },
    { key: 'value', title: 'FY2025', subtitle: '2025-09-27', align: 'right' },
  ],
  rows: [
    { section: 'Income' },
    [
      { text: 'a|b', link: 'https://www.sec.gov/x' },
      { ...makeFigureCell('391035000000', 'money'), mark: '*' },
    ],
  ],
  legend: [
    ['*', 'derived'],
    ['!', 'revised'],
  ],
};

test("a table is in GitHub's Markdown, with section, alignment and a legend", () => {
  expect(renderMarkdown([makeTitleBlock('Apple'), TABLE])).toBe(
    [
      '### Apple',
      '',
      '| Name | FY2025<br>2025-09-27 |',
      '| --- | ---: |',
      '| **Income** |  |',
      '| [a\\|b](https://www.sec.gov/x) | 391.04B\\* |',
      '',
      '\\* derived',
      '',
    ].join('\n'),
  );
  expect(renderMarkdown([TABLE], { exact: true })).toContain('391035000000');
  expect(renderMarkdown([TABLE], { header: false })).toMatch(/^\| {2}\| {2}\|\n/);
});

test('text of filings is escaped in Markdown', () => {
  const hostileText = '# <img src=x>\n**[x](javascript:1)** `a` & b';
  expect(renderMarkdown([makeNoteBlock(hostileText)])).toBe(
    '\\# &lt;img src=x> \\*\\*\\[x\\](javascript:1)\\*\\* \\`a\\` &amp; b\n',
  );
  expect(renderMarkdown([makeFieldsBlock([['Name', { text: 'x', link: 'javascript:alert(1)' }]])])).toContain(
    '| Name | x |',
  );
});

test('TSV has one line per row, whatever the texts contain', () => {
  let text = '';
  const write = (chunk: string) => {
    text += chunk;
  };
  const rows = {
    columns: ['a', 'b'],
    rows: [
      ['x\ty\nz', '-1.50'],
      [null, '=1'],
    ],
  };
  createTsvRenderer(makeTarget(write)).answer(makeResultOfRows(rows));
  expect(text).toBe("a\tb\nx y z\t-1.50\n\t'=1\n");
});
