/** Reads names from lines of lists, which may have comments after `#`, and may be columns of CSV. */

const stripComment = (line: string): string => line.replace(/(^|\s)#.*$/, '').trim();

/** Removes the quotes of a CSV cell. */
export const unquoteCell = (cell: string): string =>
  /^"(?:[^"]|"")*"$/.test(cell) ? cell.slice(1, -1).replaceAll('""', '"').trim() : cell;

/** Returns the name in a line; empty for a line without a name. */
export const readName = (line: string): string => unquoteCell(stripComment(line));

/** Returns the first cell of a line whose cells are separated by commas, semicolons or tabs. */
export function readFirstCell(line: string): string {
  const text = stripComment(line);
  return unquoteCell(/^"(?:[^"]|"")*"/.exec(text)?.[0] ?? text.split(/[,;\t]/)[0]?.trim() ?? '');
}
