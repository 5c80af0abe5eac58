/** Tables on a terminal, by cli-table3: a rule under the header and under each section's name. Loaded only there. */
import Table from 'cli-table3';
import { GAP } from './layout.ts';
import { drawPlain } from './plain-table.ts';
import type { FittedTable } from './print.ts';

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
  const { header, rows, widths } = fitted;
  if (header === null || rows.length > LONGEST) return drawPlain(fitted);
  const drawn = new Table({
    chars: NONE,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: [...widths],
  });
  const rule = widths.map((width) => '─'.repeat(width));
  drawn.push([...header], rule);
  for (const row of rows) {
    if ('section' in row) drawn.push([{ content: row.section, colSpan: widths.length }]);
    else drawn.push([...row]);
  }
  const lines = drawn.toString().split('\n');
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}
