/** Which of the reports that a manager filed for one quarter say what it held. */

import type { FiledThirteenF } from '../../edgar/holdings/thirteen-f-report.ts';

/** What is needed of a report to know which of a manager's reports of a quarter count. */
export type ReportFiling = Pick<FiledThirteenF, 'accession' | 'filed' | 'form' | 'amendment' | 'entryTotal'>;

export interface EffectiveReport<Filing> {
  /** The original, or the restatement that took its place: the report is named by it. */
  readonly base: Filing;
  /** The base and the amendments that added holdings to it, in the order in which they were filed. */
  readonly parts: readonly Filing[];
}

/**
 * From the latest original on, a restatement replaces all before it and new holdings are added. An amendment that
 * does not say which it is restates if its table has at least half the entries of what it amends. Notices
 * hold nothing. Null where only additions are on file: what they add to is not known.
 */
export function effectiveReport<Filing extends ReportFiling>(
  filings: readonly Filing[],
): EffectiveReport<Filing> | null {
  let base: Filing | null = null;
  let parts: Filing[] = [];
  for (const filing of filings.filter(({ form }) => form.startsWith('13F-HR')).sort(inOrder)) {
    if (replaces(filing, base)) {
      base = filing;
      parts = [filing];
    } else parts.push(filing);
  }
  return base === null ? null : { base, parts };
}

/** Originals before their amendments, whatever a data set's days say. */
function inOrder(a: ReportFiling, b: ReportFiling): number {
  if (a.filed !== b.filed) return a.filed < b.filed ? -1 : 1;
  const [first, second] = [a.amendment?.number ?? -1, b.amendment?.number ?? -1];
  return first === second ? (a.accession < b.accession ? -1 : 1) : first - second;
}

function replaces({ amendment, entryTotal }: ReportFiling, base: ReportFiling | null): boolean {
  if (amendment === null || amendment.type === 'restatement') return true;
  if (amendment.type === 'new_holdings') return false;
  return base === null || (entryTotal ?? 0) * 2 >= (base.entryTotal ?? 0);
}
