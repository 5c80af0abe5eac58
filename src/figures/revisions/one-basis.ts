/**
 * Values of one basis, to derive a figure from: a year as a later filing restated it does not go with nine months
 * as they were first reported.
 */
import { absolute, multiply, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import type { ReportedValue, StandingValue } from './revision-chain.ts';
import { isEqual, standingIn, standingValue } from './revision-chain.ts';

/** A value from its first report to its last; days are those of filings. */
interface Version {
  readonly value: Decimal;
  readonly from: string;
  readonly until: string;
  /** When it took the place of another value; null where it was first reported so. */
  readonly before: Change | null;
  /** When another value took its place; null where it stands. */
  readonly after: Change | null;
}

/** A restatement, some day after the last report of one value and until the first report of the other. */
interface Change {
  readonly after: string;
  readonly until: string;
  /** The value before it, where that is known. */
  readonly from: Decimal | null;
}

/** The newest values that were last reported by one day and are of one basis, in the order of their sources. */
function valuesOfOneBasis(sources: readonly StandingValue[]): readonly StandingValue[] | null {
  const areComparable = (values: readonly StandingValue[]) => isOneBasis(values) && areOfOneScope(values);
  if (areComparable(sources)) return sources;
  const days = new Set(sources.flatMap(({ chain }) => chain.map(({ filed }) => filed)));
  for (const day of [...days].sort().reverse()) {
    const values = sources.map((source) => onDay(source, day)).filter((value) => value !== null);
    // From here on back one of them was not filed yet.
    if (values.length < sources.length) return null;
    if (areComparable(values)) return values;
  }
  return null;
}

function onDay({ chain, known, reports }: StandingValue, day: string): StandingValue | null {
  const standing = standingValue(chain, day);
  return standing === null ? null : { ...standing, known, reports: reports.filter(({ filed }) => filed <= day) };
}

/**
 * The values that can be compared: those of the newest filing that states them all, else the newest of one basis. Null
 * where there are neither. Only what the sources know is read: nothing filed later has an influence.
 */
export function comparableValues(sources: readonly StandingValue[]): readonly StandingValue[] | null {
  if (sources.every(({ known }) => !known.some(isRevision))) return sources;
  return valuesOfOneFiling(sources) ?? valuesOfOneBasis(sources);
}

/** A value that the filing repeats, perhaps with fewer digits, stays the one that stands. */
function valuesOfOneFiling(sources: readonly StandingValue[]): StandingValue[] | null {
  const [first, ...others] = sources;
  for (const { accession } of first?.chain.toReversed() ?? []) {
    if (!others.every(({ chain }) => states(chain, accession))) continue;
    const values = sources.map((source) => statedBy(source, accession));
    if (areOfOneScope(values)) return values;
  }
  return null;
}

const REVENUE = 'revenue';
/** A business that was given up takes at least one part in so many of the revenue with it. */
const SCOPE_PARTS: Decimal = '10';

/**
 * Whether no value of a period is older than its revenue was recast for a business that was given up: income and cash flow
 * of the whole company may be repeated beside the revenue of what is left of it.
 */
function areOfOneScope(values: readonly StandingValue[]): boolean {
  const recast = values.filter(({ reported }) => reported.metricKey === REVENUE).filter(isRecast);
  return recast.every((revenue) => {
    const { from } = versionOf(revenue.chain, revenue.known);
    const isOlder = ({ chain, known }: StandingValue) => versionOf(chain, known).from < from;
    return !values.some((value) => value !== revenue && isOfDates(value, revenue) && isOlder(value));
  });
}

function isRecast({ chain, known }: StandingValue): boolean {
  const { value, before } = versionOf(chain, known);
  if (before === null || before.from === null) return false;
  const change = absolute(subtract(value, before.from));
  return compareDecimals(multiply(change, SCOPE_PARTS), absolute(before.from)) >= 0;
}

function isOfDates({ reported: a }: StandingValue, { reported: b }: StandingValue): boolean {
  return a.metricKey !== b.metricKey && a.start === b.start && a.end === b.end;
}

function states(chain: readonly ReportedValue[], accession: string): boolean {
  return chain.some((value) => value.accession === accession);
}

function statedBy(source: StandingValue, accession: string): StandingValue {
  const chain = source.chain.slice(0, source.chain.findIndex((value) => value.accession === accession) + 1);
  const reported = standingIn(chain);
  return reported === null || isEqual(reported.value, source.reported.value)
    ? source
    : { reported, chain, known: source.known, reports: source.reports.filter(({ filed }) => filed <= reported.filed) };
}

/** Whether all of the values are of one basis, by all that was reported of them since. */
export function isOneBasis(values: readonly StandingValue[]): boolean {
  if (values.every(({ known }) => !known.some(isRevision))) return true;
  const versions = values.map(({ chain, known }) => versionOf(chain, known));
  return versions.every((one, index) => versions.slice(index + 1).every((other) => shareBasis(one, other)));
}

/**
 * Two values share a basis where their reports overlap, or nothing was restated in between. Where something was, both
 * were: one restatement, in two filings. A value that alone is restated after the other's last report may have been on
 * either basis then.
 */
function shareBasis(a: Version, b: Version): boolean {
  const [earlier, later] = a.until < b.until ? [a, b] : [b, a];
  if (earlier.until >= later.from) return true;
  if (later.before === null && earlier.after === null) return true;
  return isOneRestatement(earlier, later) || isOneChange(earlier.after, later.after);
}

function isOneChange(a: Change | null, b: Change | null): boolean {
  return a !== null && b !== null && a.after < b.until && b.after < a.until;
}

/** A year is not restated by more than this, as a multiple of what its months are: by the amount, or by its share. */
const MAX_MULTIPLE: Decimal = '3';

function isOneRestatement(earlier: Version, later: Version): boolean {
  const [a, b] = [earlier.before, later.before];
  if (a === null || b === null || !isOneChange(a, b)) return false;
  if (a.from === null || b.from === null) return true;
  const [one, other] = [absolute(subtract(earlier.value, a.from)), absolute(subtract(later.value, b.from))];
  const most = multiply(one, MAX_MULTIPLE);
  return (
    compareDecimals(other, most) <= 0 ||
    compareDecimals(multiply(other, absolute(a.from)), multiply(most, absolute(b.from))) <= 0
  );
}

/** @param all the chain with what was reported since */
function versionOf(chain: readonly ReportedValue[], all: readonly ReportedValue[]): Version {
  const start = Math.max(chain.findLastIndex(isRevision), 0);
  const next = all.findIndex((value, index) => index > start && isRevision(value));
  const own = next < 0 ? all.slice(start) : all.slice(start, next);
  const [first, last, previous] = [own[0], own.at(-1), all[start - 1]];
  if (first === undefined || last === undefined) throw new RangeError('a revision chain without a value');
  const following = next < 0 ? undefined : all[next];
  return {
    value: first.value,
    from: first.filed,
    until: last.filed,
    // What a revision without a value before it revised was found to be wrong.
    before: isRevision(first)
      ? { after: previous?.filed ?? '', until: first.filed, from: previous?.value ?? null }
      : null,
    after: following === undefined ? null : { after: last.filed, until: following.filed, from: first.value },
  };
}

function isRevision({ kind }: ReportedValue): boolean {
  return kind === 'revised';
}
