/** Finds current reports that contain another company's statements: of an acquired business or of a merger partner. */
import { multiply, subtract, takeAbsoluteValue } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { classifyForm } from '../../edgar/filings/forms.ts';
import { pushTo } from '../../platform/collections.ts';
import { cacheForLastConcept, findMapping } from '../metrics/concepts.ts';
import { isSameBoundary } from '../periods/align-periods.ts';

/**
 * Returns the accession numbers of current reports whose net income differs by more than half from the filer's earlier
 * periodic reports, in every period that both state. A restatement usually changes net income by only a few percent.
 */
export function findAccessionsOfOtherCompanies(facts: readonly Fact[]): ReadonlySet<string> {
  const current = new Map<string, Fact[]>();
  const own = new Map<string, Fact[]>();
  const isNetIncome = cacheForLastConcept((taxonomy, concept) => findMapping('net_income', taxonomy, concept) !== null);
  for (const fact of facts) {
    if (fact.start === null || !isNetIncome(fact)) continue;
    const kind = classifyForm(fact.form);
    if (kind === 'current') pushTo(current, fact.accession, fact);
    else if (kind !== null) pushTo(own, makeConceptKey(fact), fact);
  }
  const accessions = new Set<string>();
  for (const [accession, stated] of current) {
    const flags = stated.flatMap((fact) =>
      (own.get(makeConceptKey(fact)) ?? [])
        .filter((other) => other.filed <= fact.filed && isSamePeriod(other, fact))
        .map(({ value }) => differsByAtMostHalf(value, fact.value)),
    );
    if (flags.length > 0 && !flags.includes(true)) accessions.add(accession);
  }
  return accessions;
}

/** Whether the difference between two amounts is at most half of the larger amount. */
function differsByAtMostHalf(a: Decimal, b: Decimal): boolean {
  const [sizeA, sizeB] = [takeAbsoluteValue(a), takeAbsoluteValue(b)];
  const larger = compareDecimals(sizeA, sizeB) < 0 ? sizeB : sizeA;
  return compareDecimals(multiply(takeAbsoluteValue(subtract(a, b)), '2'), larger) <= 0;
}

function isSamePeriod(a: Fact, b: Fact): boolean {
  return a.start !== null && b.start !== null && isSameBoundary(a.start, b.start) && isSameBoundary(a.end, b.end);
}

function makeConceptKey({ taxonomy, concept, unit }: Fact): string {
  return `${taxonomy} ${concept} ${unit}`;
}
