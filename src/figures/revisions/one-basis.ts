/**
 * Values of one basis, to derive a figure from: a year as a later filing restated it does not go with nine months
 * as they were first reported.
 */
import type { ReportedValue, StandingValue } from './revision-chain.ts';
import { standingValue } from './revision-chain.ts';

/** A value from its first report to its last, before the next revision; days are those of filings. */
interface Version {
  /** The last report of the value before it; null where it was first reported so. */
  readonly previousUntil: string | null;
  readonly from: string;
  readonly until: string;
}

/**
 * The newest values that stood on one day and on one basis, in the order of their sources; else all as first reported;
 * null where `accepts` takes neither. Only what the sources know is read: nothing filed later has an influence.
 */
export function valuesOfOneBasis(
  sources: readonly StandingValue[],
  accepts: (values: readonly StandingValue[]) => boolean = () => true,
): StandingValue[] | null {
  if (isOneBasis(sources) && accepts(sources)) return [...sources];
  const days = new Set(sources.flatMap(({ chain }) => chain.map(({ filed }) => filed)));
  for (const day of [...days].sort().reverse()) {
    const values = sources.map(({ chain }) => standingValue(chain, day)).filter((value) => value !== null);
    // From here on back one of them was not filed yet.
    if (values.length < sources.length) break;
    if (isOneBasis(values) && accepts(values)) return values;
  }
  const first = sources.map(({ chain }) => asFirstReported(chain));
  return accepts(first) ? first : null;
}

function isOneBasis(values: readonly StandingValue[]): boolean {
  if (values.every(({ chain }) => !chain.some(({ kind }) => kind === 'revised'))) return true;
  const versions = values.map(({ chain }) => versionOf(chain));
  return versions.every((one, index) => versions.slice(index + 1).every((other) => shareBasis(one, other)));
}

/**
 * Two values share a basis where their reports overlap, or nothing changed in between. Where the later one was
 * revised in between, so was the earlier one after the later one's previous report: one restatement, two filings.
 */
function shareBasis(a: Version, b: Version): boolean {
  const [earlier, later] = a.until < b.until ? [a, b] : [b, a];
  if (earlier.until >= later.from || later.previousUntil === null) return true;
  return earlier.previousUntil !== null && earlier.from > later.previousUntil;
}

function versionOf(chain: readonly ReportedValue[]): Version {
  const start = chain.findLastIndex(({ kind }) => kind === 'revised');
  const [first, last] = [chain[Math.max(start, 0)], chain.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError('a revision chain without a value');
  return { previousUntil: chain[start - 1]?.filed ?? null, from: first.filed, until: last.filed };
}

function asFirstReported(chain: readonly ReportedValue[]): StandingValue {
  // The first that is left may have revised one that was contradicted since.
  const revision = chain.findIndex(({ kind }, index) => index > 0 && kind === 'revised');
  const unrevised = revision < 0 ? chain : chain.slice(0, revision);
  const value = standingValue(unrevised, null);
  if (value === null) throw new RangeError('a revision chain without a value');
  return value;
}
