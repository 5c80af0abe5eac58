/** The format of the lists of concepts. */
import type { Decimal } from '../../../contract/decimal-text.ts';

type Taxonomy = 'us-gaap' | 'ifrs-full' | 'dei';
/** A concept, with its confidence if below 1, and its priority if different from its position in the list. */
export type ConceptEntry = string | readonly [concept: string, confidence: Decimal, priority?: number];
/** Concepts by taxonomy, best first. */
export type ConceptLists = Partial<Record<Taxonomy, readonly ConceptEntry[]>>;
