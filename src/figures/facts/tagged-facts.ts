/**
 * Ranks the facts of one concept within each period in filing order, and marks facts whose value differs from the
 * previous fact's value.
 */
import { compareText } from '../../contract/compare-text.ts';
import { isEqual } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { groupBy } from '../../platform/collections.ts';

interface RankedFact<F> {
  readonly fact: F;
  /** Position among the period's facts in filing order, from 1. */
  readonly rank: number;
  /** Comparison with the fact filed before: `revised` if the value differs. */
  readonly kind: 'first' | 'same' | 'revised';
}

/** Returns the facts with their ranks: the latest period end first, and within a period in filing order. */
export function rankFacts<F extends Pick<Fact, 'start' | 'end' | 'filed' | 'accession' | 'value'>>(
  facts: readonly F[],
): RankedFact<F>[] {
  const entries = [...groupBy(facts, ({ start, end }) => `${end} ${start ?? ''}`)];
  return entries
    .sort(([a], [b]) => compareText(b, a))
    .flatMap(([, ofPeriod]) =>
      ofPeriod.toSorted(compareByFiling).map((fact, index, sorted) => {
        const previous = sorted[index - 1];
        const kind = previous === undefined ? 'first' : isEqual(previous.value, fact.value) ? 'same' : 'revised';
        return { fact, rank: index + 1, kind };
      }),
    );
}

/** Sorts facts of one period in filing order. */
export const compareByFiling = (a: Pick<Fact, 'filed' | 'accession'>, b: Pick<Fact, 'filed' | 'accession'>): number =>
  compareText(a.filed, b.filed) || compareText(a.accession, b.accession);
