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
   * Lines whose sum must be the amount, and whose sum it was, without a zero, in this or an earlier filing. An amount
   * may exceed the first line if the filing lacks the others.
   */
  readonly sumOf?: readonly [string, string];
  /** Conditions that are sufficient, too. */
  readonly or?: Conditions;
  /** Concepts of parts: an amount below one of theirs is not the metric. */
  readonly parts?: readonly string[];
  /**
   * Other totals of the metric: in no period of its filing may the concept state less than one of them. Of several that
   * remain, the largest is read.
   */
  readonly neverBelow?: readonly string[];
  /**
   * Concepts of parts that may exceed the metric, because hedges or losses reduce it: only by half, and only once a
   * filing of the company has stated the metric without exceeding parts.
   */
  readonly usualParts?: readonly string[];
  /** Lines that add up to the metric: the concept is not the metric in a filing that states other amounts on each of them. */
  readonly withoutAll?: readonly (readonly string[])[];
}

/** A concept, with its confidence if below 1, and its priority if different from its position in the list. */
export type ConceptEntry =
  | string
  | readonly [concept: string, confidence: Decimal, priority?: number]
  | ConditionalConcept;
/** Concepts by taxonomy, best first; a list alone has the concepts of US GAAP. */
export type ConceptLists = readonly ConceptEntry[] | Partial<Record<Taxonomy, readonly ConceptEntry[]>>;
