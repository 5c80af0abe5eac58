/**
 * Relations between the figures of a company. Tests, builds and `fin data check` share this list. Filers make errors,
 * so a relation between amounts that filers state may be broken if its figures are marked; the check fails only without
 * marks. A relation between figures that fin computes must hold.
 */

import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { toCikTicker } from '../../contract/identifiers.ts';
import { sumNumbers } from '../../platform/collections.ts';
import type { Figure } from '../derived/figure.ts';
import { isInternal } from '../metrics/metric-rules.ts';
import { OUTLYING_QUARTER_RELATION } from '../relations/outlying-quarters.ts';
import type { Comparison, PeriodValues, RelationResult } from '../relations/relations.ts';
import { CURRENT_RELATIONS, listComparedValues, listMetricKeys, STATEMENT_RELATIONS } from '../relations/relations.ts';
import type { ReportedValue } from '../revisions/revision-chain.ts';
import type { CheckedCase, CheckedCompany, CheckRecorder, FailedCase } from './case.ts';
import { checkFormulas, checkInputs, checkOutliers, checkQuarterDays, checkQuarterSums } from './figure-cases.ts';
import { checkScreenMargins, checkScreenRatios } from './screen-cases.ts';

interface Identity {
  readonly name: string;
  /** `stated`: between amounts that filers state; `own`: between figures that fin computes. */
  readonly kind: 'stated' | 'own';
}

/** Checks of one relation each. The relations of `STATEMENT_RELATIONS` and `CURRENT_RELATIONS` share one check. */
const SINGLE_CHECKS: readonly (Identity & {
  readonly check: (company: CheckedCompany, record: CheckRecorder) => void;
})[] = [
  { name: 'four quarters = fiscal year', kind: 'stated', check: checkQuarterSums },
  { name: OUTLYING_QUARTER_RELATION, kind: 'stated', check: checkOutliers },
  { name: 'margin <= 1', kind: 'stated', check: checkScreenMargins },
  { name: 'figure = sum of its inputs', kind: 'own', check: checkInputs },
  { name: 'derived figure = its formula', kind: 'own', check: checkFormulas },
  { name: 'derived quarter has the days of its inputs', kind: 'own', check: checkQuarterDays },
  { name: 'the release has the filing of each figure', kind: 'own', check: checkAccessionsAreInRelease },
  { name: 'ratio = its formula', kind: 'own', check: checkScreenRatios },
];

const IDENTITIES: readonly Identity[] = [
  ...[...STATEMENT_RELATIONS, ...CURRENT_RELATIONS].map(({ name }): Identity => ({ name, kind: 'stated' })),
  ...SINGLE_CHECKS.map(({ name, kind }): Identity => ({ name, kind })),
];

export interface IdentityResult extends Identity {
  readonly checked: number;
  readonly broken: number;
  /** Number of broken comparisons whose figures are marked. */
  readonly marked: number;
  /** The failed comparisons with the largest differences, those without a mark first, then by size. */
  readonly worst: readonly FailedCase[];
}

/** Maximum number of failed comparisons that a result lists. */
const MAX_LISTED_FAILURES = 3;

/** Returns one result per identity, in the order of `IDENTITIES`. */
export function checkCompanyIdentities(company: CheckedCompany): IdentityResult[] {
  const { cik, relations } = company;
  return [
    ...relations.statements.map((result) => countRelation(cik, result, describeStatement, areValuesMarked)),
    ...relations.current.map((result) => countRelation(cik, result, describeCurrentValues, areFiguresMarked)),
    ...SINGLE_CHECKS.map(({ name, kind, check }) => {
      let checked = 0;
      const failures: FailedCase[] = [];
      check(company, (deviation, describe, isMarked = () => false) => {
        checked += 1;
        if (compareDecimals(deviation, '0') > 0) failures.push(makeFailure(cik, deviation, describe(), isMarked()));
      });
      return toResult({ name, kind }, checked, failures);
    }),
  ];
}

function countRelation<Value>(
  cik: number,
  { relation, checked, broken }: RelationResult<Value>,
  describe: (comparison: Comparison<Value>) => CheckedCase,
  isMarked: (comparison: Comparison<Value>) => boolean,
): IdentityResult {
  const failures = broken.map((item) => makeFailure(cik, item.deviation, describe(item), isMarked(item)));
  return toResult({ name: relation.name, kind: 'stated' }, checked, failures);
}

const makeFailure = (cik: number, off: Decimal, failure: CheckedCase, marked: boolean): FailedCase => ({
  ...failure,
  off,
  marked,
  command: makeShowCommand(cik, failure),
});

const toResult = (identity: Identity, checked: number, failures: readonly FailedCase[]): IdentityResult => ({
  ...identity,
  checked,
  broken: failures.length,
  marked: failures.filter(({ marked }) => marked).length,
  worst: selectWorst(failures),
});

/** Merges the results of several companies. */
export function mergeResults(companies: readonly (readonly IdentityResult[])[]): IdentityResult[] {
  return IDENTITIES.map((identity, index) => {
    const results = companies.flatMap((company) => company[index] ?? []);
    return {
      ...identity,
      checked: sumNumbers(results.map(({ checked }) => checked)),
      broken: sumNumbers(results.map(({ broken }) => broken)),
      marked: sumNumbers(results.map(({ marked }) => marked)),
      worst: selectWorst(results.flatMap(({ worst }) => worst)),
    };
  });
}

/** Whether every broken comparison is marked, so that no answer shows a broken relation without saying so. */
export const hasOnlyMarkedFailures = ({ broken, marked }: Pick<IdentityResult, 'broken' | 'marked'>): boolean =>
  broken === marked;

/** Returns the command that shows the figures with their marks; internal figures are in no answer. */
function makeShowCommand(cik: number, { keys, asOf }: CheckedCase): string {
  const shownKeys = keys.filter((key) => !isInternal(key));
  const company = toCikTicker(cik);
  if (shownKeys.length === 0) return `fin filings ${company}`;
  const day = asOf === null ? '' : ` --as-of ${asOf}`;
  return `fin metrics ${company} --keys ${shownKeys.join(',')} --period all${day}`;
}

function selectWorst(failures: readonly FailedCase[]): FailedCase[] {
  const order = (a: FailedCase, b: FailedCase) => Number(a.marked) - Number(b.marked) || compareDecimals(b.off, a.off);
  return failures.toSorted(order).slice(0, MAX_LISTED_FAILURES);
}

function checkAccessionsAreInRelease({ figures, filings }: CheckedCompany, record: CheckRecorder): void {
  if (filings === null) return;
  const accessions = new Set<string>();
  for (const { terms, denominator } of figures) {
    for (const { source } of terms) accessions.add(source.reported.accession);
    for (const { source } of denominator) accessions.add(source.reported.accession);
  }
  for (const accession of accessions)
    record(filings.has(accession) ? '0' : '1', () => ({ subject: accession, keys: [], asOf: null }));
}

const describeStatement = (comparison: Comparison<ReportedValue>): CheckedCase =>
  describe(comparison, listComparedValues(comparison)[0]?.filed ?? null);

const areValuesMarked = (broken: Comparison<ReportedValue>): boolean => listComparedValues(broken).every(isMarked);

const describeCurrentValues = (comparison: Comparison<Figure>): CheckedCase => describe(comparison, null);

const areFiguresMarked = (comparison: Comparison<Figure>): boolean =>
  listComparedValues(comparison).every(({ terms }) => terms.every(({ source }) => isMarked(source.reported)));

const isMarked = ({ unconfirmed }: ReportedValue): boolean => unconfirmed !== null;

function describe(comparison: Comparison<unknown>, asOf: string | null): CheckedCase {
  const keys = listMetricKeys(comparison);
  return { subject: `${keys.join(', ')} of ${describePeriod(comparison.compared)}`, keys, asOf };
}

function describePeriod({ accession, unit, start, end }: PeriodValues<unknown>): string {
  const period = start === null ? end : `${start} to ${end}`;
  return accession === '' ? `the current values in ${unit}, ${period}` : `${accession}, ${unit}, ${period}`;
}
