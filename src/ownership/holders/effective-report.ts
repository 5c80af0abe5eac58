/** Determines which of a manager's reports for one quarter are in effect. */

import type { FiledThirteenF } from '../../edgar/holdings/thirteen-f-report.ts';

/** The fields that decide which report is in effect. */
export type ReportFiling = Pick<FiledThirteenF, 'accession' | 'filed' | 'form' | 'amendment' | 'entryTotal'>;

interface EffectiveReport<Filing> {
  /**
   * The original report, or the restatement that replaced the original. The effective report is identified by the base
   * report's accession number.
   */
  readonly base: Filing;
  /** The base report and the amendments that add holdings to the base, in filing order. */
  readonly parts: readonly Filing[];
}

/**
 * Returns the base report and its additions. A restatement replaces all earlier reports; an amendment with new holdings
 * adds to the base. An amendment without a type counts as a restatement if its table has at least half as many entries
 * as the base. Null if only additions are known. Form 13F notices are ignored, because they contain no holdings.
 */
export function findEffectiveReport<F extends ReportFiling>(filings: readonly F[]): EffectiveReport<F> | null {
  let base: F | null = null;
  let parts: F[] = [];
  for (const filing of filings.filter(({ form }) => form.startsWith('13F-HR')).sort(compareFilings)) {
    if (replacesBase(filing, base)) {
      base = filing;
      parts = [filing];
    } else parts.push(filing);
  }
  return base === null ? null : { base, parts };
}

/** Compares by filing day; on the same day, original reports precede amendments. */
function compareFilings(a: ReportFiling, b: ReportFiling): number {
  if (a.filed !== b.filed) return a.filed < b.filed ? -1 : 1;
  const [number, other] = [a.amendment?.number ?? -1, b.amendment?.number ?? -1];
  return number === other ? (a.accession < b.accession ? -1 : 1) : number - other;
}

function replacesBase({ amendment, entryTotal }: ReportFiling, base: ReportFiling | null): boolean {
  if (amendment === null || amendment.type === 'restatement') return true;
  if (amendment.type === 'new_holdings') return false;
  if (base === null || base.entryTotal === null) return true;
  return entryTotal !== null && entryTotal * 2 >= base.entryTotal;
}
