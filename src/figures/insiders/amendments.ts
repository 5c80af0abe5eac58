/**
 * Which of an issuer's ownership filings are in effect.
 *
 * An amendment names only the day its original was filed. It supersedes the filing of the same owners on the same form
 * on that day; where there is none or more than one, the match is not known and the amendment is left out.
 */
import type { OwnershipFiling } from '../../edgar/insiders/ownership-document.ts';
import { pushTo } from '../groups.ts';

export interface Settled {
  readonly effective: readonly OwnershipFiling[];
  /** Filings that are not in effect, by reason. */
  readonly skipped: Readonly<Record<'superseded' | 'unmatched', number>>;
}

/** @param filings of one issuer */
export function settleAmendments(filings: readonly OwnershipFiling[]): Settled {
  const ordered = [...filings].sort(byFiling);
  const originals = new Map<string, OwnershipFiling[]>();
  for (const filing of ordered) {
    if (isAmendment(filing)) continue;
    const key = keyOf(filing, filing.filed);
    pushTo(originals, key, filing);
  }
  /** The last amendment of each original. */
  const replacements = new Map<OwnershipFiling, OwnershipFiling>();
  let unmatched = 0;
  let superseded = 0;
  for (const amendment of ordered.filter(isAmendment)) {
    const { originalFiled } = amendment;
    const candidates = originalFiled === null ? undefined : originals.get(keyOf(amendment, originalFiled));
    const original = candidates?.length === 1 ? candidates[0] : undefined;
    if (original === undefined) unmatched += 1;
    else {
      superseded += 1;
      replacements.set(original, amendment);
    }
  }
  const effective = ordered.flatMap((filing) => {
    if (isAmendment(filing)) return [];
    return [replacements.get(filing) ?? filing];
  });
  return { effective: effective.sort(byFiling), skipped: { superseded, unmatched } };
}

export function isAmendment({ form }: OwnershipFiling): boolean {
  return form.endsWith('/A');
}

/** Earliest first; filings without a day last. */
export function byFiling(a: OwnershipFiling, b: OwnershipFiling): number {
  const [one, other] = [a.filed ?? '9999', b.filed ?? '9999'];
  if (one !== other) return one < other ? -1 : 1;
  return a.accession < b.accession ? -1 : a.accession > b.accession ? 1 : 0;
}

function keyOf({ form, owners }: OwnershipFiling, filed: string | null): string {
  const people = owners.map(({ cik }) => cik).sort((a, b) => a - b);
  return `${form.replace('/A', '')} ${filed} ${people.join(' ')}`;
}
