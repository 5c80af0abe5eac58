/** Counts the results of checks while companies are derived; `release-checks.ts` decides whether the counts pass. */

import type { Fact } from '../../edgar/facts/fact-row.ts';
import type { CheckedCompany } from '../../figures/checks/case.ts';
import { checkCompanyIdentities, type IdentityResult, mergeResults } from '../../figures/checks/identities.ts';
import { createStatedFactCheck } from '../../figures/checks/stated-facts.ts';
import type { EvidenceDecisions } from '../../figures/company.ts';
import type { ReportedValue } from '../../figures/revisions/revision-chain.ts';
import { type FilingCounts, NO_FILING_COUNTS } from '../filings/filing-lists.ts';
import { NO_SEGMENT_COUNTS, type SegmentCounts } from '../segments/segment-checks.ts';
import { addCounts } from '../tasks/reading.ts';

/** A build's decision about amounts in filings that contradict each other. */
export interface EvidenceDecision {
  /** The relation that does not hold (for `marked`), or the rule that found wrong facts. */
  readonly name: string;
  /**
   * `marked`: the figures are shown as unconfirmed. `contradicted`: other facts show which fact is wrong, and it is not
   * shown from that filing day on. `withheld`: the facts are not used.
   */
  readonly decision: 'marked' | 'contradicted' | 'withheld';
  /** Number of comparisons (marked) or facts. */
  readonly count: number;
  /** The marked figures with the largest difference, and the command that shows them; null for facts. */
  readonly worst: { readonly subject: string; readonly command: string } | null;
}

type CheckCounts = Readonly<typeof ZERO_CHECK_COUNTS>;

export interface CompanyFindings {
  /** Check of accounting identities, such as assets = liabilities + equity. */
  readonly identities: readonly IdentityResult[];
  /**
   * Check of revision chains: ranks count from 1 without gaps, and filing dates never decrease, so that the last value
   * is the current value.
   */
  readonly revisionChains: CheckCounts;
  /** Check of dates: no filing date and no period end is after the release's date. */
  readonly futureDates: CheckCounts;
  /** Check of keys: no filing reports a figure twice. */
  readonly keys: CheckCounts;
  /** Check of sources: each reported value is in the filing that it names. */
  readonly statedFacts: CheckCounts;
  readonly decisions: EvidenceDecisions;
  readonly filings: FilingCounts;
  readonly segments: SegmentCounts;
}

const ZERO_CHECK_COUNTS = { testedCount: 0, failedCount: 0, example: null as string | null };

/** The findings before any company is checked. */
export const NO_FINDINGS: CompanyFindings = {
  identities: mergeResults([]),
  revisionChains: ZERO_CHECK_COUNTS,
  futureDates: ZERO_CHECK_COUNTS,
  keys: ZERO_CHECK_COUNTS,
  statedFacts: ZERO_CHECK_COUNTS,
  decisions: { withheld: {}, contradicted: {} },
  filings: NO_FILING_COUNTS,
  segments: NO_SEGMENT_COUNTS,
};

/** Returns the sum of the findings; keeps the first example. */
export function mergeFindings(a: CompanyFindings, b: CompanyFindings): CompanyFindings {
  const { identities, ...counts } = b;
  return { ...addCounts(a, counts), identities: mergeResults([a.identities, identities]) };
}

type CountsByReason = Readonly<Record<string, number>>;

/**
 * Checks a company before its rows are written.
 * @param facts the facts as read from the company's files
 * @param values reported values, in the order of the release's table
 */
export function checkCompany(
  facts: readonly Fact[],
  values: readonly ReportedValue[],
  company: CheckedCompany,
  decisions: EvidenceDecisions,
  date: string,
): Omit<CompanyFindings, 'filings' | 'segments'> {
  const { cik } = company;
  const chains = groupIntoChains(values);
  const describe = (value: ReportedValue | undefined) => `CIK ${cik}, ${describeFigure(value)}`;
  return {
    identities: checkCompanyIdentities(company).map((result) => ({
      ...result,
      worst: result.worst.map((comparison) => ({ ...comparison, subject: `CIK ${cik}, ${comparison.subject}` })),
    })),
    revisionChains: checkCases(chains, isChainOrdered, ([first]) => describe(first)),
    futureDates: checkCases(
      values,
      (row) => row.filed <= date && row.end <= date,
      (row) => `${describe(row)}, filed ${row.filed}`,
    ),
    keys: checkCases(chains, createDuplicateCheck(), ([first]) => describe(first)),
    statedFacts: checkCases(values, createStatedFactCheck(facts), (row) => `${describe(row)} in ${row.accession}`),
    decisions,
  };
}

function checkCases<Case>(cases: readonly Case[], isValid: (item: Case) => boolean, describe: (item: Case) => string) {
  const failed = cases.filter((item) => !isValid(item));
  const [failure] = failed;
  const example = failure === undefined ? null : describe(failure);
  return { testedCount: cases.length, failedCount: failed.length, example };
}

type RevisionChain = readonly ReportedValue[];

function groupIntoChains(values: readonly ReportedValue[]): RevisionChain[] {
  const chains: RevisionChain[] = [];
  let chainStart = 0;
  for (let chainEnd = 1; chainEnd <= values.length; chainEnd += 1) {
    if (isSameFigure(values[chainEnd - 1], values[chainEnd])) continue;
    chains.push(values.slice(chainStart, chainEnd));
    chainStart = chainEnd;
  }
  return chains;
}

const isSameFigure = (a: ReportedValue | undefined, b: ReportedValue | undefined): boolean =>
  a?.metricKey === b?.metricKey && a?.end === b?.end && a?.start === b?.start && a?.unit === b?.unit;

const isChainOrdered = (chain: RevisionChain): boolean =>
  chain.every((value, index) => {
    const previousValue = chain[index - 1];
    return value.rank === index + 1 && (previousValue === undefined || previousValue.filed <= value.filed);
  });

/**
 * Returns a function that checks that a revision chain has at most one value per filing. One map for all chains is
 * faster than a set for each chain.
 */
function createDuplicateCheck(): (chain: RevisionChain) => boolean {
  const chains = new Map<string, RevisionChain>();
  return (chain) =>
    chain.every(({ accession }) => {
      if (chains.get(accession) === chain) return false;
      chains.set(accession, chain);
      return true;
    });
}

function describeFigure(value: ReportedValue | undefined): string {
  if (value === undefined) throw new Error('a revision chain has no values');
  return `${value.metricKey} (${value.unit}) of ${value.end}`;
}

/** Returns the decisions about amounts in filings that contradict each other, largest counts first. */
export function listDecisions({ identities, decisions }: CompanyFindings): EvidenceDecision[] {
  const marked = identities.map(({ name, marked: count, worst: [first] }): EvidenceDecision => {
    const worst = first === undefined ? null : { subject: first.subject, command: first.command };
    return { name, decision: 'marked', count, worst };
  });
  const listFacts = (counts: CountsByReason, decision: EvidenceDecision['decision']) =>
    Object.entries(counts).map(([name, count]): EvidenceDecision => ({ name, decision, count, worst: null }));
  return [...marked, ...listFacts(decisions.contradicted, 'contradicted'), ...listFacts(decisions.withheld, 'withheld')]
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}
