/** The format of the lists of concepts. */
import type { Decimal } from '../../../contract/decimal-text.ts';

type Taxonomy = 'us-gaap' | 'ifrs-full' | 'dei';

/** A concept that is the metric only under conditions about other amounts of the same filing and period. */
export interface ConditionalConcept {
  readonly concept: string;
  /** Default: 1. */
  readonly confidence?: Decimal;
  /** The concept is the metric only if no filing up to this one states a nonzero amount of these concepts. */
  readonly without?: readonly string[];
  /** The concept is the metric only if the filing states one of these concepts. */
  readonly with?: readonly string[];
  /** Concepts of parts: an amount below one of theirs is not the metric. */
  readonly parts?: readonly string[];
  /**
   * Concepts of parts that may exceed the metric, because hedges or losses reduce it: only by half, and only once a
   * filing of the company has stated the metric without exceeding parts.
   */
  readonly usualParts?: readonly string[];
  /** Lines that add up to the metric: the concept is not the metric if the filing states each of these lines. */
  readonly withoutAll?: readonly (readonly string[])[];
}

/** A concept, with its confidence if below 1, and its priority if different from its position in the list. */
export type ConceptEntry =
  | string
  | readonly [concept: string, confidence: Decimal, priority?: number]
  | ConditionalConcept;
/** Concepts by taxonomy, best first. */
export type ConceptLists = Partial<Record<Taxonomy, readonly ConceptEntry[]>>;
