/**
 * Which of an issuer's ownership filings stand.
 *
 * An amendment names no filing, only the day its original was filed. Where one filing of the same people, on the same
 * form, was made that day, the amendment supersedes it; where none or several were, nobody can tell, and the amendment is left out.
 */
import type { OwnershipFiling } from '../../edgar/insiders/ownership-document.ts';

export interface Settled {
  readonly standing: readonly OwnershipFiling[];
  /** Filings that do not stand, by reason. */
  readonly skipped: Readonly<Record<'superseded' | 'unmatched', number>>;
}

/** @param filings of one issuer */
export function settleAmendments(filings: readonly OwnershipFiling[]): Settled {
  const ordered = [...filings].sort(byFiling);
  const originals = new Map<string, OwnershipFiling[]>();
  for (const filing of ordered) {
    if (isAmendment(filing)) continue;
    const key = keyOf(filing, filing.filed);
    originals.set(key, [...(originals.get(key) ?? []), filing]);
  }
  /** The last amendment of each original. */
  const replacements = new Map<OwnershipFiling, OwnershipFiling>();
  let unmatched = 0;
  let superseded = 0;
  for (const amendment of ordered.filter(isAmendment)) {
    const candidates =
      amendment.originalFiled === null ? [] : (originals.get(keyOf(amendment, amendment.originalFiled)) ?? []);
    const [original] = candidates;
    if (original === undefined || candidates.length > 1) unmatched += 1;
    else {
      superseded += 1;
      replacements.set(original, amendment);
    }
  }
  const standing = ordered.flatMap((filing) => {
    if (isAmendment(filing)) return [];
    return [replacements.get(filing) ?? filing];
  });
  return { standing: standing.sort(byFiling), skipped: { superseded, unmatched } };
}

export function isAmendment({ form }: OwnershipFiling): boolean {
  return form.endsWith('/A');
}

/** Earliest first; what has no day comes last. */
export function byFiling(a: OwnershipFiling, b: OwnershipFiling): number {
  const [one, other] = [a.filed ?? '9999', b.filed ?? '9999'];
  if (one !== other) return one < other ? -1 : 1;
  return a.accession < b.accession ? -1 : a.accession > b.accession ? 1 : 0;
}

function keyOf({ form, owners }: OwnershipFiling, filed: string | null): string {
  const people = owners.map(({ cik }) => cik).sort((a, b) => a - b);
  return `${form.replace('/A', '')} ${filed} ${people.join(' ')}`;
}
