/** Reads HTML as blocks, in one pass that keeps only open elements in memory. */
import { Parser } from 'htmlparser2';
import { Failure } from '../contract/failure.ts';
import { getOrInsert } from '../platform/collections.ts';
import { type Block, MAX_BLOCKS, makeBlock } from './block.ts';
import { readTextBlocks } from './text-blocks.ts';

const tagSet = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/));
const BLOCK_TAGS = tagSet(`address article aside blockquote body br caption center dd details dir div dl dt fieldset
  figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol p pre section summary table
  tbody td tfoot th thead tr ul`);
const HIDDEN_TAGS = tagSet(`datalist head iframe ix:header noembed noframes noscript object script select style template
  textarea title`);
const STRONG_TAGS = tagSet('b h1 h2 h3 h4 h5 h6 strong th u');

/**
 * Maximum depth of elements. Old documents never close hundreds of elements, and the parser's time grows with the
 * depth.
 */
const MAX_DEPTH = 2_000;
/** Maximum number of characters of a cell. A row with a longer cell is layout: its cells become separate blocks. */
const MAX_CELL_LENGTH = 2_000;
const MAX_CELL_BLOCKS = 8;
const MAX_SUBHEADING_LENGTH = 120;
const MAX_SPAN = 1_000;
/** Maximum number of cells that extend into later rows. */
const MAX_REACHING = 50;

/** Soft hyphens, zero-width characters and byte order marks. */
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;

/** Text with characters to replace. Most text has none, and testing is faster than replacing. */
const UNCLEAN = /[\u00ad\u200b-\u200d\u2060\ufeff]|[^\S ]| {2}/;

interface Frame {
  hidden: boolean;
  strong: boolean;
}

type Style = ReturnType<typeof readStyle>;

interface TableCell {
  readonly column: number;
  span: number;
  /** Number of rows that the cell still spans, including the current one. */
  rows: number;
  readonly blocks: Block[];
}

interface Table {
  readonly number: number;
  /** The cells of the open row; empty between rows. */
  row: TableCell[];
  /** Whether a row is open. Even an empty row counts as one row of the cells that extend into it. */
  isRowOpen: boolean;
  cell: TableCell | null;
  /** Cells of earlier rows that extend into the open row, sorted by column. */
  reaching: TableCell[];
}

/** Returns the visible blocks. Throws a Failure (`data`) above the bounds of depth or blocks. */
export function readHtmlBlocks(source: string, fileName: string): Block[] {
  const reader = new HtmlReader(fileName);
  const parser = new Parser(
    {
      onopentagname: (name) => reader.open(name),
      onattribute: (name, value) => reader.addAttribute(name, value),
      onclosetag: (name) => reader.close(name),
      ontext: (text) => reader.addText(text, parser.startIndex, parser.endIndex + 1),
    },
    { decodeEntities: true },
  );
  parser.end(source);
  return reader.finish();
}

class HtmlReader {
  private readonly blocks: Block[] = [];
  private readonly frames: Frame[] = [];
  private readonly tables: Table[] = [];
  private readonly styles = new Map<string, Style>();
  private tableCount = 0;
  private blockCount = 0;
  private newPage = false;
  private anchors: string[] = [];
  private tag = '';
  /** The text of the open preformatted element, and the offset of each character; null outside of such elements. */
  private lines: { text: string; readonly starts: number[] } | null = null;
  private text = '';
  private endsWithSpace = true;
  start = 0;
  end = 0;
  /** Number of strong characters at the beginning of the text; null if all characters are strong. */
  private strong: number | null = null;
  private links: string[] = [];

  constructor(private readonly fileName: string) {}

  open(name: string): void {
    const parent = this.frames.at(-1);
    if (this.frames.length === MAX_DEPTH) throw this.fail(`nests more than ${MAX_DEPTH} elements`);
    this.tag = name;
    this.frames.push({
      hidden: parent?.hidden === true || HIDDEN_TAGS.has(name),
      strong: parent?.strong === true || STRONG_TAGS.has(name),
    });
    if (!BLOCK_TAGS.has(name)) return;
    this.endBlock();
    if (name === 'hr') this.newPage = true;
    else if (name === 'pre') this.lines = { text: '', starts: [] };
    else if (name === 'table')
      this.tables.push({ number: ++this.tableCount, row: [], isRowOpen: false, cell: null, reaching: [] });
    const table = this.tables.at(-1);
    if (table === undefined) return;
    if (name === 'tr') this.endRow(table);
    if (name === 'tr' || name === 'td' || name === 'th') table.isRowOpen = true;
    if (name === 'td' || name === 'th') {
      table.cell = { column: findFreeColumn(table), span: 1, rows: 1, blocks: [] };
      table.row.push(table.cell);
    }
  }

  close(name: string): void {
    this.frames.pop();
    if (!BLOCK_TAGS.has(name)) return;
    this.endBlock();
    const table = this.tables.at(-1);
    if (name === 'pre') this.endLines();
    else if (table === undefined) return;
    else if (name === 'td' || name === 'th') table.cell = null;
    else if (name === 'tr' || name === 'table') this.endRow(table);
    if (name === 'table') this.tables.pop();
  }

  addAttribute(name: string, value: string): void {
    const frame = this.frames.at(-1);
    if (frame === undefined) return;
    if (name === 'style') {
      const style = getOrInsert(this.styles, value, () => readStyle(value));
      if (style.hidden) frame.hidden = true;
      if (style.strong !== null) frame.strong = style.strong;
      if (style.newPage) this.newPage = true;
    } else if (name === 'hidden') frame.hidden = true;
    else if (name === 'colspan' || name === 'rowspan') {
      const cell = this.tables.at(-1)?.cell;
      if (cell)
        cell[name === 'colspan' ? 'span' : 'rows'] = Math.min(Math.max(1, Math.trunc(Number(value)) || 1), MAX_SPAN);
    } else if (name === 'href') {
      if (value.startsWith('#')) this.links.push(value.slice(1));
    } else if ((name === 'id' || name === 'name') && !this.tag.startsWith('ix:')) this.anchors.push(value);
  }

  addText(data: string, start: number, end: number): void {
    const frame = this.frames.at(-1);
    if (frame?.hidden === true) return;
    if (this.lines !== null) {
      this.lines.text += data;
      for (let index = 0; index < data.length; index++) this.lines.starts.push(Math.min(start + index, end));
      return;
    }
    const text = UNCLEAN.test(data) ? data.replace(INVISIBLE, '').replace(/\s+/g, ' ') : data;
    if (text === '' || (text === ' ' && this.endsWithSpace)) return;
    if (this.text === '') this.start = start + data.search(/\S/);
    if (text !== ' ' && frame?.strong !== true) this.strong ??= this.text.length;
    this.text += this.endsWithSpace ? text.trimStart() : text;
    this.endsWithSpace = text.endsWith(' ');
    if (text !== ' ') this.end = end;
  }

  finish(): Block[] {
    this.endBlock();
    return this.blocks;
  }

  /**
   * Ends the row and adds it to the surrounding cell or document: as one block, or as separate blocks if it is layout.
   */
  private endRow(table: Table): void {
    const cells = table.row.filter(({ blocks }) => blocks.length > 0);
    if (table.isRowOpen && (table.reaching.length > 0 || table.row.some(({ rows }) => rows > 1)))
      table.reaching = [...table.reaching, ...table.row]
        .filter(({ rows }) => rows > 1)
        .slice(0, MAX_REACHING)
        .map((cell) => ({ ...cell, rows: cell.rows - 1 }))
        .toSorted((a, b) => a.column - b.column);
    table.row = [];
    table.isRowOpen = false;
    table.cell = null;
    if (cells.length === 0) return;
    if (isTableRow(cells, this.findSink().at(-1)?.table === table.number)) this.add(makeRow(cells, table.number));
    else for (const { blocks } of cells) for (const block of blocks) this.add(block);
  }

  private endBlock(): void {
    if (this.lines !== null) return;
    const text = this.text.trimEnd();
    if (text !== '') this.add(this.makeBlock('text', text, this, this.strong ?? text.length));
    this.text = '';
    this.endsWithSpace = true;
    this.strong = null;
  }

  private endLines(): void {
    const { lines } = this;
    this.lines = null;
    if (lines === null) return;
    const at = (index: number): number => lines.starts[index] ?? (lines.starts.at(-1) ?? 0) + 1;
    for (const { kind, text, start, end, newPage } of readTextBlocks(lines.text)) {
      if (newPage) this.newPage = true;
      this.add(this.makeBlock(kind, text, { start: at(start), end: at(end) }, 0));
    }
  }

  private makeBlock(kind: Block['kind'], text: string, place: Pick<Block, 'start' | 'end'>, strong: number): Block {
    const { anchors, links, newPage } = this;
    this.anchors = [];
    this.links = [];
    this.newPage = false;
    return makeBlock(kind, text, place, { strong, newPage, anchors, links });
  }

  private add(block: Block): void {
    this.blockCount++;
    if (this.blockCount > MAX_BLOCKS) throw this.fail(`has more than ${MAX_BLOCKS} paragraphs and rows`);
    this.findSink().push(block);
  }

  /** Returns the blocks of the innermost open cell, or of the document. */
  private findSink(): Block[] {
    return this.tables.findLast(({ cell }) => cell !== null)?.cell?.blocks ?? this.blocks;
  }

  private fail(what: string): Failure {
    return new Failure('data', `${this.fileName} ${what}, more than fin reads.`);
  }
}

/**
 * Returns the first column of the next cell: after the row's last cell, and after cells of earlier rows that extend
 * into it.
 */
function findFreeColumn({ row, reaching }: Table): number {
  const last = row.at(-1);
  let column = last === undefined ? 0 : last.column + last.span;
  for (const cell of reaching)
    if (cell.column <= column && column < cell.column + cell.span) column = cell.column + cell.span;
  return column;
}

/** Reads a declaration of styles. `strong` is null if the declaration does not set it. */
function readStyle(declaration: string) {
  const text = declaration.toLowerCase().replace(/\s/g, '');
  const isStrong = /font-weight:(?:bold|[6-9]00)|text-decoration:underline/.test(text);
  return {
    hidden: /display:none|visibility:hidden/.test(text),
    strong: isStrong || (/font-weight:(?:normal|[1-5]00)/.test(text) ? false : null),
    newPage: /break-(?:before|after):(?:always|page)/.test(text),
  };
}

/** Whether the cells are a row of data, not layout. One cell alone is a subheading of the table if it follows a row. */
function isTableRow(cells: readonly TableCell[], isAfterRow: boolean): boolean {
  const maxLength = cells.length === 1 ? MAX_SUBHEADING_LENGTH : MAX_CELL_LENGTH;
  const isShort = cells.every(
    ({ blocks }) =>
      blocks.length <= (cells.length === 1 ? 1 : MAX_CELL_BLOCKS) &&
      blocks.every(({ kind, text }) => kind === 'text' && text.length <= maxLength),
  );
  return isShort && (cells.length > 1 || isAfterRow);
}

function makeRow(cells: readonly TableCell[], table: number): Block {
  const blocks = cells.flatMap((cell) => cell.blocks);
  const weak = blocks.findIndex(({ strong, text }) => strong < text.length);
  const lead = blocks.slice(0, weak === -1 ? blocks.length : weak + 1);
  return makeBlock(
    'row',
    joinBlocks(blocks),
    { start: blocks[0]?.start ?? 0, end: blocks.at(-1)?.end ?? 0 },
    {
      table,
      cells: cells.map(({ column, span, blocks }) => ({ column, span, text: joinBlocks(blocks) })),
      strong: lead.reduce((sum, { strong }) => sum + strong + 1, -1),
      newPage: blocks.some(({ newPage }) => newPage),
      anchors: blocks.flatMap(({ anchors }) => anchors),
      links: blocks.flatMap(({ links }) => links),
    },
  );
}

const joinBlocks = (blocks: readonly Block[]): string => blocks.map(({ text }) => text).join(' ');
