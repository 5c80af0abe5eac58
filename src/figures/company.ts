/** Everything a release keeps of one company that follows from its facts and its list of filings. */
import { buildChains } from './chains.ts';
import { figuresOf } from './figure-values.ts';
import { fiscalCalendar } from './fiscal-calendar.ts';
import { conceptName, MAPPINGS_BY_CONCEPT } from './mappings.ts';
import { isInternal } from './metric-rules.ts';
import type { Quotes } from './prices/market-price.ts';
import { marketOf } from './prices/market-price.ts';
import { screenFigures } from './screen.ts';
import { findSplits, SPLIT_CONCEPTS } from './splits.ts';
import type { CompanyFigures, Fact, FilingRecord, RawConceptCount } from './types.ts';

export interface DeriveOptions {
  /** The release's day: facts filed after it are not read. */
  readonly releaseDate: string;
  /** The prices of its primary security; without them there are no ratios of price. */
  readonly quotes?: Quotes | null;
}

/** A pure function of its arguments: the same facts give the same figures on every machine. */
export function deriveCompany(
  facts: readonly Fact[],
  filings: readonly FilingRecord[],
  { releaseDate, quotes = null }: DeriveOptions,
): CompanyFigures {
  const setAside = new Map<string, number>();
  const count = (reason: string) => setAside.set(reason, (setAside.get(reason) ?? 0) + 1);
  const series = seriesOf(facts, releaseDate, count);
  const factsWhere = (fits: (entry: Series) => boolean) => series.filter(fits).flatMap((entry) => entry.facts);
  const mapped = factsWhere(({ taxonomy, concept }) => MAPPINGS_BY_CONCEPT.has(conceptName(taxonomy, concept)));
  const statementFacts = mapped.filter((fact) => fact.taxonomy !== 'dei');
  const splits = findSplits(factsWhere(({ concept }) => SPLIT_CONCEPTS.has(concept)));
  const calendar = fiscalCalendar(statementFacts, filings);
  const statements = buildChains(mapped, { calendar, filings, splits, setAside: count });
  const figures = figuresOf(statements, null);
  const values = figures.filter((figure) => !isInternal(figure.metricKey));
  const market = quotes === null ? null : marketOf(quotes, statements, splits, releaseDate);
  return {
    statements,
    splits,
    rawConcepts: series.map(countSeries),
    rawFactCount: series.reduce((sum, entry) => sum + entry.facts.length, 0),
    metricValueCount: values.length,
    coveredKeys: [...new Set(values.map((figure) => figure.metricKey))].sort(),
    screen: screenFigures(figures, { releaseDate, splits: market?.splits ?? splits, price: market?.price ?? null }),
    setAside: Object.fromEntries([...setAside].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** The facts of one concept in one unit. */
interface Series {
  readonly taxonomy: string;
  readonly concept: string;
  readonly unit: string;
  readonly facts: Fact[];
}

/** One pass over all facts; they come concept by concept, so the series is mostly that of the fact before. */
function seriesOf(facts: readonly Fact[], releaseDate: string, setAside: (reason: string) => void): Series[] {
  const all = new Map<string, Series>();
  let current: Series | null = null;
  for (const fact of facts) {
    if (fact.filed > releaseDate) {
      setAside('a fact filed after the release');
      continue;
    }
    const { taxonomy, concept, unit } = fact;
    if (current === null || current.concept !== concept || current.unit !== unit || current.taxonomy !== taxonomy) {
      const key: string = `${conceptName(taxonomy, concept)} ${unit}`;
      const series: Series = all.get(key) ?? { taxonomy, concept, unit, facts: [] };
      all.set(key, series);
      current = series;
    }
    current.facts.push(fact);
  }
  return [...all.values()];
}

function countSeries({ taxonomy, concept, unit, facts }: Series): RawConceptCount {
  let earliestEnd: string | null = null;
  let latestEnd: string | null = null;
  for (const { end } of facts) {
    if (earliestEnd === null || end < earliestEnd) earliestEnd = end;
    if (latestEnd === null || end > latestEnd) latestEnd = end;
  }
  return { taxonomy, concept, unit, factCount: facts.length, earliestEnd, latestEnd };
}
