/** Prints blocks as text for a terminal or a pipe. */

import { formatCount } from '../../contract/text/format-counts.ts';
import type { Block, Chart, ChartBlock, Column, FieldsBlock, TableBlock } from '../../result/blocks.ts';
import { drawBarsText } from '../chart/bars-text.ts';
import { drawLineText } from '../chart/line-text.ts';
import type { TextSpan } from '../text/cells.ts';
import { makeLegendEntries, renderCell } from '../text/cells.ts';
import { sanitize } from '../text/sanitize.ts';
import { measureWidth, padText, wrap } from '../text/text-width.ts';
import { type Paint, paintPlain } from './colors.ts';
import type { DrawnTable, TableOptions } from './draw-table.ts';
import { drawEveryColumn, drawTable, paintHeading, paintLines } from './draw-table.ts';

export interface PrintOptions extends TableOptions {
  readonly charts?: boolean;
  /**
   * Explanations of abbreviation letters (such as `M million, B billion`) that were already printed. Calls with the
   * same set print each explanation only once.
   */
  readonly explainedScales?: Set<string>;
}

/** Width of a chart if the output has no width of its own. */
const CHART_WIDTH = 80;

/** Minimum space for a value next to its label; with less space, the value gets lines of its own. */
const MIN_VALUE_WIDTH = 16;

export function renderBlocks(blocks: readonly Block[], options: PrintOptions): string {
  let text = '';
  let before: Block['kind'] | null = null;
  for (const block of blocks) {
    const rendered = renderBlock(block, options);
    if (rendered === '') continue;
    text += before !== null && needsGap(before, block.kind) ? `\n${rendered}` : rendered;
    before = block.kind;
  }
  return text;
}

/**
 * Whether a blank line separates two blocks. The first rule that applies: yes before a title; no before a note or after
 * a title; otherwise yes.
 */
const needsGap = (before: Block['kind'], kind: Block['kind']): boolean =>
  kind === 'title' || (kind !== 'note' && before !== 'title');

function renderBlock(block: Block, options: PrintOptions): string {
  const { paint = paintPlain } = options;
  switch (block.kind) {
    case 'title':
      return paintHeading(sanitize(block.text), options.width, paint);
    case 'note':
      return renderNote(block.text, options.width, paint);
    case 'text':
      return renderText(block.text, options.width);
    case 'fields':
      return renderFields(block, options);
    case 'table':
      return renderTable(block, options);
    case 'chart':
      return renderChart(block, options);
  }
}

/** Wraps paragraphs. Lines with aligned columns, as of tables, are not wrapped: their columns would be lost. */
const renderText = (text: string, width: number | null): string =>
  text
    .split('\n')
    .map((line) => {
      const clean = sanitize(line);
      const isWrapped = clean.trim() !== '' && !/\S {2,}\S/.test(clean);
      return isWrapped ? `${wrap(clean, width).join('\n')}\n` : `${clean.trimEnd()}\n`;
    })
    .join('');

/**
 * Prints labels next to values. Long values are wrapped; a value that cannot be wrapped, such as an address, gets a
 * line of its own.
 */
function renderFields({ entries }: FieldsBlock, { width, exact, paint = paintPlain }: PrintOptions): string {
  const labelWidth = Math.max(...entries.map(([label]) => measureWidth(label)));
  const valueWidth = width === null ? null : width - labelWidth - 2;
  return entries
    .flatMap(([label, cell]) => {
      const shown = renderCell(cell, exact);
      const lines = valueWidth === null || valueWidth >= MIN_VALUE_WIDTH ? wrap(shown.text, valueWidth) : [shown.text];
      if (valueWidth !== null && lines.some((line) => measureWidth(line) > valueWidth)) {
        const below = wrap(shown.text, width).map((line) => `${paint(line, shown)}\n`);
        return [`${paint(label, { tone: 'quiet', link: null })}\n`, ...below];
      }
      return lines.map((text, index) => {
        const labelCell = padText(index === 0 ? label : '', labelWidth, 'left');
        return `${paint(labelCell, { tone: 'quiet', link: null })}  ${paint(text, shown)}\n`;
      });
    })
    .join('');
}

/** Draws charts only on a terminal or on request, because programs cannot use them. */
function renderChart({ chart }: ChartBlock, options: PrintOptions): string {
  const { width, exact, charts = false, paint = paintPlain } = options;
  if (!charts) return '';
  const { lines, notes } = drawChartText(chart, width ?? CHART_WIDTH, exact);
  const heading = chart.title === '' || lines.length === 0 ? [] : [[{ text: chart.title, tone: 'strong' as const }]];
  const paintSpan = ({ text, tone }: TextSpan): string => paint(sanitize(text), { tone, link: null });
  const drawn = [...heading, ...lines].map((line) => `${line.map(paintSpan).join('')}\n`);
  return [...drawn, ...notes.map((text) => renderNote(text, width, paint))].join('');
}

/** Sanitizes a column's titles, which may come from a service, such as the names of segment axes. */
const sanitizeHeader = (column: Column): Column => ({
  ...column,
  title: sanitize(column.title),
  ...(column.subtitle === undefined ? {} : { subtitle: sanitize(column.subtitle) }),
});

function renderTable({ columns, ...rest }: TableBlock, options: PrintOptions): string {
  const block = { ...rest, columns: columns.map(sanitizeHeader) };
  if (block.rows.length === 0) return '';
  const drawn = block.keepsColumns === true ? drawEveryColumn(block, options) : drawTable(block, options);
  return drawn.text + renderHiddenColumnsNote(block, drawn, options) + renderLegendNote(block, drawn, options);
}

/**
 * Maximum number of dropped columns that the note names; if more are dropped, the note names only the first and the
 * last.
 */
const MAX_LISTED_NAMES = 6;

const renderNote = (text: string, width: number | null, paint: Paint): string =>
  paintLines(wrap(sanitize(text), width), 'quiet', paint);

/**
 * Names the columns that were dropped and the empty columns that are not shown, so that no column disappears silently.
 */
function renderHiddenColumnsNote({ columnNoun = 'columns' }: TableBlock, drawn: DrawnTable, options: PrintOptions) {
  const { droppedColumns, emptyColumns } = drawn;
  const { width, paint = paintPlain } = options;
  const listTitles = (columns: readonly Column[]): string[] => columns.map(({ title }) => title.trim());
  const dropped = listTitles(droppedColumns);
  const count = dropped.length;
  const titles = count > MAX_LISTED_NAMES ? `${dropped[0]} to ${dropped.at(-1)}` : dropped.join(', ');
  const noun = count === 1 ? columnNoun.replace(/s$/, '') : columnNoun;
  const notes = [
    ...(count === 0 ? [] : [`${count} more ${noun} did not fit: ${titles}. To see all, add: | less -S`]),
    ...(emptyColumns.length === 0 ? [] : [`Empty columns not shown: ${listTitles(emptyColumns).join(', ')}`]),
  ];
  return notes.map((text) => renderNote(text, width, paint)).join('');
}

/** Explains the marks in visible columns; ignores dropped columns. */
function renderLegendNote(block: TableBlock, { shownColumns }: DrawnTable, options: PrintOptions): string {
  const { width, exact, explainedScales = new Set(), paint = paintPlain } = options;
  const legend = makeLegendEntries(block, shownColumns, exact, explainedScales);
  const joined = legend.join('   ');
  const fitsWidth = width === null || measureWidth(joined) <= width;
  return (fitsWidth && legend.length > 0 ? [joined] : legend).map((text) => renderNote(text, width, paint)).join('');
}

/**
 * Draws a chart as lines of text for a terminal, and returns notes about periods or figures that the lines omit.
 * @param isExact whether figures next to bars have all digits; does not affect figures on axes
 */
function drawChartText(chart: Chart, width: number, isExact: boolean) {
  if (chart.kind === 'line') {
    const lines = drawLineText(chart, width);
    const isTooNarrow = lines.length === 0 && chart.runs.length > 0;
    return { lines, notes: isTooNarrow ? ['The terminal is too narrow for a chart.'] : [] };
  }
  const { lines, omittedPeriodCount: omitted } = drawBarsText(chart, width, isExact);
  return { lines, notes: omitted === 0 ? [] : [`The chart leaves out ${formatCount(omitted, 'earlier period')}.`] };
}
