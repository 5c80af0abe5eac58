/** Renders answers as one HTML page: self-contained, without scripts or network access. */

import type { Decimal } from '../../contract/decimal-text.ts';
import type { Block, Cell, ChartBlock, FieldsBlock, TableBlock, TableRow } from '../../result/blocks.ts';
import { renderCell } from '../text/cells.ts';
import { groupThousands } from '../text/format-values.ts';
import { CHART_STYLE, PAGE_STYLE } from './chart-style.ts';
import { Markup, type MarkupContent, makeElement, type ValueTable, wrapIn } from './markup.ts';
import { makeFigure, makePlot, PLOT_WIDTH } from './svg-document.ts';

const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
/** Maximum number of rows of a table that is expanded initially. */
const MAX_EXPANDED_ROWS = 40;

/** Returns the complete HTML document with all answers in order. */
export function formatHtmlPage(answers: readonly (readonly Block[])[]): string {
  const titles = answers.flatMap((blocks) => blocks.flatMap((block) => (block.kind === 'title' ? block.text : [])));
  const head = wrapIn(
    'head',
    makeElement('meta', { charset: 'utf-8' }),
    makeElement('meta', { 'http-equiv': 'Content-Security-Policy', content: CONTENT_SECURITY_POLICY }),
    makeElement('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    makeElement('meta', { name: 'color-scheme', content: 'light dark' }),
    wrapIn('title', titles.join('; ')),
    wrapIn('style', new Markup(PAGE_STYLE + CHART_STYLE)),
  );
  let charts = 0;
  const nextId = (): string => `chart-${++charts}`;
  const render = (blocks: readonly Block[], index: number) => renderBlocks(blocks, index === 0 ? 'h1' : 'h2', nextId);
  const sections = answers.map((blocks, index) => wrapIn('section', render(blocks, index)));
  const body = wrapIn('body', wrapIn('main', sections));
  return `<!DOCTYPE html>\n${makeElement('html', { lang: 'en' }, head, body).text}\n`;
}

/** Renders blocks. The figures of all charts are shown in one table after the last chart. */
function renderBlocks(blocks: readonly Block[], tag: string, nextId: () => string): MarkupContent {
  const tables: TitledTable[] = [];
  const last = blocks.findLast((block) => block.kind === 'chart');
  return blocks.map((block) => {
    if (block.kind !== 'chart') return renderBlock(block, tag);
    const { chart } = block;
    const plot = makePlot(chart, PLOT_WIDTH);
    if (plot !== null) tables.push({ title: chart.title, table: plot.table });
    const figure = plot && makeElement('figure', { tabindex: 0 }, makeFigure(chart, plot, nextId(), {}));
    return [
      figure === null ? [] : [wrapIn('h3', chart.title), figure],
      block === last ? renderFiguresDetails(tables) : [],
    ];
  });
}

function renderBlock(block: Exclude<Block, ChartBlock>, tag: string): MarkupContent {
  switch (block.kind) {
    case 'title':
      return wrapIn(tag, block.text);
    case 'note':
      return makeElement('p', { class: 'quiet' }, linkFinalAddress(block.text));
    case 'text':
      return block.text.split(/\n{2,}/).map(renderParagraph);
    case 'fields':
      return wrapIn('dl', block.entries.map(renderField));
    case 'table':
      return makeDetailsElement('The filings', block.rows.length, renderPlainTable(block));
  }
}

const renderField = ([label, cell]: FieldsBlock['entries'][number]): MarkupContent => [
  wrapIn('dt', label),
  wrapIn('dd', renderCell(cell, false).text),
];

/** Renders a paragraph of a document; lines with aligned columns keep their spaces. */
const renderParagraph = (text: string): Markup => wrapIn(/\S {2,}\S/.test(text) ? 'pre' : 'p', text);

/** Turns the address at the end of a note, such as an attribution, into a link. */
function linkFinalAddress(text: string): MarkupContent {
  const address = /(?<=\s)https:\/\/[\x21-\x7e]+$/.exec(text)?.[0];
  if (address === undefined) return text;
  return [text.slice(0, -address.length), makeElement('a', { href: address, rel: 'noreferrer' }, address)];
}

type TitledTable = { readonly title: string; readonly table: ValueTable };

function renderFiguresDetails(tables: readonly TitledTable[]): MarkupContent {
  const [first, ...others] = tables;
  if (first === undefined) return [];
  const { title, table: figures } = others.length === 0 ? first : joinTables([first, ...others]);
  return makeDetailsElement('The figures', figures.rows.length, renderValueTable(figures, title));
}

const makeDetailsElement = (summary: string, count: number, content: Markup): Markup =>
  makeElement(
    'details',
    { open: count > MAX_EXPANDED_ROWS ? null : '' },
    wrapIn('summary', summary),
    makeElement('div', { class: 'values', tabindex: 0 }, content),
  );

/** Joins tables side by side: one row for each row name that occurs in any table, in the order of the tables. */
function joinTables(tables: readonly [TitledTable, ...TitledTable[]]): TitledTable {
  const names: string[] = [];
  for (const { table } of tables) {
    // Adds the names that earlier tables lack, each in front of the name that follows it in this table.
    for (const { name } of table.rows.toReversed()) {
      if (!names.includes(name)) names.splice(findIndexOfNextName(table, name, names), 0, name);
    }
  }
  const heads = tables.flatMap(({ title, table: { head } }) =>
    head.slice(1).map((label) => (head.length > 2 ? `${title}: ${label}` : title)),
  );
  const findValues = ({ head, rows }: ValueTable, name: string) =>
    rows.find((row) => row.name === name)?.values ?? head.slice(1).map(() => null);
  const rows = names.map((name) => ({ name, values: tables.flatMap(({ table }) => findValues(table, name)) }));
  return { title: 'All charts above', table: { head: [tables[0].table.head[0] ?? '', ...heads], rows } };
}

/** Returns the index in `names` of the table's row after `name`; the end of `names` if no row follows. */
function findIndexOfNextName({ rows }: ValueTable, name: string, names: readonly string[]): number {
  const nextRow = rows[rows.findIndex((row) => row.name === name) + 1];
  return nextRow === undefined ? names.length : names.indexOf(nextRow.name);
}

function renderPlainTable({ columns, rows }: TableBlock): Markup {
  const listCells = (row: TableRow): readonly Cell[] => ('section' in row ? [] : row);
  const renderContent = (cell: Cell): MarkupContent => {
    const { text, link } = renderCell(cell, false);
    return link?.startsWith('https://') === true ? makeElement('a', { href: link, rel: 'noreferrer' }, text) : text;
  };
  const titles = columns.map(({ title }) => title);
  const lines = rows.map((row) => listCells(row).map((cell) => wrapIn('td', renderContent(cell))));
  return wrapIn('table', renderRows(titles, lines));
}

function renderRows(titles: readonly string[], rows: readonly MarkupContent[]): MarkupContent {
  const renderRow = (cells: MarkupContent): Markup => wrapIn('tr', cells);
  const heads = titles.map((title) => makeElement('th', { scope: 'col' }, title));
  return [wrapIn('thead', renderRow(heads)), wrapIn('tbody', rows.map(renderRow))];
}

function renderValueTable({ head, rows }: ValueTable, caption: string): Markup {
  const renderValue = (value: Decimal | null): Markup =>
    wrapIn('td', value === null ? '–' : makeElement('data', { value }, groupThousands(value)));
  const lines = rows.map(({ name, values }) => [makeElement('th', { scope: 'row' }, name), values.map(renderValue)]);
  return wrapIn('table', makeElement('caption', { class: 'quiet' }, caption), renderRows(head, lines));
}
