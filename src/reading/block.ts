/** A piece of visible text with its place in the source. */

/** A paragraph or heading (`text`), a row of a table (`row`), or a line of a table in plain text (`line`). */
export interface Block {
  readonly kind: 'text' | 'row' | 'line';
  /** The visible text in one line; the cells of a row are joined by spaces. A `line` keeps its spaces as filed. */
  readonly text: string;
  /** Offsets in the source: of the first character, and after the last. */
  readonly start: number;
  readonly end: number;
  /** Number of the table that a row belongs to, from 1; 0 for others. */
  readonly table: number;
  /** The cells of a row that have text. */
  readonly cells: readonly Cell[];
  /** Number of leading characters that are bold or underlined: all in a heading. */
  readonly strong: number;
  /** Whether the source begins a new page before the block. */
  readonly newPage: boolean;
  /** The number printed on the page, such as `46` or `F-3`; null if unknown. */
  page: string | null;
  /** Fragments that lead here (`id`, `name`), and fragments of this document that the text links to. */
  readonly anchors: readonly string[];
  readonly links: readonly string[];
}

export interface Cell {
  readonly text: string;
  /** First column, from 0, and number of columns. */
  readonly column: number;
  readonly span: number;
}

/** Returns a block; it is outside of tables, without style, page and links, if the last argument does not say otherwise. */
export const makeBlock = (
  kind: Block['kind'],
  text: string,
  { start, end }: Pick<Block, 'start' | 'end'>,
  { table = 0, cells = [], strong = 0, newPage = false, anchors = [], links = [] }: Partial<Block> = {},
): Block => ({ kind, text, start, end, table, cells, strong, newPage, page: null, anchors, links });

/** Maximum number of blocks of a document; the longest annual reports have 30,000. */
export const MAX_BLOCKS = 1_000_000;
