/**
 * Finds current reports and amendments that contain another company's statements: of an acquired business, a merger
 * partner, or a company that the filer owns a part of.
 */
import { isNearlyEqual } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { classifyForm } from '../../edgar/filings/forms.ts';
import { pushTo } from '../../platform/collections.ts';
import { countDaysBetween } from '../../platform/dates.ts';
import { cacheForLastConcept, findMapping } from '../metrics/concepts.ts';
import { isSameBoundary } from '../periods/align-periods.ts';

/**
 * Returns the accession numbers of filings whose amounts all differ from the filer's earlier periodic reports, in the
 * periods that both state. Compares net income and total assets of current reports, and total assets of amendments and
 * of second annual reports of a year. Current reports repeat at least one amount, even if they restate others; an
 * amendment may restate all of them, so its amounts must differ by more than half.
 */
export function findAccessionsOfOtherCompanies(facts: readonly Fact[]): ReadonlySet<string> {
  const isSecondReport = createSecondReportCheck(facts);
  const suspects = new Map<string, Fact[]>();
  const factsOfFiler = new Map<string, Fact[]>();
  const findMetric = cacheForLastConcept(
    (taxonomy, concept) =>
      ['net_income', 'assets'].find((metricKey) => findMapping(metricKey, taxonomy, concept) !== null) ?? null,
  );
  for (const fact of facts) {
    const metric = findMetric(fact);
    if (metric === null || (fact.start === null) !== (metric === 'assets')) continue;
    const kind = classifyForm(fact.form);
    const isSuspect = kind === 'current' || (metric === 'assets' && isSecondReport(fact));
    if (isSuspect) pushTo(suspects, fact.accession, fact);
    else if (kind !== null) pushTo(factsOfFiler, makeConceptKey(fact), fact);
  }
  const accessions = new Set<string>();
  for (const [accession, suspectFacts] of suspects) {
    const flags = suspectFacts.flatMap((fact) =>
      (factsOfFiler.get(makeConceptKey(fact)) ?? [])
        .filter((other) => other.filed <= fact.filed && isSamePeriod(other, fact))
        .map(({ value }) => isNear(value, fact)),
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
  const days = [...new Set(dayByReport.values())].sort();
  const secondDays = new Set(
    days.filter((day, index) => index > 0 && countDaysBetween(days[index - 1] ?? '', day) <= MAX_DAYS_BETWEEN_REPORTS),
  );
  return ({ form, accession }) => form.endsWith('/A') || secondDays.has(dayByReport.get(accession) ?? '');
}

const ANNUAL_FORMS: ReadonlySet<string> = new Set(['10-K', '10-KT', '20-F', '40-F']);

/** Maximum difference between amounts of one company, as a fraction of the larger one. */
const MAX_DIFFERENCE_OF_CURRENT_REPORT: Decimal = '0.05';
const MAX_DIFFERENCE_OF_SECOND_REPORT: Decimal = '0.5';

function isNear(amount: Decimal, { value, form }: Fact): boolean {
  const isCurrent = classifyForm(form) === 'current';
  const fraction = isCurrent ? MAX_DIFFERENCE_OF_CURRENT_REPORT : MAX_DIFFERENCE_OF_SECOND_REPORT;
  return isNearlyEqual(amount, value, fraction) || isNearlyEqual(value, amount, fraction);
}

function isSamePeriod(a: Fact, b: Fact): boolean {
  if (a.start === null || b.start === null) return a.start === b.start && isSameBoundary(a.end, b.end);
  return isSameBoundary(a.start, b.start) && isSameBoundary(a.end, b.end);
}

const makeConceptKey = ({ taxonomy, concept, unit }: Fact): string => `${taxonomy} ${concept} ${unit}`;
