/** Describes broken relations between stated amounts, and tells whether all their values are marked. */
import type { Figure } from '../derived/figure.ts';
import { type ComparedValues, type Comparison, listComparedKeys, listComparedValues } from '../relations/relations.ts';
import type { ReportedValue } from '../revisions/revision-chain.ts';
import type { CheckedCase } from './case.ts';

export function describeStatement(comparison: Comparison<ReportedValue>): CheckedCase {
  return describe(comparison, listComparedValues(comparison)[0]?.filed ?? null);
}

export const areValuesMarked = (comparison: Comparison<ReportedValue>): boolean =>
  listComparedValues(comparison).every(isMarked);

export function describeCurrentValues(comparison: Comparison<Figure>): CheckedCase {
  return describe(comparison, null);
}

export const areFiguresMarked = (comparison: Comparison<Figure>): boolean =>
  listComparedValues(comparison).every(({ terms }) => terms.every(({ source }) => isMarked(source.reported)));

const isMarked = ({ unconfirmed }: ReportedValue): boolean => unconfirmed !== null;

function describe(comparison: Comparison<unknown>, asOf: string | null): CheckedCase {
  const keys = listComparedKeys(comparison);
  return { subject: `${keys.join(', ')} of ${describePeriod(comparison.compared)}`, keys, asOf };
}

function describePeriod({ accession, unit, start, end }: ComparedValues<unknown>): string {
  const period = start === null ? end : `${start} to ${end}`;
  return accession === '' ? `the current values in ${unit}, ${period}` : `${accession}, ${unit}, ${period}`;
}
