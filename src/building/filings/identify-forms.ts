/** Finds the accession number and filing day of an ownership form: a bare form states neither. */
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import type { Owner, OwnershipDocument, OwnershipFiling } from '../../edgar/insiders/ownership-document.ts';
import type { SourcedOwnershipFiling } from '../../edgar/insiders/ownership-files.ts';

/** An ownership filing with an accession number; its filing day may be unknown. */
export type IdentifiedFiling = SourcedOwnershipFiling & { readonly filing: OwnershipFiling };

/**
 * @param list the issuer's own list of filings
 * @param listOf returns a filer's own list; empty if it has none
 * @param skip called with each form that matches no filing, and the reason
 */
export async function identifyForms(
  found: readonly SourcedOwnershipFiling[],
  list: readonly FilingRecord[],
  listOf: (cik: number) => Promise<readonly FilingRecord[]>,
  skip: (form: SourcedOwnershipFiling, reason: string) => void,
): Promise<IdentifiedFiling[]> {
  if (found.length === 0) return [];
  const dated = new Set(list.map(({ accession }) => accession));
  const ownersOf = new Map(found.map(({ filing }) => [filing.accession, namesOf(filing.owners)]));
  const identified: IdentifiedFiling[] = [];
  for (const form of found) {
    const { filing } = form;
    const { accession, filed } = filing;
    if (accession !== null && (filed !== null || dated.has(accession))) {
      identified.push({ ...form, filing: { ...filing, accession } });
      continue;
    }
    const ownLists = await Promise.all(filing.owners.map(({ cik }) => listOf(cik)));
    if (accession !== null) {
      const day = ownLists.flat().find((one) => one.accession === accession)?.filed ?? null;
      identified.push({ ...form, filing: { ...filing, accession, filed: day } });
      continue;
    }
    const known = filingOfForm(filing, [list, ...ownLists]);
    const others = known === null ? undefined : ownersOf.get(known.accession);
    if (known === null || (others !== undefined && others !== namesOf(filing.owners))) {
      skip(form, 'an ownership filing whose accession number is unknown');
    } else identified.push({ ...form, filing: { ...filing, accession: known.accession, filed: known.filed } });
  }
  return identified;
}

function namesOf(owners: readonly Owner[]): string {
  return owners
    .map(({ cik }) => cik)
    .sort((a, b) => a - b)
    .join(' ');
}

/**
 * Searches by form and period in the lists of the issuer and of the owners. Null if no filing matches, several match,
 * or the lists disagree.
 */
function filingOfForm(
  { form, periodOfReport }: Pick<OwnershipDocument, 'form' | 'periodOfReport'>,
  lists: readonly (readonly FilingRecord[])[],
): FilingRecord | null {
  if (periodOfReport === null) return null;
  const only = lists.flatMap((list) => {
    const fitting = list.filter((filing) => filing.form === form && filing.reportDate === periodOfReport);
    return fitting.length === 1 ? fitting : [];
  });
  const [first] = only;
  return first !== undefined && only.every(({ accession }) => accession === first.accession) ? first : null;
}
