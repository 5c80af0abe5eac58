/** Reading chains: as they stand, or as they stood on a day. One path for both. */
import { addDays } from './days.ts';
import { entryOf } from './groups.ts';
import type { Statement } from './types.ts';

/** One figure as it is on file by the day: the statement it is read from and all that came before it. */
export interface Reading {
  readonly standing: Statement;
  /** The statements on file, in filing order; the last is the standing one. */
  readonly onFile: readonly Statement[];
}

/** Groups statements into chains, each in filing order. The order of the chains is that of their first statements. */
export function chainsOf(statements: readonly Statement[]): Statement[][] {
  const chains = new Map<string, Statement[]>();
  let last: Statement[] | undefined;
  for (const statement of statements) {
    // A release has them chain by chain.
    if (last?.[0] !== undefined && isSameFigure(last[0], statement)) {
      last.push(statement);
      continue;
    }
    const key = figureKey(statement.metricKey, statement.unit, statement.start, statement.end);
    last = entryOf(chains, key, () => []);
    last.push(statement);
  }
  for (const chain of chains.values()) chain.sort((a, b) => a.rank - b.rank);
  return [...chains.values()];
}

function isSameFigure(a: Statement, b: Statement): boolean {
  return a.end === b.end && a.start === b.start && a.metricKey === b.metricKey && a.unit === b.unit;
}

export function figureKey(metricKey: string, unit: string, start: string | null, end: string): string {
  return `${metricKey} ${unit} ${start ?? '-'} ${end}`;
}

/** What of a chain is on file by the day (all of it without one); null when nothing is. */
export function readChain(chain: readonly Statement[], asOf: string | null): Reading | null {
  const onFile = asOf === null ? chain : chain.filter((statement) => statement.filed <= asOf);
  const standing = onFile.at(-1);
  return standing === undefined ? null : { standing, onFile };
}

/** The distinct filings that revised any of the readings. */
export function revisingFilings(readings: readonly Reading[]): number {
  const filings = new Set<string>();
  for (const { onFile } of readings) {
    for (const statement of onFile) if (statement.kind === 'revised') filings.add(statement.accession);
  }
  return filings.size;
}

/** The day before a period starts: the end of the one it continues. */
export function dayBefore(day: string): string {
  return addDays(day, -1);
}
