/** Checks a release before its publication. Each check has a name, a result, and a sentence about what was compared. */
import { formatCount } from '../../contract/text/format-counts.ts';
import { hasOnlyMarkedFailures, type IdentityResult } from '../../figures/checks/identities.ts';
import type { EvidenceCounts } from '../../figures/relations/evidence-counts.ts';
import { sumNumbers } from '../../platform/collections.ts';
import type { Check } from '../../store/releases/manifest.ts';
import type { CompanyFindings } from '../companies/company-checks.ts';
import { type CompanyResult, toEvidenceRow } from '../companies/company-task.ts';
import type { SmallTables } from './small-tables.ts';

export interface CheckInput {
  readonly results: readonly CompanyResult[];
  readonly findings: CompanyFindings;
  readonly tables: SmallTables;
  /** Number of rows of each table: as written, and as read back from its files. */
  readonly counts: readonly {
    readonly table: string;
    readonly writtenRows: number;
    readonly rowsReadBack: number;
  }[];
  readonly date: string;
  readonly today: string;
  /** Names of omitted tables, which had no source files. */
  readonly omittedTables: readonly string[];
  /** The previous release; null if missing or unreadable. */
  readonly previousRelease: PreviousRelease | null;
  /** Whether the check passes even if the new release lacks much of the previous release's data. */
  readonly allowsLoss: boolean;
}

export interface PreviousRelease {
  readonly stamp: string;
  /** Number of rows by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Counts by company; null if the release has none. */
  readonly evidence: readonly CompanyEvidence[] | null;
}

/**
 * Maximum fraction of the previous release's companies that may be missing: companies deregister, and downloads differ.
 */
const MAX_LOST_ROW_FRACTION = 0.2;
/** Maximum number of lost tables that a check's sentence names. */
const MAX_NAMED_TABLES = 3;
/** Tables whose row counts are compared with the previous release, each with a label for its rows. */
const COMPARED_TABLES = { companies: 'companies', screen: 'companies with core metrics' } as const;

export const checkRelease = (input: CheckInput): Check[] => [
  checkCoverage(input),
  checkCases(
    'sources',
    input.findings.statedFacts,
    (count) => `${count} reported values differ from the facts of their filings`,
  ),
  ...checkIdentities(input),
  checkEvidence(input.results.map(toEvidenceRow), input.previousRelease?.evidence ?? null),
  checkCases(
    'standing',
    input.findings.revisionChains,
    (count) => `for ${count} figures, the reported values are not in the order of filing`,
  ),
  checkFutureDates(input),
  checkKeys(input),
  checkCounts(input),
  checkLoss(input),
];

function checkCoverage({ results, tables }: CheckInput): Check {
  const covered = results.filter(({ company }) => company.coverageState === 'covered').length;
  return {
    name: 'coverage',
    passed: results.some(({ company }) => company.coverageState !== 'none'),
    detail: `${covered} of ${results.length} companies have core metrics; ${tables.screen.length} are in the screener`,
  };
}

/**
 * Checks that no tested case failed.
 * @param describe returns the check's sentence for the number of failed cases, such as "0 of 12"
 */
function checkCases(
  name: string,
  { testedCount, failedCount, example }: CompanyFindings['keys'],
  describe: (count: string) => string,
): Check {
  const detail = `${describe(`${failedCount} of ${testedCount}`)}${formatExample(example)}`;
  return { name, passed: failedCount === 0, detail };
}

/**
 * Returns two checks: of relations between fin's own figures, which always hold; and of relations between amounts that
 * filers state. A filer's error may break the latter, but then the figures are marked.
 */
function checkIdentities({ findings }: CheckInput): Check[] {
  const ownRelations = findings.identities.filter(({ kind }) => kind === 'own');
  const filedRelations = findings.identities.filter(({ kind }) => kind === 'stated');
  const brokenCount = sumNumbers(filedRelations.map(({ broken }) => broken));
  return [
    {
      name: 'figures',
      passed: ownRelations.every(hasOnlyMarkedFailures),
      detail: `${countUnmarked(ownRelations)} of ${countChecked(ownRelations)} figures do not follow from their inputs${formatWorstIdentity(ownRelations)}`,
    },
    {
      name: 'relations',
      passed: filedRelations.every(hasOnlyMarkedFailures),
      detail: `${brokenCount} of ${countChecked(filedRelations)} comparisons of stated amounts fail, of which ${countUnmarked(filedRelations)} are not marked${formatWorstIdentity(filedRelations)}`,
    },
  ];
}

const countChecked = (results: readonly IdentityResult[]): number => sumNumbers(results.map(({ checked }) => checked));
const countUnmarked = (results: readonly IdentityResult[]): number =>
  sumNumbers(results.map(({ broken, marked }) => broken - marked));

/** Names the identity with most failures without a mark, and one of them; empty if all are marked. */
function formatWorstIdentity(results: readonly IdentityResult[]): string {
  const worst = results
    .filter((result) => !hasOnlyMarkedFailures(result))
    .sort((a, b) => b.broken - b.marked - (a.broken - a.marked))[0];
  if (worst === undefined) return '';
  return `, most often "${worst.name}" (${worst.broken - worst.marked})${formatExample(worst.worst[0]?.subject ?? null)}`;
}

function checkFutureDates({ findings, date, today }: CheckInput): Check {
  if (date > today)
    return { name: 'future', passed: false, detail: `the release's date ${date} is after today, ${today}` };
  const describe = (count: string) => `${count} reported values have a filing date or period end after ${date}`;
  return checkCases('future', findings.futureDates, describe);
}

function checkKeys({ findings, tables }: CheckInput): Check {
  const keys = checkCases('keys', findings.keys, (count) => `${count} figures have two values from one filing`);
  const repeats =
    countRepeated(tables.companies.map(({ cik }) => cik)) +
    countRepeated(tables.securities.map((security) => security.tickerNormalized));
  const repeated = formatCount(repeats, 'company or ticker occurs', 'companies or tickers occur');
  return { name: 'keys', passed: keys.passed && repeats === 0, detail: `${keys.detail}; ${repeated} twice` };
}

function checkCounts({ results, counts }: CheckInput): Check {
  const mismatch = counts.find(({ writtenRows, rowsReadBack }) => writtenRows !== rowsReadBack);
  const factCount = sumNumbers(results.map(({ company }) => company.rawFactCount));
  const count = sumNumbers(results.map(({ conceptFacts }) => conceptFacts));
  const detail =
    mismatch === undefined
      ? `${factCount} facts were counted by company and ${count} by concept (both numbers must be equal); rows written and read back: ${counts.map(({ table, writtenRows }) => `${table} ${writtenRows}`).join(', ')}`
      : `the table ${mismatch.table} should have ${mismatch.writtenRows} rows and has ${mismatch.rowsReadBack}`;
  return { name: 'counts', passed: mismatch === undefined && factCount === count, detail };
}

/** Detects a valid release that is too small because a source was damaged or incomplete. */
function checkLoss({ counts: tableCounts, omittedTables, previousRelease, allowsLoss }: CheckInput): Check {
  if (previousRelease === null) return { name: 'loss', passed: true, detail: 'no earlier release to compare with' };
  const counts = new Map(tableCounts.map(({ table, writtenRows }) => [table, writtenRows]));
  const lostRowTexts = Object.entries(COMPARED_TABLES).flatMap(([table, label]) => {
    const previousRows = previousRelease.rows[table] ?? 0;
    const rowsNow = counts.get(table) ?? 0;
    return rowsNow < previousRows * (1 - MAX_LOST_ROW_FRACTION) ? [`only ${rowsNow} of ${previousRows} ${label}`] : [];
  });
  const lostNames = omittedTables.filter((table) => (previousRelease.rows[table] ?? 0) > 0);
  const more = lostNames.length > MAX_NAMED_TABLES ? ` and ${lostNames.length - MAX_NAMED_TABLES} more tables` : '';
  const texts = lostNames.length === 0 ? [] : [`no rows in ${lostNames.slice(0, MAX_NAMED_TABLES).join(', ')}${more}`];
  const loss = [...lostRowTexts, ...texts].join('; ');
  const { stamp } = previousRelease;
  if (loss === '')
    return { name: 'loss', passed: true, detail: `not much smaller than the previous release, ${stamp}` };
  const detail = `compared with the previous release, ${stamp}, rows are missing: ${loss}`;
  if (allowsLoss) return { name: 'loss', passed: true, detail: `${detail}; allowed by --allow-loss` };
  const advice = 'Check which source files are missing. If the loss is intended, build with --allow-loss';
  return { name: 'loss', passed: false, detail: `${detail}. ${advice}` };
}

const formatExample = (example: string | null): string => (example === null ? '' : `, such as ${example}`);
const countRepeated = (keys: readonly unknown[]): number => keys.length - new Set(keys).size;

export interface CompanyEvidence extends EvidenceCounts {
  readonly cik: number;
}

type CountName = keyof EvidenceCounts;

/** A fraction of figures (count `part` divided by count `whole`) and the maximum that it must not exceed. */
interface Measure {
  readonly part: CountName;
  readonly whole: CountName;
  readonly label: string;
  /** Maximum number of parts per thousand. */
  readonly max: number;
}

/**
 * Each maximum is about twice the highest fraction in 5,000 random sets of 50 companies, drawn from the 341 complete
 * captures of company facts that were available, large and small, of every industry, with a million figures in all.
 */
const MEASURES: readonly Measure[] = [
  { part: 'unconfirmed', whole: 'shown', label: 'shown figures are unconfirmed', max: 12 },
  { part: 'withheld', whole: 'stated', label: 'figures that filings state are not shown', max: 30 },
  { part: 'revised', whole: 'repeated', label: 'values that are stated again differ from the earlier value', max: 130 },
  { part: 'misplaced', whole: 'labelled', label: 'quarters labelled Q1 to Q4 end far from their usual date', max: 20 },
  { part: 'duplicates', whole: 'flows', label: 'amounts of a period occur twice, dated a few days apart', max: 0.5 },
];

/** Fractions of fewer values than this are only reported, because a few companies may have unusual fractions. */
const MIN_JUDGED_VALUES = 50_000;

/**
 * From one release to the next, a fraction may grow to at most MAX_GROWTH times the previous fraction plus
 * MAX_ADDED_PER_THOUSAND.
 */
const MAX_GROWTH = 1.25;
const MAX_ADDED_PER_THOUSAND = 2;

const PER_THOUSAND = 1000;

/** @param previous the companies of the previous release; null if there is none, or if it has no counts */
function checkEvidence(current: readonly CompanyEvidence[], previous: readonly CompanyEvidence[] | null): Check {
  const previousByCik = new Map(previous?.map((company) => [company.cik, company]));
  const inBoth = current.filter(({ cik }) => previousByCik.has(cik));
  const previousInBoth = inBoth.flatMap(({ cik }) => previousByCik.get(cik) ?? []);
  const results = MEASURES.flatMap((measure) => [
    judge(measure, current, measure.max, `at most ${measure.max}`),
    ...(inBoth.length === 0 ? [] : [judgeChange(measure, inBoth, previousInBoth)]),
  ]);
  const failures = results.filter(({ passed }) => !passed);
  return {
    name: 'evidence',
    passed: failures.length === 0,
    detail: (failures.length > 0 ? failures : results).map(({ text }) => text).join('; '),
  };
}

interface Judgement {
  readonly passed: boolean;
  readonly text: string;
}

function judge(measure: Measure, companies: readonly CompanyEvidence[], max: number, bound: string): Judgement {
  const { part, whole, label } = measure;
  const wholeCount = sumCounts(companies, whole);
  const perThousand = computePerThousand(sumCounts(companies, part), wholeCount);
  const isJudged = wholeCount >= MIN_JUDGED_VALUES;
  const text = `${perThousand.toFixed(1)} of 1,000 ${label} (${isJudged ? bound : `not judged: ${formatCount(wholeCount, 'value')}`})`;
  return { passed: !isJudged || perThousand <= max, text };
}

function judgeChange(measure: Measure, companies: readonly CompanyEvidence[], previous: typeof companies): Judgement {
  const previousRate = computePerThousand(sumCounts(previous, measure.part), sumCounts(previous, measure.whole));
  const max = previousRate * MAX_GROWTH + MAX_ADDED_PER_THOUSAND;
  const { passed, text } = judge(measure, companies, max, `at most ${max.toFixed(1)}, from ${previousRate.toFixed(1)}`);
  return { passed, text: `of ${formatCount(companies.length, 'company', 'companies')} in both releases, ${text}` };
}

const sumCounts = (companies: readonly CompanyEvidence[], name: CountName): number =>
  sumNumbers(companies.map((company) => company[name]));

const computePerThousand = (part: number, whole: number): number => (whole === 0 ? 0 : (part / whole) * PER_THOUSAND);
