/**
 * What must hold of companies' reported values before they are published. Pure counting, done where a
 * company is derived; `release-checks.ts` decides what passes.
 */

import type { CheckedCompany } from '../../figures/checks/case.ts';
import { checkFigures, type IdentityResult, mergeResults } from '../../figures/checks/identities.ts';
import type { ReportedValue } from '../../figures/revisions/revision-chain.ts';

export interface Tested {
  readonly tested: number;
  readonly failed: number;
  /** One failure, as text for the report; null where there is none. */
  readonly example: string | null;
}

export interface CompanyFindings {
  /** How many figures agree with each other. */
  readonly identities: readonly IdentityResult[];
  /** In a chain ranks count from 1 without a gap and filing days never go back, so the last is the standing one. */
  readonly chains: Tested;
  /** Nothing was filed, and no period ends, after the release's date. */
  readonly future: Tested;
  /** One filing states one figure once. */
  readonly keys: Tested;
}

const NOTHING_TESTED: Tested = { tested: 0, failed: 0, example: null };

/** Of no company. */
export const NO_FINDINGS: CompanyFindings = {
  identities: mergeResults([]),
  chains: NOTHING_TESTED,
  future: NOTHING_TESTED,
  keys: NOTHING_TESTED,
};

/** Of several companies as one; the example is the first one's. */
export function mergeFindings(all: CompanyFindings, more: CompanyFindings): CompanyFindings {
  return {
    identities: mergeResults([all.identities, more.identities]),
    chains: mergeTested(all.chains, more.chains),
    future: mergeTested(all.future, more.future),
    keys: mergeTested(all.keys, more.keys),
  };
}

function mergeTested(all: Tested, more: Tested): Tested {
  return {
    tested: all.tested + more.tested,
    failed: all.failed + more.failed,
    example: all.example ?? more.example,
  };
}

/** @param values of one company, in the order in which a release stores them */
export function checkCompany(
  cik: number,
  values: readonly ReportedValue[],
  company: CheckedCompany,
  releaseDate: string,
): CompanyFindings {
  const chains = chainsOf(values);
  return {
    identities: checkFigures(company).map((one) => ({
      ...one,
      worst: one.worst.map((worst) => ({ ...worst, subject: `CIK ${cik}, ${worst.subject}` })),
    })),
    chains: test(chains, isOrdered, ([first]) => `CIK ${cik}, ${nameOf(first)}`),
    future: test(
      values,
      (row) => row.filed <= releaseDate && row.end <= releaseDate,
      (row) => `CIK ${cik}, ${nameOf(row)}, filed ${row.filed}`,
    ),
    keys: test(chains, statingOnce(), ([first]) => `CIK ${cik}, ${nameOf(first)}`),
  };
}

function test<T>(cases: readonly T[], holds: (one: T) => boolean, describe: (one: T) => string): Tested {
  const failed = cases.filter((one) => !holds(one));
  const [first] = failed;
  return { tested: cases.length, failed: failed.length, example: first === undefined ? null : describe(first) };
}

type Chain = readonly ReportedValue[];

function chainsOf(values: readonly ReportedValue[]): Chain[] {
  const chains: Chain[] = [];
  let start = 0;
  for (let end = 1; end <= values.length; end += 1) {
    if (isSameFigure(values[end - 1], values[end])) continue;
    chains.push(values.slice(start, end));
    start = end;
  }
  return chains;
}

function isSameFigure(a: ReportedValue | undefined, b: ReportedValue | undefined): boolean {
  return a?.metricKey === b?.metricKey && a?.end === b?.end && a?.start === b?.start && a?.unit === b?.unit;
}

function isOrdered(chain: Chain): boolean {
  return chain.every((value, index) => {
    const before = chain[index - 1];
    return value.rank === index + 1 && (before === undefined || before.filed <= value.filed);
  });
}

/** Asked chain by chain: one map of the filings does for all, where a set of each would cost more than the rest. */
function statingOnce(): (chain: Chain) => boolean {
  const lastOf = new Map<string, Chain>();
  return (chain) =>
    chain.every(({ accession }) => {
      if (lastOf.get(accession) === chain) return false;
      lastOf.set(accession, chain);
      return true;
    });
}

function nameOf(value: ReportedValue | undefined): string {
  if (value === undefined) throw new Error('a revision chain has no values');
  return `${value.metricKey} (${value.unit}) of ${value.end}`;
}
