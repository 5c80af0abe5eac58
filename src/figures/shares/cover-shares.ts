/**
 * The shares outstanding on a report's cover, by class.
 * Company facts have no dimensions, so they have no count for a company with several share classes; its count is the
 * sum of the classes on the cover.
 */

import { add } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import type { Dimension, Fact } from '../../edgar/facts/fact-row.ts';
import type { FiledReport, TaggedFact } from '../../edgar/reports/tagged-report.ts';

export interface ClassShares {
  /** As filed: us-gaap:CommonClassAMember. Null if the company has one class. */
  readonly member: string | null;
  readonly shares: Decimal;
}

export interface CoverShares {
  /** The date of the count. */
  readonly asOf: string;
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  readonly classes: readonly ClassShares[];
  readonly total: Decimal;
}

/** The concept's name, without prefix. */
export const COVER_COUNT = 'EntityCommonStockSharesOutstanding';
const COVER_COUNT_CONCEPT = `dei:${COVER_COUNT}`;
const CLASS_AXIS_PATTERN = /:?(?:Statement)?ClassOfStock(?:Axis)?$/;
/**
 * Members that are not a class: all classes together, treasury shares, and depositary receipts for shares counted
 * elsewhere.
 */
const NO_CLASS_PATTERN =
  /:?(?:CommonStock|TreasuryStock\w*|\w*(?:AmericanDepositary|AmericanDepository|ADR|ADS)\w*)(?:Member)?$/;

/** Returns the latest count on the cover; null if there is none. A count without dimensions precedes a sum. */
export function findCoverShares(
  report: Pick<FiledReport, 'facts' | 'accession' | 'form' | 'filed'>,
): CoverShares | null {
  const counts = report.facts.filter(
    (fact) => fact.concept === COVER_COUNT_CONCEPT && fact.unit === 'shares' && fact.start === null,
  );
  const wholeFacts = selectLatest(counts.filter((fact) => fact.dimensions.length === 0));
  const byClass = counts.filter(({ dimensions: [onlyDimension, ...otherDimensions] }) => {
    return (
      onlyDimension !== undefined &&
      onlyDimension.member !== null &&
      otherDimensions.length === 0 &&
      CLASS_AXIS_PATTERN.test(onlyDimension.axis)
    );
  });
  const classCounts = byClass.filter((fact) => !isNoClass(fact));
  const foundFacts =
    wholeFacts.length > 0 ? wholeFacts.slice(0, 1) : selectLatest(classCounts.length > 0 ? classCounts : byClass);
  const [firstFact] = foundFacts;
  if (firstFact === undefined) return null;
  const shares = new Map(foundFacts.map((fact) => [fact.dimensions[0]?.member ?? null, fact.value]));
  return {
    asOf: firstFact.end,
    accession: report.accession,
    form: report.form,
    filed: report.filed,
    classes: [...shares].map(([member, count]) => ({ member, shares: count })),
    total: [...shares.values()].reduce(add, '0'),
  };
}

function isNoClass({ dimensions: [onlyDimension] }: TaggedFact): boolean {
  return onlyDimension !== undefined && onlyDimension.member !== null && NO_CLASS_PATTERN.test(onlyDimension.member);
}

function selectLatest(facts: readonly TaggedFact[]): readonly TaggedFact[] {
  const latestEnd = facts
    .map((fact) => fact.end)
    .sort()
    .at(-1);
  return facts.filter((fact) => fact.end === latestEnd);
}

/** Whether a fact is a share count of a cover, for the company or one class. */
export function isClassCount(concept: string, dimensions: readonly Dimension[]): boolean {
  return concept === COVER_COUNT_CONCEPT && dimensions.every(({ axis }) => CLASS_AXIS_PATTERN.test(axis));
}

/**
 * The counts as facts of the company; a sum with the counts of its classes. Only for filings without a count in
 * company facts, which is the filer's own.
 */
export function toCoverFacts(reports: readonly FiledReport[], facts: readonly Fact[]): Fact[] {
  if (reports.length === 0) return [];
  const accessionsWithCount = new Set(
    facts.filter((fact) => fact.concept === COVER_COUNT).map(({ accession }) => accession),
  );
  return reports.flatMap((report) => {
    const { accession, form, filed, focusYear, focusPeriod } = report;
    const count = accessionsWithCount.has(accession) ? null : findCoverShares(report);
    if (count === null || count.asOf > filed) return [];
    // A filing may occur twice, as its document and in a set.
    accessionsWithCount.add(accession);
    const fact = {
      ...{ taxonomy: 'dei', concept: COVER_COUNT, unit: 'shares', start: null, end: count.asOf, value: count.total },
      ...{ accession, form, filed, frame: null, focusYear, focusPeriod, source: report.kind },
    };
    if (count.classes.length < 2) return [fact];
    return [{ ...fact, classCounts: count.classes.map(({ member, shares }) => `${member}=${shares}`).join(' ') }];
  });
}
