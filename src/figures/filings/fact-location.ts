/**
 * Where a report shows a fact: the element in its document.
 *
 * A fact is matched by concept, unit, period, value, and the absence of dimensions. Of several elements the first is
 * given, which is the financial statement's where notes repeat it. A hidden fact has a context and no element.
 */
import type { Decimal } from '../../contract/decimal-text.ts';
import { compareDecimals } from '../../contract/decimal-text.ts';
import type { FiledReport, TaggedFact } from '../../edgar/reports/tagged-report.ts';
import { pushTo } from '../../platform/collections.ts';

export type MatchQuality = 'unique' | 'ambiguous' | 'hidden_only' | 'none';

/** A fact as company facts have it. `concept` is prefix:Name. */
export interface SoughtFact {
  readonly concept: string;
  readonly unit: string;
  readonly start: string | null;
  readonly end: string;
  readonly value: Decimal;
}

export interface FactLocation {
  readonly matchQuality: MatchQuality;
  readonly concept: string;
  /** The fact's context in the document. */
  readonly context: string | null;
  readonly document: string | null;
  /** The id of the element that shows the figure. */
  readonly lineId: string | null;
}

/** The search in one report, whose facts are indexed once. */
export function locator(report: FiledReport): (sought: SoughtFact) => FactLocation {
  const index = new Map<string, TaggedFact[]>();
  for (const fact of report.facts) if (fact.dimensions.length === 0) pushTo(index, keyOf(fact), fact);
  return (sought) => {
    const facts = (index.get(keyOf(sought)) ?? []).filter((fact) => compareDecimals(fact.value, sought.value) === 0);
    const shown = report.kind === 'inline' ? facts.filter((fact) => fact.place?.hidden === false) : [];
    const fact = shown[0] ?? facts[0];
    return {
      matchQuality: quality(report, facts.length, shown.length),
      concept: sought.concept,
      context: fact?.place?.context ?? null,
      document: report.document,
      lineId: shown[0]?.place?.line ?? null,
    };
  };
}

/** A file of tags alone, without a document, shows nothing. */
function quality(report: FiledReport, matched: number, shown: number): MatchQuality {
  if (shown > 0) return shown === 1 ? 'unique' : 'ambiguous';
  return report.kind === 'inline' && matched > 0 ? 'hidden_only' : 'none';
}

function keyOf({ concept, unit, start, end }: SoughtFact | TaggedFact): string {
  return `${concept} ${unit} ${start} ${end}`;
}
