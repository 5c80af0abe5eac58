/** The format of the lists of concepts. */
import type { Decimal } from '../../../contract/decimal-text.ts';

type Taxonomy = 'us-gaap' | 'ifrs-full' | 'dei';

/** A concept that is the metric only under conditions. */
export interface ConditionalConcept extends Conditions {
  readonly concept: string;
  /** Default: 1. */
  readonly confidence?: Decimal;
}

/** Conditions about other amounts of the same filing and period. */
export interface Conditions {
  /** The concept is the metric only if no filing up to this one states a nonzero amount of these concepts. */
  readonly without?: readonly string[];
  /** The concept is the metric only if the filing states one of these concepts. */
  readonly with?: readonly string[];
  /** The concept is the metric only if the filing states none of these concepts, not even as zero. */
  readonly absent?: readonly string[];
  /** Concepts whose amounts must be zero, unless the filing states none of them. */
  readonly zero?: readonly string[];
  /** Lines of which a balance sheet may have several: the filing must state at most one of them as nonzero. */
  readonly atMostOneOf?: readonly string[];
  /** A filing that states all concepts of one of these lists states the total of the lines, and may have several. */
  readonly totalsOfLines?: readonly (readonly string[])[];
  /**
   * Two lines that must add up to the amount, and that did so with a nonzero second line in this or an earlier filing.
   * If the filing lacks the second line, the amount may exceed the first.
   */
  readonly sumOf?: readonly [string, string];
  /** Alternative conditions: a fact that meets them need not meet the others. */
  readonly or?: Conditions;
  /** Concepts of parts: an amount that is less than one of its parts is not the metric. */
  readonly parts?: readonly string[];
  /**
   * Other totals of the metric: in no period of the filing may the amount be less than one of them. If several concepts
   * meet this condition, the largest amount is read.
   */
  readonly neverBelow?: readonly string[];
  /**
   * Concepts of parts that may exceed the metric, because hedges or losses reduce it. The amount must be at least half
   * of each part, and an earlier filing must have stated the metric above its parts.
   */
  readonly usualParts?: readonly string[];
  /**
   * Lines that add up to the metric: the concept is not the metric in a filing that states other amounts on each of
   * them.
   */
  readonly withoutAll?: readonly (readonly string[])[];
}

/** A concept, with its confidence if below 1, and its priority if different from its position in the list. */
export type ConceptEntry =
  | string
  | readonly [concept: string, confidence: Decimal, priority?: number]
  | ConditionalConcept;
/** Concepts by taxonomy, best first; a list alone has the concepts of US GAAP. */
export type ConceptLists = readonly ConceptEntry[] | Partial<Record<Taxonomy, readonly ConceptEntry[]>>;
