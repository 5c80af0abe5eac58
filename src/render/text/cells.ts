/** Converts the cells of a view to sanitized text with a tone, and makes the legend of a table. */
import type { Cell, Column, TableBlock, Tone } from '../../result/blocks.ts';
import { abbreviate } from './format-values.ts';
import { sanitize } from './sanitize.ts';

export interface StyledText {
  readonly text: string;
  readonly tone: Tone;
  readonly link: string | null;
}

/** Placeholder for a missing value. */
export const DASH = '–';

const MISSING_VALUE: StyledText = { text: DASH, tone: 'quiet', link: null };

export function renderCell(cell: Cell, isExact: boolean): StyledText {
  if (cell === null || cell === undefined) return MISSING_VALUE;
  if (typeof cell === 'string') return { text: sanitize(cell), tone: 'plain', link: null };
  if (typeof cell === 'number') return { text: String(cell), tone: 'plain', link: null };
  if ('text' in cell) return { text: sanitize(cell.text), tone: cell.tone ?? 'plain', link: cell.link ?? null };
  const { figure, measure, signed = false, mark = '', tone = 'plain' } = cell;
  if (typeof figure !== 'string') return { ...MISSING_VALUE, text: MISSING_VALUE.text + mark };
  const text = sanitize(isExact ? figure : abbreviate(figure, measure));
  const isNegative = figure.startsWith('-');
  if (!signed) return { text: text + mark, tone: isNegative ? 'down' : tone, link: null };
  const isZero = !/[1-9]/.test(figure);
  const direction = isZero ? 'plain' : isNegative ? 'down' : 'up';
  return { text: (isNegative || isZero ? text : `+${text}`) + mark, tone: direction, link: null };
}

/** The visible columns, with the index of the column's cell in each row. */
type ShownColumns = readonly { readonly column: Column; readonly index: number }[];

/**
 * @param shown the visible columns; only their marks are explained
 * @param exact whether figures have all digits, so that no letters occur
 * @param seen explanations that earlier tables have already printed, such as `M million`; this table's are added to it
 */
export function makeLegendEntries(block: TableBlock, shown: ShownColumns, exact: boolean, seen: Set<string>): string[] {
  const scales = exact ? null : describeShownScales(block, shown);
  const marks = selectMarks(block, shown).map((entry) => entry.join(' '));
  if (scales === null || seen.has(scales)) return marks;
  seen.add(scales);
  return [...marks, scales];
}

export function selectMarks({ rows, legend = [] }: TableBlock, shown: ShownColumns): NonNullable<TableBlock['legend']> {
  if (legend.length === 0) return [];
  const marks = [
    ...shown.map(({ column }) => column.mark),
    ...rows.flatMap((row) => ('section' in row ? [] : shown.map(({ index }) => markOf(row[index])))),
  ];
  return legend.filter(([mark]) => marks.some((text) => text?.includes(mark)));
}

const markOf = (cell: Cell | undefined) => (typeof cell === 'object' && cell !== null ? cell.mark : undefined);

const SCALE_NAMES = { K: 'thousand', M: 'million', B: 'billion', T: 'trillion' } as const;

/**
 * Returns the meanings of the letters in the shown figures, such as `M million, B billion`; null if there are no
 * letters, or if the table's legend does not explain them.
 */
function describeShownScales({ rows, explainsScales = false }: TableBlock, shown: ShownColumns): string | null {
  if (!explainsScales) return null;
  const cells = rows.flatMap((row) => ('section' in row ? [] : shown.map(({ index }) => row[index] ?? null)));
  const letters = new Set(cells.map(findLastCharacter));
  const scales = Object.entries(SCALE_NAMES).filter(([letter]) => letters.has(letter));
  return scales.length === 0 ? null : scales.map((entry) => entry.join(' ')).join(', ');
}

const findLastCharacter = (cell: Cell): string =>
  cell !== null && typeof cell === 'object' && 'figure' in cell && cell.figure !== null
    ? abbreviate(cell.figure, cell.measure).slice(-1)
    : '';

/** A piece of a chart on a terminal, and a line of such pieces. */
export type TextSpan = ReturnType<typeof makeSpan>;
export type ChartLine = readonly TextSpan[];

export const makeSpan = (text: string, tone: Tone = 'plain') => ({ text, tone });

/** Merges adjacent spans of the same tone, and removes trailing spaces. */
export function joinSpans(given: readonly TextSpan[]): ChartLine {
  const spans: TextSpan[] = [];
  for (const { text, tone } of given) {
    const last = spans.at(-1);
    if (last !== undefined && last.tone === tone) spans[spans.length - 1] = { text: last.text + text, tone };
    else spans.push({ text, tone });
  }
  const final = spans.pop();
  const text = final?.text.trimEnd() ?? '';
  return final === undefined || text === '' ? spans : [...spans, { ...final, text }];
}
