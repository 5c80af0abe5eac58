/** Finds current reports that contain another company's statements: of an acquired business or of a merger partner. */
import { absolute, multiply, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { classifyForm } from '../../edgar/filings/forms.ts';
import { pushTo } from '../../platform/collections.ts';
import { dayNumber } from '../../platform/dates.ts';
import { cachePerConcept, findMapping } from '../metrics/concepts.ts';
import { SAME_PERIOD_DAYS } from '../periods/align-periods.ts';

/**
 * Returns the accession numbers of current reports in which every net income that can be compared differs widely from
 * the net income for the same period in the filer's earlier periodic reports. Restatements for disposals or new
 * accounting principles change net income by only a few percent.
 */
export function findOtherCompaniesStatements(facts: readonly Fact[]): ReadonlySet<string> {
  const factsByReport = new Map<string, Fact[]>();
  const ownFacts = new Map<string, Fact[]>();
  const isNetIncome = cachePerConcept((taxonomy, concept) => findMapping('net_income', taxonomy, concept) !== null);
  for (const fact of facts) {
    if (fact.start === null || !isNetIncome(fact)) continue;
    const form = classifyForm(fact.form);
    if (form === 'current') pushTo(factsByReport, fact.accession, fact);
    else if (form !== null) pushTo(ownFacts, makeConceptKey(fact), fact);
  }
  const otherCompaniesAccessions = new Set<string>();
  for (const [accession, reportedFacts] of factsByReport) {
    const comparisonResults = reportedFacts.flatMap((fact) =>
      (ownFacts.get(makeConceptKey(fact)) ?? [])
        .filter((earlierFact) => earlierFact.filed <= fact.filed && isSamePeriod(earlierFact, fact))
        .map(({ value }) => isWithinHalf(value, fact.value)),
    );
    if (comparisonResults.length > 0 && !comparisonResults.includes(true)) otherCompaniesAccessions.add(accession);
  }
  return otherCompaniesAccessions;
}

/** Whether the difference between two amounts is at most half of the larger amount. */
function isWithinHalf(a: Decimal, b: Decimal): boolean {
  const larger = compareDecimals(absolute(a), absolute(b)) < 0 ? absolute(b) : absolute(a);
  return compareDecimals(multiply(absolute(subtract(a, b)), '2'), larger) <= 0;
}

function isSamePeriod(a: Fact, b: Fact): boolean {
  return isNearDay(a.start, b.start) && isNearDay(a.end, b.end);
}

function isNearDay(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && Math.abs(dayNumber(a) - dayNumber(b)) <= SAME_PERIOD_DAYS;
}

function makeConceptKey({ taxonomy, concept, unit }: Fact): string {
  return `${taxonomy} ${concept} ${unit}`;
}
