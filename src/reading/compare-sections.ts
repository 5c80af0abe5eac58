/** Finds the paragraphs that differ between two sections, usually the same item of two years. */
import { diffArrays } from 'diff';
import { pushTo } from '../platform/collections.ts';
import type { ReadingDocument } from './document.ts';
import { squeeze } from './item-names.ts';
import type { Item } from './items.ts';

export interface Section {
  readonly document: ReadingDocument;
  readonly item: Item;
}

export interface Change {
  readonly kind: 'added' | 'removed' | 'changed';
  /** The nearest heading above the paragraph, in the later section; in the earlier one if the paragraph was removed. */
  readonly heading: string | null;
  /** The earlier paragraph; null if the paragraph was added. */
  readonly before: string | null;
  /** The later paragraph; null if the paragraph was removed. */
  readonly after: string | null;
  /** The words of a changed paragraph, in order; empty for added and removed paragraphs. */
  readonly words: readonly WordMark[];
}

export interface WordMark {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

interface Paragraph {
  readonly index: number;
  readonly text: string;
  readonly heading: string | null;
  readonly sentences: readonly string[];
  /** The letters and digits of each sentence, so that sentences compare equal whatever their spacing. */
  readonly keys: readonly string[];
  readonly words: ReadonlySet<string>;
}

/** Minimum similarity (Jaccard index of the words) at which two paragraphs count as one changed paragraph. */
const MIN_SIMILARITY = 0.4;
/** Number of a paragraph's rarest words with which candidates for its counterpart are looked up. */
const RARE_WORDS = 12;
const MAX_CANDIDATES = 100;
/** Maximum number of added and removed words when two paragraphs are compared; it bounds the time. */
const MAX_WORD_EDITS = 2000;
const MAX_HEADING_LENGTH = 300;
/**
 * Minimum number of words of a compared table row. Shorter rows contain figures, for which statements are the better
 * source.
 */
const MIN_ROW_WORDS = 12;

/**
 * Returns the changes in the order of the later section. A paragraph that only moved, or was only split or joined, is
 * not a change. Rows of figures are not compared. Throws a RangeError unless both items are `proven`.
 */
export function compareSections(before: Section, after: Section): Change[] {
  const earlier = readParagraphs(before);
  const later = readParagraphs(after);
  const earlierKeys = new Set(earlier.flatMap(({ keys }) => keys));
  const indexByKey = new Map(later.flatMap(({ keys, index }) => keys.map((key) => [key, index])));
  const removed = new Set(earlier.filter(({ keys }) => keys.some((key) => !indexByKey.has(key))));
  const added = later.filter(({ keys }) => keys.some((key) => !earlierKeys.has(key)));
  const pairs = pairParagraphs([...removed], added);
  const changes = added.map((paragraph) => {
    return { at: paragraph.index, change: makeChange(pairs.get(paragraph) ?? null, paragraph, indexByKey) };
  });
  // A removed paragraph is listed after the paragraph that it followed.
  const laterIndexes = new Map([...pairs].map(([{ index }, earlierParagraph]) => [earlierParagraph, index]));
  let place = -1;
  for (const paragraph of earlier) {
    const index = removed.has(paragraph) ? laterIndexes.get(paragraph) : indexByKey.get(paragraph.keys[0] ?? '');
    if (index !== undefined) place = index;
    else changes.push({ at: place + 0.5, change: makeChange(paragraph, null, indexByKey) });
  }
  return changes.toSorted((a, b) => a.at - b.at).map(({ change }) => change);
}

/** Returns the paragraphs after the heading. A paragraph that a page break divides is joined. */
function readParagraphs({ document, item }: Section): Paragraph[] {
  if (item.status !== 'proven' || item.start === null || item.end === null) throw new RangeError('an unproven section');
  const paragraphs: { text: string; heading: string | null }[] = [];
  let heading: string | null = null;
  for (let index = item.start.block + 1; index < item.end.block; index++) {
    const block = document.blocks[index];
    if (block === undefined || document.headersAndFooters.has(index)) continue;
    if (block.kind !== 'text' && block.text.split(' ').length < MIN_ROW_WORDS) continue;
    const last = paragraphs.at(-1);
    const isHeading = block.strong >= block.text.length && block.text.length <= MAX_HEADING_LENGTH;
    if (last !== undefined && /^[a-z]/.test(block.text) && !/[.!?:;\u201d"]$/.test(last.text))
      last.text += ` ${block.text}`;
    else paragraphs.push({ text: block.text, heading });
    if (isHeading) heading = block.text;
  }
  return paragraphs
    .filter(({ text }) => /[a-z]/i.test(text))
    .map(({ text, heading }, index) => {
      const sentences = text.split(/(?<=[.!?;]) +(?=[A-Z\u201c"(])/);
      const words = new Set(text.toLowerCase().match(/[a-z0-9]+/g));
      return { index, text, heading, sentences, keys: sentences.map(squeeze), words };
    });
}

/**
 * Returns the earlier paragraph by the later paragraph to which it is similar. The most similar pairs are made first.
 */
function pairParagraphs(earlier: readonly Paragraph[], later: readonly Paragraph[]): Map<Paragraph, Paragraph> {
  const byWord = new Map<string, Paragraph[]>();
  for (const paragraph of earlier) for (const word of paragraph.words) pushTo(byWord, word, paragraph);
  const find = (word: string): readonly Paragraph[] => byWord.get(word) ?? [];
  const candidates = later.flatMap((paragraph) => {
    const common = [...paragraph.words].filter((word) => byWord.has(word));
    const rare = common.toSorted((a, b) => find(a).length - find(b).length).slice(0, RARE_WORDS);
    const similar = new Set(rare.flatMap((word) => find(word).slice(0, MAX_CANDIDATES)));
    const similarityTo = ({ words }: Paragraph): number => computeSimilarity(paragraph.words, words);
    return [...similar].map((other) => ({ paragraph, other, similarity: similarityTo(other) }));
  });
  const pairs = new Map<Paragraph, Paragraph>();
  const pairedEarlier = new Set<Paragraph>();
  for (const { paragraph, other, similarity } of candidates.toSorted((a, b) => b.similarity - a.similarity)) {
    if (similarity < MIN_SIMILARITY || pairs.has(paragraph) || pairedEarlier.has(other)) continue;
    pairs.set(paragraph, other);
    pairedEarlier.add(other);
  }
  return pairs;
}

/** Returns the fraction of words that two paragraphs have in common (Jaccard index). */
function computeSimilarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return common / Math.max(1, a.size + b.size - common);
}

function makeChange(before: Paragraph | null, after: Paragraph | null, laterKeys: ReadonlyMap<string, number>): Change {
  const heading = (after ?? before)?.heading ?? null;
  if (before === null) return { kind: 'added', heading, before: null, after: after?.text ?? '', words: [] };
  if (after === null) return { kind: 'removed', heading, before: before.text, after: null, words: [] };
  // Sentences that are in another paragraph of the later section were split off, not removed.
  const isHere = (key?: string): boolean => key !== undefined && (after.keys.includes(key) || !laterKeys.has(key));
  const sentences = before.sentences.filter((_, index) => isHere(before.keys[index]));
  const words = markWords(sentences.join(' '), after.text);
  return { kind: 'changed', heading, before: before.text, after: after.text, words };
}

function markWords(before: string, after: string): WordMark[] {
  // Splits after spaces only, so that amounts such as $7.2 are not divided.
  const listWords = (text: string) => text.split(/(?<= )/);
  const parts = diffArrays(listWords(before), listWords(after), { maxEditLength: MAX_WORD_EDITS });
  if (parts === undefined)
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ];
  return parts.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value.join(''),
  }));
}
