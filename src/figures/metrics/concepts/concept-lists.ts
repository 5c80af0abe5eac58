/** How the lists of concepts are written. */
import type { Decimal } from '../../../contract/decimal-text.ts';

type Taxonomy = 'us-gaap' | 'ifrs-full' | 'dei';
/** A concept; its confidence where below 1; its priority where not its place in the list. */
export type ConceptEntry = string | readonly [concept: string, confidence: Decimal, priority?: number];
/** Best first. */
export type ConceptLists = Partial<Record<Taxonomy, readonly ConceptEntry[]>>;
