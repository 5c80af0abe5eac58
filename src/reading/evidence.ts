/** Collects the evidence that a block is the heading of an item, and contradictions. */
import type { Block } from './block.ts';
import type { ContentsRow } from './contents.ts';
import type { Heading } from './headings.ts';
import type { FormItem } from './item-names.ts';
import { leadsTo } from './repetitions.ts';

/**
 * Evidence of a bound (the start or end of a section). `link`: the contents link to the bound. `heading`: a statutory
 * title in the place and style of a heading. `page`: the bound is on the page that the contents name. `order`: the
 * bound is in the order of the form's items. `end`: the signatures or the end of the document.
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
  /** Several headings have equally good evidence; `offsets` are theirs, in the source. */
  | { readonly code: 'twin_headings'; readonly offsets: readonly number[] }
  /** The start has fewer than two kinds of evidence. */
  | { readonly code: 'little_evidence'; readonly kinds: readonly Evidence['kind'][] }
  /** The contents name another place for the item: `expected` is an offset (`link`) or a printed page (`page`). */
  | {
      readonly code: 'contradiction';
      readonly kind: 'link' | 'page';
      readonly expected: string;
      readonly actual: string;
    }
  /** The heading of the next item lacks evidence, or an item before it is missing. */
  | { readonly code: 'end_unproven'; readonly next: string }
  /** The heading of another item is inside the section. */
  | { readonly code: 'heading_inside'; readonly item: string; readonly offset: number };

/** An item that the document names, and the heading that was chosen for it. */
export interface Start {
  readonly name: FormItem;
  readonly rows: readonly ContentsRow[];
  readonly heading: Heading | null;
  readonly evidence: readonly Evidence[];
  readonly reason: Reason | null;
}

/** The rows of contents and headings of a document that name one item. */
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
    const evidence = readContentsEvidence(blocks, rows, heading);
    const { offset, text, hasTitle } = heading;
    if (hasTitle) evidence.push({ kind: 'heading', offset, value: text });
    const near = chosen[inOrder.has(index - 1) ? index - 1 : index + 1];
    if (inOrder.has(index))
      evidence.push({ kind: 'order', offset: near?.heading?.offset ?? offset, value: near?.name.item ?? name.item });
    const contradiction = findContradiction(blocks, rows, heading, evidence);
    return { name, rows, heading, evidence, reason: contradiction ?? findLack(evidence) };
  });
}

function findLack(evidence: readonly Evidence[]): Reason | null {
  const kinds = [...new Set(evidence.map(({ kind }) => kind))];
  return kinds.length >= 2 ? null : { code: 'little_evidence', kinds };
}

/** Returns the only heading that may be the item's, or the reason why none can be chosen. */
function chooseHeading(blocks: readonly Block[], { rows, headings }: Mentions): Pick<Start, 'heading' | 'reason'> {
  const linked = headings.filter((heading) => rows.some((row) => isLinked(blocks, row, heading)));
  const onPage = headings.filter((heading) => rows.some((row) => isOnPage(row, heading)));
  const numbered = headings.filter(({ hasNumber }) => hasNumber);
  const styled = headings.filter(({ hasStyle }) => hasStyle);
  const lastStyled = styled.length === 1 && styled[0] === headings.at(-1) ? styled : [];
  let candidates = numbered.length > 0 ? numbered : [...new Set([...linked, ...onPage])];
  for (const preferred of [linked, onPage, lastStyled]) {
    const better = candidates.filter((heading) => preferred.includes(heading));
    if (candidates.length > 1 && better.length > 0) candidates = better;
  }
  const offsets = candidates.map(({ offset }) => offset);
  return { heading: candidates[0] ?? null, reason: offsets.length < 2 ? null : { code: 'twin_headings', offsets } };
}

const isLinked = (blocks: readonly Block[], { target }: ContentsRow, heading: Heading): boolean =>
  target !== null && leadsTo(blocks, target, heading);

const isOnPage = ({ pages }: ContentsRow, { page }: Heading): boolean => pages.length > 0 && pages[0]?.from === page;

const readContentsEvidence = (blocks: readonly Block[], rows: readonly ContentsRow[], heading: Heading): Evidence[] =>
  rows.flatMap((row) => {
    const { offset, text } = row.heading;
    const evidence: Evidence[] = [];
    if (isLinked(blocks, row, heading)) evidence.push({ kind: 'link', offset, value: text });
    if (isOnPage(row, heading)) evidence.push({ kind: 'page', offset, value: heading.page ?? '' });
    return evidence;
  });

/** Contents that name another place contradict a heading, unless their link or page confirms the heading. */
function findContradiction(
  blocks: readonly Block[],
  rows: readonly ContentsRow[],
  { offset, page }: Heading,
  evidence: readonly Evidence[],
): Reason | null {
  if (evidence.some(({ kind }) => kind === 'link' || kind === 'page')) return null;
  const [target] = rows.flatMap(({ target }) => target ?? []);
  const pages = rows.flatMap(({ pages }) => pages[0]?.from ?? []);
  if (target !== undefined) {
    const expected = String(blocks[target]?.start);
    return { code: 'contradiction', kind: 'link', expected, actual: String(offset) };
  }
  if (pages.length === 0 || page === null) return null;
  return { code: 'contradiction', kind: 'page', expected: pages.join(), actual: page };
}

/** Returns the indexes of the longest sequence of rising values. */
function findOrdered(values: readonly (number | null)[]): ReadonlySet<number> {
  /** The longest sequence that ends at each index. */
  const sequences: number[][] = [];
  for (const [index, value] of values.entries()) {
    const extendable = sequences.filter((_, at) => (values[at] ?? Number.POSITIVE_INFINITY) <= (value ?? -1));
    sequences.push(value === null ? [] : [...findLongest(extendable), index]);
  }
  return new Set(findLongest(sequences));
}

const findLongest = (sequences: readonly number[][]): readonly number[] =>
  sequences.reduce((longest, sequence) => (sequence.length > longest.length ? sequence : longest), []);
