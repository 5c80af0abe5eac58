/** Derives all data of one company in a release from the company's facts and list of filings. */

import { FIGURES } from '../contract/figures.ts';
import { FILTER_COLUMNS } from '../contract/screen-columns.ts';
import type { RawConceptSummary } from '../edgar/facts/company-facts.ts';
import type { Fact } from '../edgar/facts/fact-row.ts';
import { SkippedRowCounts } from '../edgar/files/skipped-rows.ts';
import type { FilingRecord } from '../edgar/filings/submissions.ts';
import { assertDefined } from '../platform/collections.ts';
import { deriveFromChains } from './derived/derive-figures.ts';
import type { Figure } from './derived/figure.ts';
import { deriveFiguresOfFormula, isDerivedOnRequest } from './derived/formulas.ts';
import { SHARE_COUNT_KEY } from './derived/share-counts.ts';
import { buildFiscalCalendar } from './facts/fiscal-calendar.ts';
import { selectLatestFigures } from './figure-values.ts';
import { findAccessionsOfOtherCompanies } from './filings/other-statements.ts';
import { cacheForLastConcept, isConceptRead, prefixConcept } from './metrics/concepts.ts';
import { isInternal } from './metrics/metric-rules.ts';
import { alignPeriods } from './periods/align-periods.ts';
import { deriveMarketData, type Quotes } from './prices/market-price.ts';
import { countEvidence, type EvidenceCounts } from './relations/evidence-counts.ts';
import { evaluateRelations, type RelationResults } from './relations/relations.ts';
import { markUnconfirmedValues } from './relations/unconfirmed.ts';
import { type ResponseFigure, toResponseFigure } from './response-figure.ts';
import { buildChains } from './revisions/build-chains.ts';
import { compareByFigureAndRank, type ReportedValue } from './revisions/revision-chain.ts';
import { deriveScreenFigures, type ScreenFigures, selectScreenInputs } from './screen/derive-screen-row.ts';
import { findSplits, SPLIT_CONCEPTS, type Split } from './shares/splits.ts';

/** All data of one company in a release that is derived from its facts and its list of filings. */
export interface CompanyFigures {
  /** Current values of reported and derived figures, including internal figures that no response shows. */
  readonly figures: readonly Figure[];
  /** Sorted by `compareByFigureAndRank`. */
  readonly reportedValues: readonly ReportedValue[];
  /** Comparisons of stated amounts; the values of broken ones are marked. */
  readonly relations: RelationResults;
  readonly evidence: EvidenceCounts;
  /** The figures that `metrics` returns for the latest periods. */
  readonly latestFigures: readonly ResponseFigure[];
  readonly splits: readonly Split[];
  readonly rawConcepts: readonly RawConceptSummary[];
  readonly rawFactCount: number;
  /** Number of `figures`, without internal figures. */
  readonly metricValueCount: number;
  /** Keys with at least one figure, reported or derived. Ratios that are screener columns are not included. */
  readonly coveredKeys: readonly string[];
  /** Null if no core metric (annual revenue, net income or total assets) was reported. */
  readonly screen: ScreenFigures | null;
  /** Number of facts that were not used, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly decisions: EvidenceDecisions;
}

/** Counts of the facts that other facts show to be wrong. */
export interface EvidenceDecisions {
  /** Number of facts that are not used (withheld), by reason; `skipped` includes them. */
  readonly withheld: Readonly<Record<string, number>>;
  /**
   * Number of facts whose values stay in their chains, marked as contradicted, by rule; several rules may count a fact.
   */
  readonly contradicted: Readonly<Record<string, number>>;
}

interface DeriveOptions {
  /** The release's date: facts filed later are not read. */
  readonly releaseDate: string;
  /** Prices of the company's primary security; if absent, no price ratios are derived. */
  readonly quotes?: Quotes | null;
  /**
   * Number of facts of each concept; required if `facts` omits facts whose concept is not used (`isConceptUsed`). If
   * absent, the facts are counted.
   */
  readonly rawConcepts?: readonly RawConceptSummary[];
}

/**
 * Keys of figures that are neither metrics nor screener columns, for `coveredKeys`. Screener columns are counted
 * elsewhere, from the rows of the screener.
 */
const UNSCREENED_FIGURE_KEYS = FIGURES.map(({ key }) => key).filter(
  (key) => isDerivedOnRequest(key) && !FILTER_COLUMNS.includes(key),
);

/**
 * Whether any figure is read from facts of this concept. `deriveCompanyFigures` may be called without facts of other
 * concepts.
 */
export const isConceptUsed = (taxonomy: string, concept: string): boolean =>
  SPLIT_CONCEPTS.has(concept) || isConceptRead(taxonomy, concept);

/** Derives a company's data from the arguments alone, so that the same facts give the same figures on every machine. */
export function deriveCompanyFigures(
  facts: readonly Fact[],
  filings: readonly FilingRecord[],
  { releaseDate, quotes = null, rawConcepts }: DeriveOptions,
): CompanyFigures {
  const [skipped, withheld, contradicted] = [new SkippedRowCounts(), new SkippedRowCounts(), new SkippedRowCounts()];
  const skip = (reason: string) => skipped.add(reason);
  const filedFacts = facts.filter((fact) => {
    if (fact.filed <= releaseDate) return true;
    skip('a fact filed after the date of the release');
    return false;
  });
  const mappedFacts = filedFacts.filter(cacheForLastConcept(isConceptRead));
  const otherStatements = findAccessionsOfOtherCompanies(mappedFacts);
  const isOwn = ({ accession }: Fact) => {
    if (otherStatements.has(accession)) skip("another company's financial statements in a current report (8-K)");
    return !otherStatements.has(accession);
  };
  const alignedFacts = alignPeriods(otherStatements.size === 0 ? mappedFacts : mappedFacts.filter(isOwn), skip);
  const flowsAndBalances = alignedFacts.filter((fact) => fact.taxonomy !== 'dei');
  const splitFacts = filedFacts.filter(({ concept }) => SPLIT_CONCEPTS.has(concept));
  const splits = findSplits(splitFacts, filings);
  const calendar = buildFiscalCalendar(flowsAndBalances, filings);
  let statedCount = 0;
  const countStated = (key: string) => {
    if (!isInternal(key)) statedCount += 1;
  };
  const context = {
    ...{ calendar, filings, splits, skip, countStated },
    withhold: (reason: string) => {
      skipped.add(reason);
      withheld.add(reason);
    },
    countContradicted: (rule: string) => contradicted.add(rule),
  };
  // Sorted as a release stores chains, so that figures derived from a release are equal to figures derived here.
  const chains = buildChains(alignedFacts, context).sort(compareFirstValues);
  const figures = deriveFromChains(chains, null, splits);
  const values: ReportedValue[] = [];
  for (const chain of chains) values.push(...chain);
  const relations = evaluateRelations(values, figures);
  markUnconfirmedValues(relations);
  const publicFigures = figures.filter((figure) => !isInternal(figure.metricKey));
  const inputs = selectScreenInputs(figures, splits);
  const { credibleFigures, findPeriods } = inputs;
  const derivableKeys = UNSCREENED_FIGURE_KEYS.filter(
    (key) => !deriveFiguresOfFormula(key, credibleFigures, findPeriods, splits).next().done,
  );
  const concepts = rawConcepts ?? addConceptCounts([], filedFacts);
  const shareCounts = chains.filter(([firstValue]) => firstValue?.metricKey === SHARE_COUNT_KEY).flat();
  const market = quotes === null ? null : deriveMarketData(quotes, shareCounts, splits, releaseDate);
  return {
    figures,
    reportedValues: values,
    relations,
    evidence: countEvidence(figures, chains, statedCount),
    latestFigures: selectLatestFigures(figures).map((figure) => toResponseFigure(figure, null)),
    splits,
    rawConcepts: concepts,
    rawFactCount: concepts.reduce((sum, { factCount }) => sum + factCount, 0),
    metricValueCount: publicFigures.length,
    coveredKeys: [...new Set([...publicFigures.map(({ metricKey }) => metricKey), ...derivableKeys])].sort(),
    screen: deriveScreenFigures(figures, { releaseDate, splits, market }, inputs),
    skipped: skipped.getCounts(),
    decisions: { withheld: withheld.getCounts(), contradicted: contradicted.getCounts() },
  };
}

const compareFirstValues = ([a]: readonly ReportedValue[], [b]: readonly ReportedValue[]): number =>
  compareByFigureAndRank(assertDefined(a), assertDefined(b));

/** Adds the facts to the counts of their concept and unit. Concepts keep the order of their first facts. */
export function addConceptCounts(previous: readonly RawConceptSummary[], facts: readonly Fact[]): RawConceptSummary[] {
  const toKey = ({ taxonomy, concept, unit }: Pick<Fact, 'taxonomy' | 'concept' | 'unit'>) =>
    `${prefixConcept(taxonomy, concept)} ${unit}`;
  const byKey = new Map(previous.map((count) => [toKey(count), count]));
  for (const fact of facts) {
    const { taxonomy, concept, unit, end } = fact;
    const key = toKey(fact);
    const existing = byKey.get(key);
    const [earliest, latest] = [existing?.earliestEnd ?? end, existing?.latestEnd ?? end];
    byKey.set(key, {
      ...{ taxonomy, concept, unit, factCount: (existing?.factCount ?? 0) + 1 },
      earliestEnd: end < earliest ? end : earliest,
      latestEnd: end > latest ? end : latest,
    });
  }
  return [...byKey.values()];
}
