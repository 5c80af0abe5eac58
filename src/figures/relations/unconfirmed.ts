/**
 * Marks values whose amounts break a relation to other stated amounts. No rule shows which of the amounts is wrong, so
 * each of them is shown as filed, with the mark.
 */
import { isEqual } from '../../contract/decimal-text.ts';
import type { Figure } from '../derived/figure.ts';
import type { ReportedValue, SelectedValue } from '../revisions/revision-chain.ts';
import { listComparedValues, type RelationResults } from './relations.ts';

/**
 * Marks the values of broken relations in place: they were made for this derivation, and figures already refer to them.
 * A value of one filing is unconfirmed from its filing day. Values of several filings that do not agree are unconfirmed
 * from the first day on which all of them were filed.
 */
export function markUnconfirmedValues({ statements, current }: RelationResults): void {
  for (const comparison of statements.flatMap(({ broken }) => broken))
    for (const value of listComparedValues(comparison)) mark(value, comparison.relation.name, value.filed);
  for (const comparison of current.flatMap(({ broken }) => broken)) {
    const reports = listComparedValues(comparison).map(({ terms }) => terms.flatMap(listEqualValues));
    const days = reports.map((values) => values.map(({ filed }) => filed).sort()[0] ?? '');
    const day = days.sort().at(-1) ?? '';
    for (const value of reports.flat()) mark(value, comparison.relation.name, day > value.filed ? day : value.filed);
  }
}

/** Returns all reports of the selected value: as of an earlier day, an earlier report is selected. */
const listEqualValues = ({ source: { reported, chain } }: { readonly source: SelectedValue }): ReportedValue[] =>
  chain.filter(({ value }) => isEqual(value, reported.value));

/** Keeps the mark of the earliest day; of two relations on one day, the first. */
function mark(value: ReportedValue, relation: string, day: string): void {
  if (value.unconfirmedOn !== null && value.unconfirmedOn <= day) return;
  Object.assign(value, { unconfirmed: relation, unconfirmedOn: day } satisfies Partial<ReportedValue>);
}

/**
 * Returns the relation that the value breaks, as filings show by the day; null if it breaks none.
 * @param asOf the day; null for today
 */
export const findMark = ({ unconfirmed, unconfirmedOn }: ReportedValue, asOf: string | null): string | null =>
  unconfirmedOn !== null && (asOf === null || unconfirmedOn <= asOf) ? unconfirmed : null;

/** Returns the relation that an input of the figure breaks, as `findMark` does. */
export function findBrokenRelation({ terms, denominator }: Figure, asOf: string | null): string | null {
  for (const inputs of [terms, denominator])
    for (const { source } of inputs) {
      const relation = findMark(source.reported, asOf);
      if (relation !== null) return relation;
    }
  return null;
}
