/** Markdown with tables as on GitHub (https://github.github.com/gfm/#tables-extension-). Loaded on demand. */
import type { Block, Cell, FieldsBlock, TableBlock } from '../../result/blocks.ts';
import { makeView } from '../../result/result.ts';
import { makeLegendEntries, renderCell } from '../text/cells.ts';
import { sanitize } from '../text/sanitize.ts';
import type { Renderer, RenderTarget } from './renderer.ts';

/** Renders Markdown without charts, because the tables after them show the same values. */
export function createMarkdownRenderer({ write, header, exact }: RenderTarget): Renderer {
  let isFirst = true;
  const seen = new Set<string>();
  return {
    answer: (result) => {
      const parts = makeView(result).flatMap((block) => renderBlock(block, exact, header, seen));
      if (parts.length === 0) return;
      write(`${isFirst ? '' : '\n'}${parts.join('\n')}`);
      isFirst = false;
    },
  };
}

/**
 * Returns the paragraphs and tables of a block, each ending in a line break; the caller separates these by a blank
 * line.
 */
function renderBlock(block: Block, exact: boolean, header: boolean, seen: Set<string>): string[] {
  switch (block.kind) {
    case 'title':
      return [`### ${escapeMark(block.text)}\n`];
    case 'note':
      return [`${escapeMark(block.text)}\n`];
    case 'text':
      return [`${block.getMarkdown().trimEnd()}\n`];
    case 'fields':
      return [renderFields(block, exact)];
    case 'table':
      return block.rows.length === 0 ? [] : [renderTable(block, exact, header), ...renderLegend(block, exact, seen)];
    case 'chart':
      return [];
  }
}

function renderFields({ entries }: FieldsBlock, exact: boolean): string {
  const rows = entries.map(([label, cell]) => [escapeMark(label.trim()), formatCellText(cell, exact)]);
  return formatTable(['', ''], ['left', 'left'], rows);
}

/** Markdown tables must have a header, so the header's cells are empty if no header is requested. */
function renderTable({ columns, rows }: TableBlock, exact: boolean, header: boolean): string {
  const heads = columns.map(({ title, subtitle }) =>
    [title, ...(subtitle === undefined ? [] : [subtitle])].map(escapeMark).join('<br>'),
  );
  const aligns = columns.map(({ align = 'left' }) => align);
  const lines = rows.map((row) => {
    if (!('section' in row)) return columns.map((_, index) => formatCellText(row[index] ?? null, exact));
    const cells = typeof row.section === 'string' ? [row.section] : row.section;
    const text = cells.map((cell) => formatCellText(cell, exact)).join(' ');
    return [`**${text}**`, ...columns.slice(1).map(() => '')];
  });
  return formatTable(header ? heads : heads.map(() => ''), aligns, lines);
}

function formatTable(titles: readonly string[], aligns: readonly ('left' | 'right')[], rows: readonly string[][]) {
  const formatRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const rules = aligns.map((align) => (align === 'right' ? '---:' : '---'));
  return [titles, rules, ...rows].map(formatRow).join('');
}

/** @param seen explanations of abbreviation letters (K, M, B, T) that were already printed */
function renderLegend(block: TableBlock, exact: boolean, seen: Set<string>): string[] {
  const indexed = block.columns.map((column, index) => ({ column, index }));
  const entries = makeLegendEntries(block, indexed, exact, seen);
  return entries.length === 0 ? [] : [`${entries.map(escapeMark).join('<br>\n')}\n`];
}

function formatCellText(cell: Cell, exact: boolean): string {
  const { text, link, tone } = renderCell(cell, exact);
  // Markdown removes leading spaces, so indentation in statements is written as entities.
  const indent = '&emsp;'.repeat((text.length - text.trimStart().length) >> 1);
  const escaped = escapeMark(text.trim());
  const shown = indent + (tone === 'strong' && escaped !== '' ? `**${escaped}**` : escaped);
  return link !== null && /^https:\/\/[^\s()<>|]+$/.test(link) && shown !== '' ? `[${shown}](${link})` : shown;
}

/** Escapes untrusted text, so that it cannot contain markup or entities, or end a table cell. */
export const escapeMark = (text: string): string =>
  sanitize(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/[\\`*_[\]|~]/g, '\\$&')
    // A leading hash sign would start a heading.
    .replace(/^#/, '\\#');
