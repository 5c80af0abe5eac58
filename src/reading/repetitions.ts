/** Headings that only repeat an item's heading: running headers, continued sections, a heading set twice. */
import type { Block } from './block.ts';
import type { Heading } from './headings.ts';
import { squeeze } from './item-names.ts';

/** Number of headings at the tops of pages from which they are running headers. */
const MIN_RUNNING = 3;
/** Blocks and letters that a page's header or a part may put between a link's target and the heading. */
const MAX_BLOCKS_BEFORE = 5;
const MAX_LETTERS_BEFORE = 150;

/** Returns the headings without those that repeat an item's heading. */
export function dropRepetitions(blocks: readonly Block[], headings: readonly Heading[]): Heading[] {
  const begun = headings.filter(({ text }) => !/\bcont(?:inued|['\u2019]?d)\b\W*$/i.test(text));
  const running: Heading[] = [];
  const withoutRunning: Heading[] = [];
  for (const heading of begun) {
    const isRepeated =
      withoutRunning.some((other) => isSameItem(heading, other)) ||
      begun.some((other) => isSameItem(heading, other) && leadsTo(blocks, heading.end, other));
    (isRepeated && isPageTop(blocks, heading.block) ? running : withoutRunning).push(heading);
  }
  const kept = running.length >= MIN_RUNNING ? withoutRunning : begun;
  const isBeforeReal = (heading: Heading): boolean =>
    kept.some((other) => isSameItem(heading, other) && leadsTo(blocks, heading.end, other));
  return kept.filter((heading) => (heading.hasStyle && !isPageTop(blocks, heading.block)) || !isBeforeReal(heading));
}

/** Whether a place, such as a link's target, is the heading, or what stands right before it. */
export function leadsTo(blocks: readonly Block[], place: number, { block, end }: Heading): boolean {
  if (place >= end || block - place > MAX_BLOCKS_BEFORE) return false;
  return blocks.slice(place, block).reduce((sum, { text }) => sum + squeeze(text).length, 0) <= MAX_LETTERS_BEFORE;
}

const isSameItem = (heading: Heading, other: Heading): boolean =>
  heading !== other && heading.items[0] === other.items[0] && other.hasNumber;

const isPageTop = (blocks: readonly Block[], block: number): boolean =>
  blocks.slice(Math.max(0, block - 2), block + 1).some(({ newPage }) => newPage);
