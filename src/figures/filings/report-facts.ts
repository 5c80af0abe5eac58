/**
 * Collects facts that company facts lack from a company's tagged reports. Company facts lack new filings, and a reduced
 * copy of company facts lacks concepts. As company facts do, omits facts with dimensions, keeps the most precise of
 * repeated facts, and turns durations of one day into instants.
 */

import { compareDecimals } from '../../contract/decimal-text.ts';
import { type Fact, makeFactKey } from '../../edgar/facts/fact-row.ts';
import type { FiledReport, TaggedFact } from '../../edgar/reports/xbrl-report.ts';
import { listMappingsOfConcept } from '../metrics/concepts.ts';
import { findSplitEffect } from '../metrics/metric-rules.ts';
import { COVER_COUNT_NAME } from '../shares/cover-shares.ts';

interface ReportFactOptions {
  readonly isWanted: (taxonomy: string, concept: string) => boolean;
  /** Called for each skipped fact, with the reason. */
  readonly skip: (reason: string) => void;
}

/** Kinds of copies of a filing's facts, by precedence: the first copy that has a fact is used. */
const REPORT_KIND_ORDER: readonly FiledReport['kind'][] = ['inline', 'instance', 'data_set'];

/** @param knownFacts the company's facts; facts equal to these are not returned */
export function collectReportFacts(
  reports: readonly FiledReport[],
  knownFacts: readonly Fact[],
  { isWanted, skip }: ReportFactOptions,
): Fact[] {
  const accessions = new Set(reports.map(({ accession }) => accession));
  const seen = new Set<string>();
  for (const fact of knownFacts) if (accessions.has(fact.accession)) seen.add(makeFactKey(fact));
  const newFacts: Fact[] = [];
  const sorted = [...reports].sort((a, b) => REPORT_KIND_ORDER.indexOf(a.kind) - REPORT_KIND_ORDER.indexOf(b.kind));
  for (const report of sorted) {
    for (const fact of selectPreciseFacts(report, isWanted, skip)) {
      const normal = report.kind === 'data_set' ? { ...fact, unit: normalizePerShareUnit(fact) } : fact;
      // Compares both units: some filers use the unit USD for dollars per share, and company facts repeat this unit.
      if (seen.has(makeFactKey(normal)) || seen.has(makeFactKey(fact))) continue;
      seen.add(makeFactKey(normal));
      newFacts.push(normal);
    }
  }
  return newFacts;
}

/**
 * Returns the facts without dimensions in one report: for each concept, unit and period, the most precise fact. Skips a
 * fact for which equally precise values differ.
 */
function selectPreciseFacts(
  report: FiledReport,
  isWanted: ReportFactOptions['isWanted'],
  skip: (reason: string) => void,
): readonly Fact[] {
  const byKey = new Map<string, { readonly fact: Fact; readonly decimals: number; isDisputed: boolean }>();
  for (const tagged of report.facts) {
    if (tagged.dimensions.length > 0) continue;
    const fact = toFact(tagged, report);
    // Share counts on covers are collected separately, by share class.
    if (fact.concept === COVER_COUNT_NAME || !isWanted(fact.taxonomy, fact.concept)) continue;
    const decimals = tagged.decimals ?? Number.POSITIVE_INFINITY;
    const key = makeFactKey(fact);
    const existing = byKey.get(key);
    if (existing === undefined || decimals > existing.decimals) byKey.set(key, { fact, decimals, isDisputed: false });
    else if (decimals === existing.decimals && compareDecimals(fact.value, existing.fact.value) !== 0)
      existing.isDisputed = true;
  }
  return [...byKey.values()].flatMap(({ fact, isDisputed }) => {
    if (!isDisputed) return [fact];
    skip('a fact for which one report states two values');
    return [];
  });
}

function toFact(tagged: TaggedFact, { kind, accession, form, filed, focusYear, focusPeriod }: FiledReport): Fact {
  const colon = tagged.concept.indexOf(':');
  const taxonomy = tagged.concept.slice(0, colon);
  const concept = tagged.concept.slice(colon + 1);
  const { start, end, value } = tagged;
  return {
    ...{ taxonomy, concept, unit: tagged.unit, start: start === end ? null : start, end, value },
    ...{ accession, form, filed, frame: null, focusYear, focusPeriod },
    source: kind === 'data_set' && tagged.hasInferredDates ? 'data_set_inferred_dates' : kind,
  };
}

/** Returns the unit as company facts state it: older data sets use USD for dollars per share. */
function normalizePerShareUnit({ unit, taxonomy, concept }: Fact): string {
  const metrics = listMappingsOfConcept(taxonomy, concept);
  const isPerShare = metrics.length > 0 && metrics.every(({ metricKey }) => findSplitEffect(metricKey) === 'per_share');
  return isPerShare && /^[A-Z]{3}$/.test(unit) ? `${unit}/shares` : unit;
}
