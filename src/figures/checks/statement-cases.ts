/** Checks that the values of every broken relation between stated amounts are marked. */
import type { Figure } from '../derived/figure.ts';
import {
  type ComparedValues,
  type Comparison,
  CURRENT_RELATIONS,
  compareEach,
  groupCurrentFigures,
  groupIntoStatements,
  listComparedKeys,
  listComparedValues,
  STATEMENT_RELATIONS,
} from '../evidence/relations.ts';
import type { ReportedValue } from '../revisions/revision-chain.ts';
import type { CheckedCase, CheckRecorder } from './case.ts';

/** @param findRecorder returns the recorder of the relation with the name */
export function checkStatements(
  values: readonly ReportedValue[],
  findRecorder: (relation: string) => CheckRecorder,
): void {
  for (const comparison of compareEach(STATEMENT_RELATIONS, groupIntoStatements(values)))
    findRecorder(comparison.relation.name)(
      comparison.deviation,
      () => describe(comparison, listComparedValues(comparison)[0]?.filed ?? null),
      () => listComparedValues(comparison).every(({ unconfirmed }) => unconfirmed !== null),
    );
}

/** @param findRecorder returns the recorder of the relation with the name */
export function checkCurrentValues(
  figures: readonly Figure[],
  findRecorder: (relation: string) => CheckRecorder,
): void {
  for (const comparison of compareEach(CURRENT_RELATIONS, groupCurrentFigures(figures)))
    findRecorder(comparison.relation.name)(
      comparison.deviation,
      () => describe(comparison, null),
      () =>
        listComparedValues(comparison).every(({ terms }) =>
          terms.every(({ source }) => source.reported.unconfirmed !== null),
        ),
    );
}

function describe(comparison: Comparison<unknown>, asOf: string | null): CheckedCase {
  const keys = listComparedKeys(comparison);
  return { subject: `${keys.join(', ')} of ${describePeriod(comparison.compared)}`, keys, asOf };
}

function describePeriod({ accession, unit, start, end }: ComparedValues<unknown>): string {
  const period = start === null ? end : `${start} to ${end}`;
  return accession === '' ? `the current values in ${unit}, ${period}` : `${accession}, ${unit}, ${period}`;
}
