/**
 * Chooses comparable values to derive a figure from: values of one filing, or values on one basis, which means that no
 * restatement changed only some of them. For example, a restated year does not match its nine months as first reported.
 */
import { multiply, subtract, takeAbsoluteValue } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isEqual } from '../../contract/decimal-text.ts';
import { assertDefined } from '../../platform/collections.ts';
import { findCurrentValue, type ReportedValue, type SelectedValue, selectValueAsOf } from './revision-chain.ts';

/** A value of a chain, with the filing days of its first and last report. */
interface ValueVersion {
  readonly value: Decimal;
  readonly firstDay: string;
  readonly lastDay: string;
  /** The restatement that introduced this value; null if this is the figure's first reported value. */
  readonly changeBefore: VersionChange | null;
  /** The restatement that replaced this value; null for the current value. */
  readonly changeAfter: VersionChange | null;
}

/**
 * A restatement on an unknown day between two reports: after the last report of the old value (`after`), by the day of
 * the first report of the new value (`until`).
 */
interface VersionChange {
  readonly after: string;
  readonly until: string;
  /** The old value; null if unknown. */
  readonly oldValue: Decimal | null;
}

/**
 * Reads all sources as of one day, and returns the values of the latest day on which these values have one basis. Null
 * if there is no such day.
 */
function selectValuesOfOneBasis(sources: readonly SelectedValue[]): readonly SelectedValue[] | null {
  const areComparable = (values: readonly SelectedValue[]) => isOneBasis(values) && haveSameScope(values);
  if (areComparable(sources)) return sources;
  const filingDays = new Set(sources.flatMap(({ chain }) => chain.map(({ filed }) => filed)));
  for (const day of [...filingDays].sort().reverse()) {
    const values = sources.map((source) => selectSourceAsOf(source, day)).filter((value) => value !== null);
    // On this day and all earlier days, at least one source has no value.
    if (values.length < sources.length) return null;
    if (areComparable(values)) return values;
  }
  return null;
}

function selectSourceAsOf({ chain, knownValues, reports }: SelectedValue, day: string): SelectedValue | null {
  const value = selectValueAsOf(chain, day);
  return value === null ? null : { ...value, knownValues, reports: reports.filter(({ filed }) => filed <= day) };
}

/**
 * Returns comparable values: the values of the newest filing that states a value for every source, otherwise the newest
 * values on one basis. Null if the sources have no comparable values. Reads only the reports in the sources, so that
 * later filings change nothing.
 */
export function selectComparableValues(sources: readonly SelectedValue[]): readonly SelectedValue[] | null {
  if (sources.every(({ knownValues }) => !knownValues.some(isRevision))) return sources;
  return selectValuesOfOneFiling(sources) ?? selectValuesOfOneBasis(sources);
}

/**
 * Returns the values of the newest filing that states comparable values for all sources; null if no filing does. If the
 * filing repeats a current value, perhaps with fewer digits, the current value is returned.
 */
function selectValuesOfOneFiling(sources: readonly SelectedValue[]): SelectedValue[] | null {
  const [firstSource, ...otherSources] = sources;
  for (const { accession } of firstSource?.chain.toReversed() ?? []) {
    if (!otherSources.every(({ chain }) => isStatedBy(chain, accession))) continue;
    const values = sources.map((source) => selectValueStatedBy(source, accession));
    if (haveSameScope(values)) return values;
  }
  return null;
}

const REVENUE_METRIC = 'revenue';
/** A restatement that changes revenue by at least 10 % (1 / 10) is a recast, which excludes a discontinued business. */
const SCOPE_CHANGE_THRESHOLD_DIVISOR: Decimal = '10';

/**
 * False if a value is older than a recast of the same period's revenue: the recast excludes discontinued operations,
 * but a filing may repeat income and cash flow of the whole company next to the recast revenue.
 */
function haveSameScope(values: readonly SelectedValue[]): boolean {
  const revenues = values.filter(({ reported }) => reported.metricKey === REVENUE_METRIC).filter(isRecast);
  return revenues.every((revenue) => {
    const { firstDay: recastDay } = findVersion(revenue.chain, revenue.knownValues);
    const isOlder = ({ chain, knownValues }: SelectedValue) => findVersion(chain, knownValues).firstDay < recastDay;
    return !values.some((value) => value !== revenue && isOtherMetricOfPeriod(value, revenue) && isOlder(value));
  });
}

function isRecast({ chain, knownValues }: SelectedValue): boolean {
  const { value, changeBefore } = findVersion(chain, knownValues);
  if (changeBefore === null || changeBefore.oldValue === null) return false;
  const change = takeAbsoluteValue(subtract(value, changeBefore.oldValue));
  const limit = takeAbsoluteValue(changeBefore.oldValue);
  return compareDecimals(multiply(change, SCOPE_CHANGE_THRESHOLD_DIVISOR), limit) >= 0;
}

const isOtherMetricOfPeriod = ({ reported: a }: SelectedValue, { reported: b }: SelectedValue): boolean =>
  a.metricKey !== b.metricKey && a.start === b.start && a.end === b.end;

const isStatedBy = (chain: readonly ReportedValue[], accession: string): boolean =>
  chain.some((value) => value.accession === accession);

function selectValueStatedBy(source: SelectedValue, accession: string): SelectedValue {
  const chain = source.chain.slice(0, source.chain.findIndex((value) => value.accession === accession) + 1);
  const reported = findCurrentValue(chain);
  if (reported === null || isEqual(reported.value, source.reported.value)) return source;
  return { ...source, reported, chain, reports: source.reports.filter(({ filed }) => filed <= reported.filed) };
}

/** Whether all values have one basis, according to all reports in their `knownValues`. */
export function isOneBasis(values: readonly SelectedValue[]): boolean {
  if (values.every(({ knownValues }) => !knownValues.some(isRevision))) return true;
  const versions = values.map(({ chain, knownValues }) => findVersion(chain, knownValues));
  return versions.every((version, index) => versions.slice(index + 1).every((other) => haveSameBasis(version, other)));
}

/**
 * Whether two values have one basis: their reports overlap in time, neither value was restated in between, or the same
 * restatement changed both values. False if one value was last reported before a restatement of the other, because the
 * restatement may concern both.
 */
function haveSameBasis(a: ValueVersion, b: ValueVersion): boolean {
  const [earlier, later] = a.lastDay < b.lastDay ? [a, b] : [b, a];
  if (earlier.lastDay >= later.firstDay) return true;
  if (later.changeBefore === null && earlier.changeAfter === null) return true;
  return canBeOneRestatement(earlier, later) || canBeOneChange(earlier.changeAfter, later.changeAfter);
}

const canBeOneChange = (a: VersionChange | null, b: VersionChange | null): boolean =>
  a !== null && b !== null && a.after < b.until && b.after < a.until;

/**
 * Two changes, such as those of a year and of its months, are one restatement only if the later change is at most this
 * many times the earlier one, in amount or relative to the old values.
 */
const MAX_RESTATEMENT_FACTOR: Decimal = '3';

function canBeOneRestatement(earlierVersion: ValueVersion, laterVersion: ValueVersion): boolean {
  const a = earlierVersion.changeBefore;
  const b = laterVersion.changeBefore;
  if (a === null || b === null || !canBeOneChange(a, b)) return false;
  if (a.oldValue === null || b.oldValue === null) return true;
  const change = takeAbsoluteValue(subtract(laterVersion.value, b.oldValue));
  const limit = multiply(takeAbsoluteValue(subtract(earlierVersion.value, a.oldValue)), MAX_RESTATEMENT_FACTOR);
  if (compareDecimals(change, limit) <= 0) return true;
  const relativeChange = multiply(change, takeAbsoluteValue(a.oldValue));
  return compareDecimals(relativeChange, multiply(limit, takeAbsoluteValue(b.oldValue))) <= 0;
}

/**
 * Returns the version that the chain's last revision introduced; the first version if the chain has no revision.
 * @param allValues the chain with later reports
 */
function findVersion(chain: readonly ReportedValue[], allValues: readonly ReportedValue[]): ValueVersion {
  const firstIndex = Math.max(chain.findLastIndex(isRevision), 0);
  const nextIndex = allValues.findIndex((value, index) => index > firstIndex && isRevision(value));
  const first = assertDefined(allValues[firstIndex]);
  const previous = allValues[firstIndex - 1];
  const revision = allValues[nextIndex];
  const { filed: lastDay } = assertDefined(revision === undefined ? allValues.at(-1) : allValues[nextIndex - 1]);
  return {
    value: first.value,
    firstDay: first.filed,
    lastDay,
    // If the chain's first value is a revision, the revised value was found to be wrong and is not in the chain.
    changeBefore: isRevision(first)
      ? { after: previous?.filed ?? '', until: first.filed, oldValue: previous?.value ?? null }
      : null,
    changeAfter: revision === undefined ? null : { after: lastDay, until: revision.filed, oldValue: first.value },
  };
}

const isRevision = ({ kind }: ReportedValue): boolean => kind === 'revised';
