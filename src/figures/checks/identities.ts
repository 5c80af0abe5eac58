/**
 * Relations between the figures of a company. Tests, builds and `fin data check` share this list. A relation between
 * amounts that filers state may be broken, because filers make errors; then its figures are marked, and a failure is a
 * broken relation without marks. A relation between fin's own figures is never broken.
 */

import { compareDecimals } from '../../contract/decimal-text.ts';
import { toCikTicker } from '../../contract/identifiers.ts';
import { sumNumbers } from '../../platform/collections.ts';
import type { Figure } from '../derived/figure.ts';
import { isInternal } from '../metrics/metric-rules.ts';
import { OUTLYING_QUARTER } from '../relations/outlying-quarters.ts';
import type { ComparedValues, Comparison, RelationResult } from '../relations/relations.ts';
import {
  CURRENT_RELATIONS,
  listComparedKeys,
  listComparedValues,
  STATEMENT_RELATIONS,
} from '../relations/relations.ts';
import type { ReportedValue } from '../revisions/revision-chain.ts';
import type { CheckedCase, CheckedCompany, CheckRecorder, FailedCase } from './case.ts';
import {
  checkFormulas,
  checkInputs,
  checkOutlyingQuarters,
  checkQuarterDays,
  checkQuarterSums,
} from './figure-cases.ts';
import { checkScreenMargins, checkScreenRatios } from './screen-cases.ts';

/** `stated`: between amounts that filers state; `own`: between fin's own figures. */
type IdentityKind = 'stated' | 'own';

const QUARTER_SUMS = 'four quarters = fiscal year';
const MARGINS = 'margin <= 1';

/** Checks of one relation each. The relations of `STATEMENT_RELATIONS` and `CURRENT_RELATIONS` share one check. */
const SINGLE_CHECKS: readonly {
  readonly name: string;
  readonly kind: IdentityKind;
  readonly check: (company: CheckedCompany, recordCheck: CheckRecorder) => void;
}[] = [
  { name: QUARTER_SUMS, kind: 'stated', check: ({ figures }, record) => checkQuarterSums(figures, record) },
  { name: OUTLYING_QUARTER, kind: 'stated', check: ({ figures }, record) => checkOutlyingQuarters(figures, record) },
  { name: MARGINS, kind: 'stated', check: ({ screen }, record) => checkScreenMargins(screen, record) },
  { name: 'figure = sum of its inputs', kind: 'own', check: ({ figures }, record) => checkInputs(figures, record) },
  { name: 'derived figure = its formula', kind: 'own', check: ({ figures }, record) => checkFormulas(figures, record) },
  {
    name: 'derived quarter has the days of its inputs',
    kind: 'own',
    check: ({ figures }, record) => checkQuarterDays(figures, record),
  },
  { name: 'the release has the filing of each figure', kind: 'own', check: checkAccessionsAreInRelease },
  { name: 'ratio = its formula', kind: 'own', check: checkScreenRatios },
];

interface Identity {
  readonly name: string;
  readonly kind: IdentityKind;
}

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

/** Counts the comparisons of one identity. */
class IdentityCounter {
  readonly #cik: number;
  #checkedCount = 0;
  readonly #failures: FailedCase[] = [];

  constructor(cik: number) {
    this.#cik = cik;
  }

  readonly record: CheckRecorder = (deviation, describe, isMarked = () => false) => {
    this.#checkedCount++;
    if (compareDecimals(deviation, '0') <= 0) return;
    const failure = describe();
    const command = makeShowCommand(this.#cik, failure);
    this.#failures.push({ ...failure, off: deviation, marked: isMarked(), command });
  };

  countHolding(count: number): void {
    this.#checkedCount += count;
  }

  toResult(identity: Identity): IdentityResult {
    return {
      ...identity,
      checked: this.#checkedCount,
      broken: this.#failures.length,
      marked: this.#failures.filter(({ marked }) => marked).length,
      worst: selectWorst(this.#failures),
    };
  }
}

/** Returns one result per identity, in the order of `IDENTITIES`. */
export function checkCompanyIdentities(company: CheckedCompany): IdentityResult[] {
  const counters = new Map(IDENTITIES.map(({ name }) => [name, new IdentityCounter(company.cik)]));
  const find = (name: string): IdentityCounter => {
    const counter = counters.get(name);
    if (counter === undefined) throw new RangeError(`unknown identity ${name}`);
    return counter;
  };
  const count = <Value>(
    results: readonly RelationResult<Value>[],
    describe: (comparison: Comparison<Value>) => CheckedCase,
    isMarked: (comparison: Comparison<Value>) => boolean,
  ) => {
    for (const { relation, checked, broken } of results) {
      const counter = find(relation.name);
      counter.countHolding(checked - broken.length);
      for (const comparison of broken)
        counter.record(
          comparison.deviation,
          () => describe(comparison),
          () => isMarked(comparison),
        );
    }
  };
  count(company.relations.statements, describeStatement, areValuesMarked);
  count(company.relations.current, describeCurrentValues, areFiguresMarked);
  for (const { name, check } of SINGLE_CHECKS) check(company, find(name).record);
  return IDENTITIES.map((identity) => find(identity.name).toResult(identity));
}

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
  const shown = keys.filter((key) => !isInternal(key));
  const company = toCikTicker(cik);
  if (shown.length === 0) return `fin filings ${company}`;
  const day = asOf === null ? '' : ` --as-of ${asOf}`;
  return `fin metrics ${company} --keys ${shown.join(',')} --period all${day}`;
}

function selectWorst(failures: readonly FailedCase[]): FailedCase[] {
  const compare = (a: FailedCase, b: FailedCase) =>
    Number(a.marked) - Number(b.marked) || compareDecimals(b.off, a.off);
  return failures.toSorted(compare).slice(0, MAX_LISTED_FAILURES);
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

const areValuesMarked = (comparison: Comparison<ReportedValue>): boolean =>
  listComparedValues(comparison).every(isMarked);

const describeCurrentValues = (comparison: Comparison<Figure>): CheckedCase => describe(comparison, null);

const areFiguresMarked = (comparison: Comparison<Figure>): boolean =>
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
