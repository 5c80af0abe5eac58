/** Everything a release keeps of one company that follows from its facts and its list of filings. */
import { buildChains } from './chains.ts';
import { figuresOf } from './figure-values.ts';
import { fiscalCalendar } from './fiscal-calendar.ts';
import { conceptName, MAPPINGS_BY_CONCEPT } from './mappings.ts';
import { isInternal } from './metric-rules.ts';
import { screenFigures } from './screen.ts';
import { findSplits } from './splits.ts';
import type { CompanyFigures, Fact, FilingRecord, RawConceptCount } from './types.ts';

export interface DeriveOptions {
  /** The release's day: facts filed after it are not read. */
  readonly releaseDate: string;
}

/** A pure function of its arguments: the same facts give the same figures on every machine. */
export function deriveCompany(
  facts: readonly Fact[],
  filings: readonly FilingRecord[],
  { releaseDate }: DeriveOptions,
): CompanyFigures {
  const setAside = new Map<string, number>();
  const count = (reason: string) => setAside.set(reason, (setAside.get(reason) ?? 0) + 1);
  const { onFile, mapped, rawConcepts } = sortFacts(facts, releaseDate, count);
  const statementFacts = mapped.filter((fact) => fact.taxonomy !== 'dei');
  const splits = findSplits(onFile);
  const calendar = fiscalCalendar(statementFacts, filings);
  const statements = buildChains(mapped, { calendar, filings, splits, setAside: count });
  const figures = figuresOf(statements, null);
  const values = figures.filter((figure) => !isInternal(figure.metricKey));
  return {
    statements,
    splits,
    rawConcepts,
    rawFactCount: onFile.length,
    metricValueCount: values.length,
    coveredKeys: [...new Set(values.map((figure) => figure.metricKey))].sort(),
    screen: screenFigures(figures, { splits, releaseDate }),
    setAside: Object.fromEntries([...setAside].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** One pass over all facts: the ones on file, the few that a metric is read from, and the count of each concept. */
function sortFacts(facts: readonly Fact[], releaseDate: string, setAside: (reason: string) => void) {
  const onFile: Fact[] = [];
  const mapped: Fact[] = [];
  const concepts = new Map<string, { -readonly [K in keyof RawConceptCount]: RawConceptCount[K] }>();
  for (const fact of facts) {
    if (fact.filed > releaseDate) {
      setAside('a fact filed after the release');
      continue;
    }
    onFile.push(fact);
    const name = conceptName(fact.taxonomy, fact.concept);
    if (MAPPINGS_BY_CONCEPT.has(name)) mapped.push(fact);
    const key = `${name} ${fact.unit}`;
    const known = concepts.get(key);
    if (known === undefined) {
      const { taxonomy, concept, unit, end } = fact;
      concepts.set(key, { taxonomy, concept, unit, factCount: 1, earliestEnd: end, latestEnd: end });
    } else {
      known.factCount++;
      if (known.earliestEnd === null || fact.end < known.earliestEnd) known.earliestEnd = fact.end;
      if (known.latestEnd === null || fact.end > known.latestEnd) known.latestEnd = fact.end;
    }
  }
  return { onFile, mapped, rawConcepts: [...concepts.values()] };
}
