/** Reads plain text as blocks: text-only filings, and preformatted parts of HTML. */
import { divideIntoRuns } from '../platform/collections.ts';
import { type Block, makeBlock } from './block.ts';

/** A line without its end, and its offsets in the source. */
interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A line that begins with a tag: text-only filings mark up tables and pages with such lines. */
const TAG_LINE = /^\s*<(\/?[A-Za-z]+)>/;
/** Signs of columns: a gap between words, a row of dots, or a line to fill in. */
const COLUMNS = /\S(?: {3}| {0,2}\t)\s*\S|\.{4}|(?:\. ){4}|[-=_]{4}/;
/** Whether a line is a rule, which underlines a heading or the head of a table. */
const isRule = ({ text }: Line): boolean => /[-=_]{4}/.test(text) && !/[^-=_\s]/.test(text);
/** The mark before a heading or an entry of a list. The gap after it does not separate columns. */
const MARK = /^\s*(?:items?\s+\d[\w.()]*|\(?\w{1,2}[.)]+|\d{1,2}\.\d{1,2}\w?)[-:.]*\s+(?=[A-Za-z"'(])/i;
/** A line of prose that is justified with gaps of several spaces between its words. */
const JUSTIFIED = /^\s*(?:[A-Za-z(),.;:"'-]+ {1,3}){7}/;
const HEADING = /^\s*(?:part|items?)\s/i;

function readLines(source: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < source.length; ) {
    const next = source.indexOf('\n', start);
    const end = next === -1 ? source.length : next;
    lines.push({ text: source.slice(start, end).trimEnd(), start, end });
    start = end + 1;
  }
  return lines;
}

/** Returns the paragraphs of a text, and the lines of its tables. */
export function readTextBlocks(source: string): Block[] {
  const blocks: Block[] = [];
  let group: Line[] = [];
  let newPage = false;
  let isTable = false;
  const endGroup = () => {
    for (const block of makeBlocks(group, isTable)) {
      blocks.push({ ...block, newPage });
      newPage = false;
    }
    group = [];
  };
  for (const line of readLines(source)) {
    const tag = TAG_LINE.exec(line.text)?.[1]?.toLowerCase();
    if (tag !== undefined || line.text.includes('\f') || line.text.trim() === '') {
      endGroup();
      if (tag === 'page' || line.text.includes('\f')) newPage = true;
      if (tag === 'table') isTable = true;
      if (tag === '/table') isTable = false;
    } else group.push(line);
  }
  endGroup();
  return blocks;
}

/** Returns the blocks of a group of lines that no blank line divides. */
function makeBlocks(lines: readonly Line[], isTable: boolean): Block[] {
  const words = lines.filter((line) => !isRule(line));
  const hasHead = lines.some((line, index) => isRule(line) && endsHead(line, lines[index - 1]));
  if (lines.length > 0 && (isTable || hasHead || words.filter(hasColumns).length * 2 >= words.length))
    return lines.map((line) => joinLines('line', [line]));
  const paragraphs = divideIntoRuns(lines, (line, _, paragraph) => !beginsParagraph(line, paragraph));
  return paragraphs.map((paragraph) => joinLines('text', paragraph));
}

const hasColumns = ({ text }: Line): boolean => COLUMNS.test(text.replace(MARK, '')) && !JUSTIFIED.test(text);
/** Whether a rule underlines the head of a table: a line with columns, or a rule of two columns. */
const endsHead = (rule: Line, head: Line | undefined): boolean =>
  head !== undefined &&
  !HEADING.test(head.text) &&
  !isRule(head) &&
  (hasColumns(head) || (/[-=_] {2,9}[-=_]/.test(rule.text) && COLUMNS.test(head.text)));

const measureIndent = (line: Line | undefined): number => (line === undefined ? 0 : line.text.search(/\S/));
const isUpper = (text: string): boolean => text === text.toUpperCase();

function beginsParagraph(line: Line, paragraph: readonly Line[]): boolean {
  const last = paragraph.at(-1);
  const first = paragraph[0]?.text ?? '';
  if (last === undefined || isRule(line)) return false;
  if (isRule(last)) return HEADING.test(first) || endsHeading(last, paragraph.at(-2));
  if (HEADING.test(first)) return HEADING.test(line.text) || !(isUpper(first) && isUpper(line.text));
  return /[.:;]$/.test(last.text) && (HEADING.test(line.text) || measureIndent(line) > measureIndent(last) + 1);
}

/** Whether a rule underlines most of the line above it, not only a word. */
const endsHeading = (rule: Line, above: Line | undefined): boolean =>
  rule.text.trim().length * 2 > (above?.text.trim().length ?? 0);

/** Joins lines to one block. A paragraph loses the rules that underline its words. */
function joinLines(kind: 'text' | 'line', lines: readonly Line[]): Block {
  const [first] = lines;
  const words = kind === 'line' ? lines : lines.filter((line) => !isRule(line));
  if (words.length === 0) return joinLines('line', lines);
  const text = words.map(({ text }) => text).join(' ');
  const clean = kind === 'line' ? text.replaceAll('\t', '    ') : text.replace(/\s+/g, ' ').trim();
  const start = (first?.start ?? 0) + Math.max(0, measureIndent(first));
  return makeBlock(kind, clean, { start, end: lines.at(-1)?.end ?? 0 });
}
