/**
 * Checks of companies' reported values before publication. This file only counts, where a company is derived;
 * `release-checks.ts` decides what passes.
 */

import type { CheckedCompany } from '../../figures/checks/case.ts';
import { checkFigures, type IdentityResult, mergeResults } from '../../figures/checks/identities.ts';
import type { ReportedValue } from '../../figures/revisions/revision-chain.ts';

export interface Tested {
  readonly tested: number;
  readonly failed: number;
  /** One failure as text, for the report; null if nothing failed. */
  readonly example: string | null;
}

export interface CompanyFindings {
  /** Number of figures that agree with each other, by identity. */
  readonly identities: readonly IdentityResult[];
  /**
   * In a chain, ranks count from 1 without gaps and filing days never decrease, so the last entry is the current
   * value.
   */
  readonly chains: Tested;
  /** No filing, and no period end, is later than the release's date. */
  readonly future: Tested;
  /** One filing states each figure once. */
  readonly keys: Tested;
}

const NOTHING_TESTED: Tested = { tested: 0, failed: 0, example: null };

/** The findings of zero companies. */
export const NO_FINDINGS: CompanyFindings = {
  identities: mergeResults([]),
  chains: NOTHING_TESTED,
  future: NOTHING_TESTED,
  keys: NOTHING_TESTED,
};

/** Adds up the findings of two sets of companies; keeps the example of the first. */
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

/**
 * Tests one chain at a time and reuses one map of filings: a new set for each chain would cost more than the rest of
 * the check.
 */
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
