/** What a filing reports by certain concepts, beside one of its facts: in the same unit, for the same period. */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { entryOf } from '../groups.ts';
import type { FactSeries } from './fact-series.ts';
import type { Choice, FilingCandidates } from './filing-candidates.ts';

/** The amounts by concept. */
export type Amounts = ReadonlyMap<string, Decimal>;

export type AmountsBeside = (fact: Fact) => Amounts;

/** Chooses by what the filing reports beside the candidates. */
export type AmountChooser = (candidates: FilingCandidates, amounts: Amounts) => Choice;

const NOTHING: Amounts = new Map();

/** By filing, then end: a filing reports few periods that end on one day. */
type Places = Map<string, Map<string, Place[]>>;

interface Place extends Pick<Fact, 'unit' | 'start'> {
  readonly amounts: Map<string, Decimal>;
}

export function amountsBeside(series: readonly FactSeries[], concepts: ReadonlySet<string>): AmountsBeside {
  const places: Places = new Map();
  for (const { concept, facts } of series) {
    if (!concepts.has(concept)) continue;
    for (const fact of facts) {
      const { accession, unit, start, end, value } = fact;
      const ending = entryOf(
        entryOf(places, accession, () => new Map<string, Place[]>()),
        end,
        () => [],
      );
      let place = placeIn(ending, fact);
      if (place === undefined) {
        place = { unit, start, amounts: new Map() };
        ending.push(place);
      }
      place.amounts.set(concept, value);
    }
  }
  return (fact) => placeIn(places.get(fact.accession)?.get(fact.end), fact)?.amounts ?? NOTHING;
}

function placeIn(places: readonly Place[] | undefined, { unit, start }: Fact): Place | undefined {
  return places?.find((place) => place.start === start && place.unit === unit);
}
