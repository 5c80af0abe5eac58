/** Reads plain text as blocks: text-only filings, and preformatted parts of HTML. */
import { divideIntoRuns } from '../platform/collections.ts';
import { type Block, makeBlock } from './block.ts';

/** A line without its end, and its offsets in the source. */
interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A line of these tags only marks up a table of a text-only filing. */
const TAG_LINE = /^\s*<(\/?[A-Za-z]+)>/;
/** Columns of a table: a gap between words, a row of dots, or a line to fill in. */
const COLUMNS = /\S(?: {3}| {0,2}\t)\s*\S|\.{4}|(?:\. ){4}|[-=_]{4}/;
/** Whether a line is a rule: under a heading, which it ends, or under the head of a table. */
const isRule = ({ text }: Line): boolean => /[-=_]{4}/.test(text) && !/[^-=_\s]/.test(text);
/** The mark before a heading or an entry of a list, whose gap is no column. */
const MARK = /^\s*(?:items?\s+\d[\w.()]*|\(?\w{1,2}[.)]+|\d{1,2}\.\d{1,2}\w?)[-:.]*\s+(?=[A-Za-z"'(])/i;
/** A line of prose that is as wide as its page, with gaps between its words. */
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
export function textBlocks(source: string): Block[] {
  const blocks: Block[] = [];
  let group: Line[] = [];
  let newPage = false;
  let isTable = false;
  const endGroup = () => {
    for (const block of groupBlocks(group, isTable)) {
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

/** Returns the blocks of lines without a blank one in between. */
function groupBlocks(lines: readonly Line[], isTable: boolean): Block[] {
  const words = lines.filter((line) => !isRule(line));
  const hasHead = lines.some((line, index) => isRule(line) && endsHead(line, lines[index - 1]));
  if (lines.length > 0 && (isTable || hasHead || words.filter(hasColumns).length * 2 >= words.length))
    return lines.map((line) => joinLines('line', [line]));
  const paragraphs = divideIntoRuns(lines, (line, _, paragraph) => !beginsParagraph(line, paragraph));
  return paragraphs.map((paragraph) => joinLines('text', paragraph));
}

const hasColumns = ({ text }: Line): boolean => COLUMNS.test(text.replace(MARK, '')) && !JUSTIFIED.test(text);
/** Whether a rule is under the head of a table: one with columns, or with a number before the only other column. */
const endsHead = (rule: Line, head: Line | undefined): boolean =>
  head !== undefined &&
  !HEADING.test(head.text) &&
  !isRule(head) &&
  (hasColumns(head) || (/[-=_] {2,9}[-=_]/.test(rule.text) && COLUMNS.test(head.text)));

const indent = (line: Line | undefined): number => (line === undefined ? 0 : line.text.search(/\S/));
const isUpper = (text: string): boolean => text === text.toUpperCase();

function beginsParagraph(line: Line, paragraph: readonly Line[]): boolean {
  const last = paragraph.at(-1);
  const first = paragraph[0]?.text ?? '';
  if (last === undefined || isRule(line)) return false;
  if (isRule(last)) return HEADING.test(first) || endsHeading(last, paragraph.at(-2));
  if (HEADING.test(first)) return HEADING.test(line.text) || !(isUpper(first) && isUpper(line.text));
  return /[.:;]$/.test(last.text) && (HEADING.test(line.text) || indent(line) > indent(last) + 1);
}

/** Whether a rule underlines most of the line above, not only a word of it. */
const endsHeading = (rule: Line, above: Line | undefined): boolean =>
  rule.text.trim().length * 2 > (above?.text.trim().length ?? 0);

/** Returns the block of some lines: a paragraph without the rules under its words. */
function joinLines(kind: 'text' | 'line', lines: readonly Line[]): Block {
  const [first] = lines;
  const words = kind === 'line' ? lines : lines.filter((line) => !isRule(line));
  if (words.length === 0) return joinLines('line', lines);
  const text = words.map(({ text }) => text).join(' ');
  const clean = kind === 'line' ? text.replaceAll('\t', '    ') : text.replace(/\s+/g, ' ').trim();
  const start = (first?.start ?? 0) + Math.max(0, indent(first));
  return makeBlock(kind, clean, { start, end: lines.at(-1)?.end ?? 0 });
}
