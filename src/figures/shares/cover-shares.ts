/**
 * Reads the shares outstanding on a report's cover, by class. Company facts lack facts with dimensions. A company with
 * several share classes therefore has no count in company facts; its count is the sum of the classes on the cover.
 */

import { add } from '../../contract/decimal.ts';
import { type Decimal, isEqual, isZero } from '../../contract/decimal-text.ts';
import { type ClassCount, type Dimension, type Fact, formatClassCounts } from '../../edgar/facts/fact-row.ts';
import type { FiledReport, TaggedFact } from '../../edgar/reports/xbrl-report.ts';

interface CoverShares extends Omit<CoverReport, 'facts'> {
  /** The date of the share count. */
  readonly asOf: string;
  readonly classes: readonly ClassCount[];
  readonly total: Decimal;
}

type CoverReport = Pick<FiledReport, 'facts' | 'accession' | 'form' | 'filed'>;

/** The local name of the concept, without prefix. */
export const COVER_COUNT_NAME = 'EntityCommonStockSharesOutstanding';
const COVER_COUNT_CONCEPT = `dei:${COVER_COUNT_NAME}`;
/**
 * Matches the axes of share classes, as taxonomies and data sets name them: ClassOfStock of US GAAP,
 * ClassesOfShareCapital and ClassesOfOrdinaryShares of IFRS, and similar axes of filers.
 */
const CLASS_AXIS_PATTERN = /:?(?:Statement)?Class(?:es)?Of\w*(?:Stock|Shares?|ShareCapital|Units?)(?:Axis)?$/;
/**
 * Matches members that are not a class of common shares: all classes together, treasury shares, preferred shares, and
 * depositary receipts for shares that are counted under another member.
 */
const EXCLUDED_MEMBER_PATTERN =
  /:?(?:CommonStock|TreasuryS\w*|\w*Prefer(?:red|ence)\w*|\w*(?:AmericanDepositary|AmericanDepository|ADR|ADS)\w*)(?:Member)?$/;

/**
 * Returns the latest count on the cover; null if the cover has no count. A count without dimensions is preferred to a
 * sum of classes.
 */
export function findCoverShares({ facts, accession, form, filed }: CoverReport): CoverShares | null {
  const counts = facts.filter(
    (fact) => fact.concept === COVER_COUNT_CONCEPT && fact.unit === 'shares' && fact.start === null,
  );
  const totals = selectLatestFacts(counts.filter((fact) => fact.dimensions.length === 0));
  const ofClasses = counts.filter(
    ({ dimensions }) =>
      dimensions.length > 0 && dimensions.every(({ axis, member }) => member !== null && CLASS_AXIS_PATTERN.test(axis)),
  );
  const common = ofClasses.filter((fact) => !isExcludedMember(fact));
  const chosen = totals.length > 0 ? totals.slice(0, 1) : selectLatestFacts(common.length > 0 ? common : ofClasses);
  const [first] = chosen;
  if (first === undefined) return null;
  const byMember = omitTotal(new Map(chosen.map((fact) => [findClassMember(fact), fact.value])));
  return {
    ...{ asOf: first.end, accession, form, filed },
    classes: [...byMember].map(([member, count]) => ({ member, shares: count })),
    total: [...byMember.values()].reduce(add, '0'),
  };
}

/**
 * Returns the counts without a member that is the sum of at least two others, such as ordinary shares of two classes.
 */
function omitTotal(counts: ReadonlyMap<string | null, Decimal>): ReadonlyMap<string | null, Decimal> {
  const total = [...counts.values()].reduce(add, '0');
  if (counts.size < 3 || isZero(total)) return counts;
  return new Map([...counts].filter(([, count]) => !isEqual(add(count, count), total)));
}

/**
 * Returns the member of the count's share class, or members on several axes, joined by slashes; null without
 * dimensions.
 */
const findClassMember = ({ dimensions }: TaggedFact): string | null =>
  dimensions.map(({ member }) => member).join('/') || null;

const isExcludedMember = ({ dimensions }: TaggedFact): boolean =>
  dimensions.some(({ member }) => member !== null && EXCLUDED_MEMBER_PATTERN.test(member));

function selectLatestFacts(facts: readonly TaggedFact[]): readonly TaggedFact[] {
  const days = facts.map((fact) => fact.end).sort();
  return facts.filter((fact) => fact.end === days.at(-1));
}

/** Whether a fact is a share count on a cover, of the company or of one class. */
export const isCoverCount = (concept: string, dimensions: readonly Dimension[]): boolean =>
  concept === COVER_COUNT_CONCEPT && dimensions.every(({ axis }) => CLASS_AXIS_PATTERN.test(axis));

/**
 * Returns the counts on covers as facts of the company; for several classes, their sum together with the count of each
 * class. Omits filings whose count is in company facts: that count is the filer's own total.
 */
export function toCoverFacts(reports: readonly FiledReport[], facts: readonly Fact[]): Fact[] {
  if (reports.length === 0) return [];
  const filings = new Set(facts.filter((fact) => fact.concept === COVER_COUNT_NAME).map(({ accession }) => accession));
  return reports.flatMap((report) => {
    const { accession, form, filed, focusYear, focusPeriod } = report;
    const cover = filings.has(accession) ? null : findCoverShares(report);
    if (cover === null || cover.asOf > filed) return [];
    // A filing may occur twice in the reports: as a document and in a data set.
    filings.add(accession);
    const { asOf: end, total: value, classes } = cover;
    const fact = {
      ...{ taxonomy: 'dei', concept: COVER_COUNT_NAME, unit: 'shares', start: null, end, value },
      ...{ accession, form, filed, frame: null, focusYear, focusPeriod, source: report.kind },
    };
    if (classes.length < 2) return [fact];
    return [{ ...fact, classCounts: formatClassCounts(classes) }];
  });
}
