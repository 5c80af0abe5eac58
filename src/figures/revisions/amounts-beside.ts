/** What a filing reports by certain concepts, beside one of its facts: in the same unit, for the same period. */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { entryOf } from '../groups.ts';

/** Null where the filing does not report the concept for the period. */
export type AmountBeside = (fact: Fact, concept: string) => Decimal | null;

export function amountsBeside(facts: readonly Fact[], concepts: ReadonlySet<string>): AmountBeside {
  const places = new Map<string, Map<string, Decimal>>();
  for (const fact of facts) {
    if (!concepts.has(fact.concept)) continue;
    entryOf(places, placeOf(fact), () => new Map<string, Decimal>()).set(fact.concept, fact.value);
  }
  return (fact, concept) => places.get(placeOf(fact))?.get(concept) ?? null;
}

function placeOf({ accession, unit, start, end }: Fact): string {
  return `${accession} ${unit} ${start} ${end}`;
}
