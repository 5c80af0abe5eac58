/** The evidence that a block is the heading of an item, and what contradicts it. */
import type { Block } from './block.ts';
import type { ContentsRow } from './contents.ts';
import type { Heading } from './headings.ts';
import type { FormItem } from './item-names.ts';
import { leadsTo } from './repetitions.ts';

/**
 * Evidence of a bound. `link`: the contents link to it. `heading`: a statutory title in the place and style of a heading.
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
  /** The contents or the other items place the item elsewhere. */
  | {
      readonly code: 'contradiction';
      readonly kind: 'link' | 'page' | 'order';
      readonly expected: string;
      readonly actual: string;
    }
  /** The next item's heading is not proven, or an item in between is missing. */
  | { readonly code: 'end_unproven'; readonly next: string }
  /** Another item's heading is inside. */
  | { readonly code: 'heading_inside'; readonly item: string; readonly offset: number };

/** An item that the document names, and the heading that was chosen for it. */
export interface Start {
  readonly name: FormItem;
  readonly rows: readonly ContentsRow[];
  readonly heading: Heading | null;
  readonly evidence: readonly Evidence[];
  readonly reason: Reason | null;
}

/** What the document says about one item: rows of contents, and headings. */
export interface Mentions {
  readonly name: FormItem;
  readonly rows: readonly ContentsRow[];
  readonly headings: readonly Heading[];
}

/** Returns the start of each item, with its evidence. */
export function proveStarts(blocks: readonly Block[], items: readonly Mentions[]): Start[] {
  const chosen = items.map((item) => ({ ...item, ...chooseHeading(blocks, item) }));
  const inOrder = findOrdered(chosen.map(({ heading }) => heading?.block ?? null));
  return chosen.map(({ name, rows, heading, reason }, index) => {
    if (heading === null || reason !== null)
      return { name, rows, heading, evidence: [], reason: reason ?? { code: 'no_heading' } };
    const evidence = [...readContentsEvidence(blocks, rows, heading), ...readHeadingEvidence(blocks, heading)];
    const neighbor = chosen[inOrder.has(index - 1) ? index - 1 : index + 1];
    if (inOrder.has(index))
      evidence.push({
        kind: 'order',
        offset: blocks[neighbor?.heading?.block ?? heading.block]?.start ?? 0,
        value: neighbor?.name.item ?? name.item,
      });
    return {
      name,
      rows,
      heading,
      evidence,
      reason: findContradiction(blocks, rows, heading, evidence) ?? findLack(evidence),
    };
  });
}

function findLack(evidence: readonly Evidence[]): Reason | null {
  const kinds = [...new Set(evidence.map(({ kind }) => kind))];
  return kinds.length >= 2 ? null : { code: 'little_evidence', kinds };
}

/** Returns the only heading that may be the item's, or why none can be chosen. */
function chooseHeading(
  blocks: readonly Block[],
  { rows, headings }: Mentions,
): { heading: Heading | null; reason: Reason | null } {
  const linked = headings.filter((heading) => rows.some((row) => isLinked(blocks, row, heading)));
  const onPage = headings.filter((heading) => rows.some((row) => isOnPage(blocks, row, heading)));
  const numbered = headings.filter(({ hasNumber }) => hasNumber);
  const styled = headings.filter(({ hasStyle }) => hasStyle);
  const lastStyled = styled.length === 1 && styled[0] === headings.at(-1) ? styled : [];
  let candidates = numbered.length > 0 ? numbered : [...new Set([...linked, ...onPage])];
  for (const preferred of [linked, onPage, lastStyled]) {
    const both = candidates.filter((heading) => preferred.includes(heading));
    if (candidates.length > 1 && both.length > 0) candidates = both;
  }
  const offsets = candidates.map(({ block }) => blocks[block]?.start ?? 0);
  return { heading: candidates[0] ?? null, reason: offsets.length < 2 ? null : { code: 'twin_headings', offsets } };
}

const isLinked = (blocks: readonly Block[], { target }: ContentsRow, heading: Heading): boolean =>
  target !== null && leadsTo(blocks, target, heading);

const isOnPage = (blocks: readonly Block[], { pages }: ContentsRow, { block }: Heading): boolean =>
  pages.length > 0 && pages[0]?.from === blocks[block]?.page;

function readContentsEvidence(blocks: readonly Block[], rows: readonly ContentsRow[], heading: Heading): Evidence[] {
  return rows.flatMap((row) => {
    const offset = blocks[row.heading.block]?.start ?? 0;
    const evidence: Evidence[] = [];
    if (row.target !== null && leadsTo(blocks, row.target, heading))
      evidence.push({ kind: 'link', offset, value: row.heading.text });
    if (isOnPage(blocks, row, heading)) evidence.push({ kind: 'page', offset, value: row.pages[0]?.from ?? '' });
    return evidence;
  });
}

function readHeadingEvidence(blocks: readonly Block[], { block, text, hasTitle }: Heading): Evidence[] {
  return hasTitle ? [{ kind: 'heading', offset: blocks[block]?.start ?? 0, value: text }] : [];
}

/** Contents that place the item elsewhere contradict a heading, unless their other half confirms it. */
function findContradiction(
  blocks: readonly Block[],
  rows: readonly ContentsRow[],
  heading: Heading,
  evidence: readonly Evidence[],
): Reason | null {
  const has = (kind: Evidence['kind']): boolean => evidence.some((other) => other.kind === kind);
  const block = blocks[heading.block];
  const targets = rows.flatMap(({ target }) => (target === null ? [] : [target]));
  const pages = rows.flatMap(({ pages }) => pages.slice(0, 1)).map(({ from }) => from);
  if (has('link') || has('page')) return null;
  if (targets.length > 0)
    return {
      code: 'contradiction',
      kind: 'link',
      expected: String(blocks[targets[0] ?? 0]?.start),
      actual: String(block?.start),
    };
  if (pages.length > 0 && block?.page != null && !pages.some((page) => isNextPage(page, block.page ?? '')))
    return { code: 'contradiction', kind: 'page', expected: pages.join(), actual: block.page };
  if (!has('order')) return { code: 'contradiction', kind: 'order', expected: '', actual: '' };
  return null;
}

const isNextPage = (a: string, b: string): boolean => Math.abs(Number(a) - Number(b)) <= 1;

/** Returns the indexes of the longest rising sequence. */
function findOrdered(values: readonly (number | null)[]): Set<number> {
  const lengths: number[] = [];
  const previous: number[] = [];
  let last = -1;
  for (const [index, value] of values.entries()) {
    lengths[index] = value === null ? 0 : 1;
    previous[index] = -1;
    for (let before = 0; before < index && value !== null; before++) {
      const other = values[before] ?? null;
      if (other === null || other > value || (lengths[before] ?? 0) < (lengths[index] ?? 0)) continue;
      lengths[index] = (lengths[before] ?? 0) + 1;
      previous[index] = before;
    }
    if ((lengths[index] ?? 0) > 0 && (last === -1 || (lengths[index] ?? 0) > (lengths[last] ?? 0))) last = index;
  }
  const ordered = new Set<number>();
  for (let at = last; at !== -1; at = previous[at] ?? -1) ordered.add(at);
  return ordered;
}
