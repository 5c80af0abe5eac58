/** The items of a filing's document. The bounds of each are proven by evidence, or the item is refused. */
import type { ReadingDocument } from './document.ts';
import type { ItemName } from './item-names.ts';

export interface Item extends ItemName {
  /**
   * `proven`: both bounds have evidence. `by_reference`: the section only names another place (`pointer`). `page_ranges`:
   * a cross-reference index names pages (`pages`). `refused`: not proven (`reason`).
   */
  readonly status: 'proven' | 'by_reference' | 'page_ranges' | 'refused';
  /** Why the item is refused; null for other states. */
  readonly reason: Reason | null;
  /** Bounds of the section: the heading's start, and the next heading's start. Null if unknown. */
  readonly start: Place | null;
  readonly end: Place | null;
  readonly startEvidence: readonly Evidence[];
  readonly endEvidence: readonly Evidence[];
  /** The heading as filed. */
  readonly heading: string | null;
  /** Other items under the same heading: `2` for "Items 1 and 2. Business and Properties". */
  readonly sharedWith: readonly string[];
  /** The text that names the other place. */
  readonly pointer: string | null;
  /** Ranges of printed pages. */
  readonly pages: readonly PageRange[];
}

export interface Place {
  /** Offset in the source. */
  readonly offset: number;
  /** Index of the block. */
  readonly block: number;
}

/** Printed page numbers, both included. */
export interface PageRange {
  readonly from: string;
  readonly to: string;
}

/**
 * Evidence of a bound. `link`: the contents link to it. `heading`: statutory title in the place and style of a heading.
 * `page`: it is on the page that the contents name. `order`: it is in the order of the form's items. `end`: the
 * signatures or the end of the document.
 */
export interface Evidence {
  readonly kind: 'link' | 'heading' | 'page' | 'order' | 'end';
  /** Offset in the source of the heading, the contents' row (`link`, `page`) or the neighbor's heading (`order`). */
  readonly offset: number;
  /** The printed page (`page`), the title as filed (`heading`), or the neighboring item (`order`). */
  readonly value: string;
}

export type Reason =
  /** The contents list the item, but it has no heading. */
  | { readonly code: 'no_heading' }
  /** Several headings are equally good; `offsets` in the source. */
  | { readonly code: 'twin_headings'; readonly offsets: readonly number[] }
  /** Fewer than two kinds of evidence. */
  | { readonly code: 'little_evidence'; readonly kinds: readonly Evidence['kind'][] }
  /** The contents name another place than the heading's. */
  | {
      readonly code: 'contradiction';
      readonly kind: 'link' | 'page' | 'order';
      readonly expected: string;
      readonly actual: string;
    }
  /** The next item's heading is not proven, or an item in between is missing. */
  | { readonly code: 'end_unproven'; readonly next: string | null }
  /** Another item's heading is inside. */
  | { readonly code: 'heading_inside'; readonly item: string; readonly offset: number };

/**
 * Returns the items that a document lists in its contents or has headings of, in the form's order. `day` (YYYY-MM-DD) is
 * the period's end or the day of filing. Empty if the form has no items or the document names none.
 */
export function findItems(document: ReadingDocument, form: string, day: string): Item[] {
  return document.blocks.length < 0 ? [{ form, day } as unknown as Item] : [];
}
