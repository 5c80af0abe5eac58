/** Blocks: pieces of the visible text of a document, with their offsets in its source. */

/** A paragraph or heading (`text`), a row of a table (`row`), or a line of a table in plain text (`line`). */
export interface Block {
  readonly kind: 'text' | 'row' | 'line';
  /** The visible text in one line; the cells of a row are joined by spaces. A `line` keeps its spaces as filed. */
  readonly text: string;
  /** Offset in the source of the first character. */
  readonly start: number;
  /** Offset in the source after the last character. */
  readonly end: number;
  /** Number of the table that a row belongs to, counted from 1; 0 for blocks that are not rows. */
  readonly table: number;
  /** The cells of a row, without cells that have no text. Empty for other kinds. */
  readonly cells: readonly Cell[];
  /** Number of leading characters that are bold or underlined. In a heading, all characters are. */
  readonly strong: number;
  /** Whether the source begins a new page before the block. */
  readonly newPage: boolean;
  /** The number printed on the page, such as `46` or `F-3`; null if unknown. */
  page: string | null;
  /** Fragments by which links lead to the block, from attributes `id` and `name`. */
  readonly anchors: readonly string[];
  /** Fragments of this document to which the text links. */
  readonly links: readonly string[];
}

export interface Cell {
  readonly text: string;
  /** Index of the first column. */
  readonly column: number;
  /** Number of columns. */
  readonly span: number;
}

/** Returns a block. Unless the last argument says otherwise, the block has no table, style, page break or links. */
export const makeBlock = (
  kind: Block['kind'],
  text: string,
  { start, end }: Pick<Block, 'start' | 'end'>,
  { table = 0, cells = [], strong = 0, newPage = false, anchors = [], links = [] }: Partial<Block> = {},
): Block => ({ kind, text, start, end, table, cells, strong, newPage, page: null, anchors, links });

/** Maximum number of blocks of a document; the longest annual reports have 30,000. */
export const MAX_BLOCKS = 1_000_000;
