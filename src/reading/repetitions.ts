/** Drops headings that only repeat an item's heading: running headers, continued sections, a heading printed twice. */
import type { Block } from './block.ts';
import type { Heading } from './headings.ts';
import { squeeze } from './item-names.ts';

/** Minimum number of repeated headings at the tops of pages at which they count as running headers. */
const MIN_RUNNING = 3;
/** Maximum number of blocks, such as a page's header, between a link's target and the heading. */
const MAX_BLOCKS_BEFORE = 5;
/** Maximum number of letters in these blocks. */
const MAX_LETTERS_BEFORE = 150;

/** Returns the headings without those that repeat an item's heading. */
export function dropRepetitions(blocks: readonly Block[], headings: readonly Heading[]): Heading[] {
  const notContinued = headings.filter(({ text }) => !/\bcont(?:inued|['\u2019]?d)\b\W*$/i.test(text));
  const running: Heading[] = [];
  const withoutRunning: Heading[] = [];
  for (const heading of notContinued) {
    const isRepeated =
      withoutRunning.some((other) => isSameItem(heading, other)) ||
      notContinued.some((other) => isSameItem(heading, other) && leadsTo(blocks, heading.end, other));
    (isRepeated && isPageTop(blocks, heading.block) ? running : withoutRunning).push(heading);
  }
  const candidates = running.length >= MIN_RUNNING ? withoutRunning : notContinued;
  const isBeforeSame = (heading: Heading): boolean =>
    candidates.some((other) => isSameItem(heading, other) && leadsTo(blocks, heading.end, other));
  return candidates.filter(
    (heading) => (heading.hasStyle && !isPageTop(blocks, heading.block)) || !isBeforeSame(heading),
  );
}

/** Whether a block (`place` is its index), such as a link's target, is the heading or right before the heading. */
export function leadsTo(blocks: readonly Block[], place: number, { block, end }: Heading): boolean {
  if (place >= end || block - place > MAX_BLOCKS_BEFORE) return false;
  return blocks.slice(place, block).reduce((sum, { text }) => sum + squeeze(text).length, 0) <= MAX_LETTERS_BEFORE;
}

const isSameItem = (heading: Heading, other: Heading): boolean =>
  heading !== other && heading.items[0] === other.items[0] && other.hasNumber;

const isPageTop = (blocks: readonly Block[], block: number): boolean =>
  blocks.slice(Math.max(0, block - 2), block + 1).some(({ newPage }) => newPage);
