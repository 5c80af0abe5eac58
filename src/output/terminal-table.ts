/** Tables on a terminal, by cli-table3, with a rule under the header. Loaded only there. */
import Table from 'cli-table3';
import { GAP } from './column-widths.ts';
import { drawPlain } from './plain-table.ts';
import type { FittedTable } from './table.ts';

/** Drawing slows down faster than the table grows; past this it would be felt. */
const LONGEST = 200;

const NONE = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(GAP),
};

export function drawTerminal(fitted: FittedTable): string {
  const { header, rule, rows, widths } = fitted;
  if (header === null || rows.length > LONGEST) return drawPlain(fitted, true);
  const drawn = new Table({
    chars: NONE,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: [...widths],
  });
  for (const line of [...header, rule]) drawn.push([...line]);
  for (const row of rows) {
    if ('section' in row) drawn.push([{ content: row.section, colSpan: widths.length }]);
    else drawn.push([...row]);
  }
  const lines = drawn.toString().split('\n');
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}
