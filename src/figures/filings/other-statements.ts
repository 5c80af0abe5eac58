/**
 * Finds current reports and amendments that contain another company's statements: of an acquired business, a merger
 * partner, or a company that the filer owns a part of.
 */
import { multiply, subtract, takeAbsoluteValue } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { classifyForm } from '../../edgar/filings/forms.ts';
import { pushTo } from '../../platform/collections.ts';
import { countDaysBetween } from '../../platform/dates.ts';
import { cacheForLastConcept, findMapping } from '../metrics/concepts.ts';
import { isSameBoundary } from '../periods/align-periods.ts';

/**
 * Returns the accession numbers of current reports whose net income, and of amendments and second annual reports of a
 * year whose total assets, differ by more than half from the filer's earlier periodic reports, in every period that both state. A restatement usually
 * changes net income by only a few percent, and assets by less.
 */
export function findAccessionsOfOtherCompanies(facts: readonly Fact[]): ReadonlySet<string> {
  const isSecondReport = createSecondReportCheck(facts);
  const suspects = new Map<string, Fact[]>();
  const own = new Map<string, Fact[]>();
  const findMetric = cacheForLastConcept(
    (taxonomy, concept) =>
      ['net_income', 'assets'].find((metricKey) => findMapping(metricKey, taxonomy, concept) !== null) ?? null,
  );
  for (const fact of facts) {
    const metric = findMetric(fact);
    if (metric === null || (fact.start === null) !== (metric === 'assets')) continue;
    const kind = classifyForm(fact.form);
    const isSuspect = metric === 'assets' ? isSecondReport(fact) : kind === 'current';
    if (isSuspect) pushTo(suspects, fact.accession, fact);
    else if (kind !== null && kind !== 'current') pushTo(own, makeConceptKey(fact), fact);
  }
  const accessions = new Set<string>();
  for (const [accession, stated] of suspects) {
    const flags = stated.flatMap((fact) =>
      (own.get(makeConceptKey(fact)) ?? [])
        .filter((other) => other.filed <= fact.filed && isSamePeriod(other, fact))
        .map(({ value }) => differsByAtMostHalf(value, fact.value)),
    );
    if (flags.length > 0 && !flags.includes(true)) accessions.add(accession);
  }
  return accessions;
}

/** Maximum number of days between two annual reports of the same year. */
const MAX_DAYS_BETWEEN_REPORTS = 180;

/** Whether the fact's filing is an amendment, or an annual report soon after another one. */
function createSecondReportCheck(facts: readonly Fact[]): (fact: Fact) => boolean {
  const dayByReport = new Map(
    facts.filter(({ form }) => ANNUAL_FORMS.has(form)).map(({ accession, filed }) => [accession, filed]),
  );
  const days = [...dayByReport.values()];
  const secondReports = new Set<string>();
  for (const [accession, filed] of dayByReport)
    if (days.some((day) => day < filed && countDaysBetween(day, filed) <= MAX_DAYS_BETWEEN_REPORTS))
      secondReports.add(accession);
  return ({ form, accession }) => form.endsWith('/A') || secondReports.has(accession);
}

const ANNUAL_FORMS: ReadonlySet<string> = new Set(['10-K', '10-KT', '20-F', '40-F']);

/** Whether the difference between two amounts is at most half of the larger amount. */
function differsByAtMostHalf(a: Decimal, b: Decimal): boolean {
  const [sizeA, sizeB] = [takeAbsoluteValue(a), takeAbsoluteValue(b)];
  const larger = compareDecimals(sizeA, sizeB) < 0 ? sizeB : sizeA;
  return compareDecimals(multiply(takeAbsoluteValue(subtract(a, b)), '2'), larger) <= 0;
}

function isSamePeriod(a: Fact, b: Fact): boolean {
  if (a.start === null || b.start === null) return a.start === b.start && isSameBoundary(a.end, b.end);
  return isSameBoundary(a.start, b.start) && isSameBoundary(a.end, b.end);
}

function makeConceptKey({ taxonomy, concept, unit }: Fact): string {
  return `${taxonomy} ${concept} ${unit}`;
}
