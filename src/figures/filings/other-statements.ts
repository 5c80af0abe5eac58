/** Finds current reports with the statements of another company, which the filer has bought or merges with. */
import { absolute, multiply, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { formClass } from '../../edgar/filings/forms.ts';
import { pushTo } from '../../platform/collections.ts';
import { dayNumber } from '../../platform/dates.ts';
import { cachePerConcept, mappingOf } from '../metrics/concepts.ts';
import { SAME_PERIOD_DAYS } from '../periods/align-periods.ts';

/**
 * Returns the current reports in which no net income is near the one that the filer's own periodic reports gave by
 * that day for the same period. Restatements for disposals or new principles change it by a few percent only. A
 * report whose periods cannot be compared counts as the filer's own.
 */
export function findStatementsOfOthers(facts: readonly Fact[]): ReadonlySet<string> {
  const factsByReport = new Map<string, Fact[]>();
  const ownFacts = new Map<string, Fact[]>();
  const isNetIncome = cachePerConcept((taxonomy, concept) => mappingOf('net_income', taxonomy, concept) !== null);
  for (const fact of facts) {
    if (fact.start === null || !isNetIncome(fact)) continue;
    const form = formClass(fact.form);
    if (form === 'current') pushTo(factsByReport, fact.accession, fact);
    else if (form !== null) pushTo(ownFacts, conceptKey(fact), fact);
  }
  const otherAccessions = new Set<string>();
  for (const [accession, reportedFacts] of factsByReport) {
    const comparedFacts = reportedFacts.flatMap((fact) =>
      (ownFacts.get(conceptKey(fact)) ?? [])
        .filter((earlierFact) => earlierFact.filed <= fact.filed && isSamePeriod(earlierFact, fact))
        .map(({ value }) => isClose(value, fact.value)),
    );
    if (comparedFacts.length > 0 && !comparedFacts.includes(true)) otherAccessions.add(accession);
  }
  return otherAccessions;
}

/** Whether the difference is less than half of the larger amount. */
function isClose(a: Decimal, b: Decimal): boolean {
  const larger = compareDecimals(absolute(a), absolute(b)) < 0 ? absolute(b) : absolute(a);
  return compareDecimals(multiply(absolute(subtract(a, b)), '2'), larger) <= 0;
}

function isSamePeriod(a: Fact, b: Fact): boolean {
  return isNearDay(a.start, b.start) && isNearDay(a.end, b.end);
}

function isNearDay(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && Math.abs(dayNumber(a) - dayNumber(b)) <= SAME_PERIOD_DAYS;
}

function conceptKey({ taxonomy, concept, unit }: Fact): string {
  return `${taxonomy} ${concept} ${unit}`;
}
