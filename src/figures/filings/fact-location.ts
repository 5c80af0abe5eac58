/**
 * Finds a fact in a report's document.
 * A tagged fact without dimensions matches if concept, unit, period and value are equal. If several elements match, the
 * first element is returned: notes may repeat an amount, but the financial statements come first. A hidden fact has a
 * context but no visible element.
 */
import { isEqual } from '../../contract/decimal-text.ts';
import type { FiledReport, TaggedFact } from '../../edgar/reports/xbrl-report.ts';
import { pushTo } from '../../platform/collections.ts';

export type MatchQuality = 'unique' | 'ambiguous' | 'hidden_only' | 'none';

/** A fact as stated in company facts. `concept` includes the prefix. */
type FactToLocate = Pick<TaggedFact, 'concept' | 'unit' | 'start' | 'end' | 'value'>;

export interface FactLocation {
  readonly matchQuality: MatchQuality;
  readonly concept: string;
  /** The id of the fact's context in the document. */
  readonly context: string | null;
  readonly document: string | null;
  /** The id of the element that displays the fact; null if the fact is not displayed or the element has no id. */
  readonly lineId: string | null;
}

/** Returns a function that finds facts in one report. Indexes the report's facts once. */
export function createFactLocator(report: FiledReport): (soughtFact: FactToLocate) => FactLocation {
  const byKey = new Map<string, TaggedFact[]>();
  for (const fact of report.facts) if (fact.dimensions.length === 0) pushTo(byKey, makeFactKey(fact), fact);
  return (sought) => {
    const matches = (byKey.get(makeFactKey(sought)) ?? []).filter((fact) => isEqual(fact.value, sought.value));
    const visibleFacts = report.kind === 'inline' ? matches.filter((fact) => fact.location?.isHidden === false) : [];
    const fact = visibleFacts[0] ?? matches[0];
    return {
      matchQuality: rateMatch(report, matches.length, visibleFacts.length),
      concept: sought.concept,
      context: fact?.location?.contextId ?? null,
      document: report.document,
      lineId: visibleFacts[0]?.location?.elementId ?? null,
    };
  };
}

/** Rates the match. Only facts in inline documents can be hidden: a plain XBRL instance displays no facts. */
function rateMatch(report: FiledReport, matchCount: number, visibleCount: number): MatchQuality {
  if (visibleCount > 0) return visibleCount === 1 ? 'unique' : 'ambiguous';
  return report.kind === 'inline' && matchCount > 0 ? 'hidden_only' : 'none';
}

const makeFactKey = ({ concept, unit, start, end }: FactToLocate): string => `${concept} ${unit} ${start} ${end}`;
