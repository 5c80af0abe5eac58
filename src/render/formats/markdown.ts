/** Markdown as GitHub shows it (https://github.github.com/gfm/#tables-extension-). Loaded on demand. */
import type { Block, Cell, FieldsBlock, TableBlock } from '../../result/blocks.ts';
import { viewOf } from '../../result/result.ts';
import { renderCell } from '../cells.ts';
import { legendEntries } from '../legend.ts';
import type { Renderer, RenderTarget } from '../renderer.ts';
import { sanitize } from '../sanitize.ts';

/** Charts are left out; the tables after them have the same values. */
export function markdownRenderer({ write, header, exact }: RenderTarget): Renderer {
  let first = true;
  const said = new Set<string>();
  return {
    answer: (result) => {
      const parts = viewOf(result).flatMap((block) => markdownOf(block, exact, header, said));
      if (parts.length === 0) return;
      write(`${first ? '' : '\n'}${parts.join('\n')}`);
      first = false;
    },
    failed: () => undefined,
    end: () => undefined,
  };
}

/** Returns the parts of a block, each with a line break at its end; parts are separated by a blank line. */
function markdownOf(block: Block, exact: boolean, header: boolean, said: Set<string>): string[] {
  switch (block.kind) {
    case 'title':
      return [`### ${escaped(block.text)}\n`];
    case 'note':
      return [`${escaped(block.text)}\n`];
    case 'fields':
      return [fieldsOf(block, exact)];
    case 'table':
      return block.rows.length === 0 ? [] : [tableOf(block, exact, header), ...legendOf(block, exact, said)];
    case 'chart':
      return [];
  }
}

const fieldsOf = ({ entries }: FieldsBlock, exact: boolean): string =>
  lines(
    ['', ''],
    ['left', 'left'],
    entries.map(([label, cell]) => [escaped(label.trim()), cellText(cell, exact)]),
  );

/** A table must have a header; without one, its header cells are empty. */
function tableOf({ columns, rows }: TableBlock, exact: boolean, header: boolean): string {
  const heads = columns.map(({ title, subtitle }) =>
    [title, ...(subtitle === undefined ? [] : [subtitle])].map(escaped).join('<br>'),
  );
  return lines(
    header ? heads : heads.map(() => ''),
    columns.map(({ align = 'left' }) => align),
    rows.map((row) => {
      if (!('section' in row)) return columns.map((_, index) => cellText(row[index] ?? null, exact));
      const cells = typeof row.section === 'string' ? [row.section] : row.section;
      const text = cells.map((cell) => cellText(cell, exact)).join(' ');
      return [`**${text}**`, ...columns.slice(1).map(() => '')];
    }),
  );
}

function lines(
  heads: readonly string[],
  aligns: readonly ('left' | 'right')[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  return [line(heads), line(aligns.map((align) => (align === 'right' ? '---:' : '---'))), ...rows.map(line)].join('');
}

/** @param said explanations of letters that were already printed */
function legendOf(block: TableBlock, exact: boolean, said: Set<string>): string[] {
  const all = block.columns.map((column, index) => ({ column, index }));
  const entries = legendEntries(block, all, exact, said);
  return entries.length === 0 ? [] : [`${entries.map(escaped).join('<br>\n')}\n`];
}

function cellText(cell: Cell, exact: boolean): string {
  const { text, link, tone } = renderCell(cell, exact);
  // Markdown removes leading spaces, so parts of a statement are indented with entities.
  const indent = '&emsp;'.repeat((text.length - text.trimStart().length) >> 1);
  const plain = escaped(text.trim());
  const shown = indent + (tone === 'strong' && plain !== '' ? `**${plain}**` : plain);
  return link !== null && /^https:\/\/[^\s()<>|]+$/.test(link) && shown !== '' ? `[${shown}](${link})` : shown;
}

/** Escapes untrusted text, so that it contains no markup, entity or end of a cell. */
const escaped = (text: string): string =>
  sanitize(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/[\\`*_[\]|~]/g, '\\$&')
    // A leading hash would make a heading.
    .replace(/^#/, '\\#');
