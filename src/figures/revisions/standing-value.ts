/** Reading chains: as they stand, or as they stood on a day. One path for both. */
import { addDays } from '../../platform/dates.ts';
import type { ReportedValue } from '../types.ts';

/** One figure as it is on file by the day: the statement it is read from and all that came before it. */
export interface StandingValue {
  readonly reported: ReportedValue;
  /** The statements on file, in filing order; the last is the standing one. */
  readonly chain: readonly ReportedValue[];
}

/** Statements as chains. They come chain by chain, each in filing order, as a company's are derived and a release has them. */
export function chainsOf(statements: readonly ReportedValue[]): ReportedValue[][] {
  const chains: ReportedValue[][] = [];
  let last: ReportedValue[] = [];
  for (const statement of statements) {
    if (statement.rank === 1) {
      last = [];
      chains.push(last);
    }
    last.push(statement);
  }
  return chains;
}

export function figureKey(metricKey: string, unit: string, start: string | null, end: string): string {
  return `${metricKey} ${unit} ${start ?? '-'} ${end}`;
}

/** What of a chain is on file by the day (all of it without one); null when nothing is. */
export function standingValue(chain: readonly ReportedValue[], asOf: string | null): StandingValue | null {
  const onFile = asOf === null ? chain : chain.filter((statement) => statement.filed <= asOf);
  const standing = onFile.at(-1);
  return standing === undefined ? null : { reported: standing, chain: onFile };
}

/** The distinct filings that revised any of the readings. */
export function countRevisingFilings(readings: readonly StandingValue[]): number {
  const filings = new Set<string>();
  for (const { chain: onFile } of readings) {
    for (const statement of onFile) if (statement.kind === 'revised') filings.add(statement.accession);
  }
  return filings.size;
}

/** The day before a period starts: the end of the one it continues. */
export function dayBefore(day: string): string {
  return addDays(day, -1);
}
