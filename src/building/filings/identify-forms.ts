/** Finds the accession number and filing date of ownership forms that do not contain them. */
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import type { Owner, OwnershipDocument, OwnershipFiling } from '../../edgar/insiders/ownership-document.ts';
import type { SourcedOwnershipFiling } from '../../edgar/insiders/ownership-files.ts';

/** An ownership filing with an accession number, perhaps without a filing date. */
export type IdentifiedFiling = SourcedOwnershipFiling & { readonly filing: OwnershipFiling };

/**
 * Identifies forms by the lists of their issuer and owners.
 * @param list the issuer's own list of filings
 * @param filingListOf returns a filer's list of filings; empty if unknown
 * @param skip called with each form that matches no filing, and the reason
 */
export async function identifyForms(
  forms: readonly SourcedOwnershipFiling[],
  list: readonly FilingRecord[],
  filingListOf: (cik: number) => Promise<readonly FilingRecord[]>,
  skip: (form: SourcedOwnershipFiling, reason: string) => void,
): Promise<IdentifiedFiling[]> {
  if (forms.length === 0) return [];
  const listedAccessions = new Set(list.map(({ accession }) => accession));
  const ownersByAccession = new Map(forms.map(({ filing }) => [filing.accession, ownerKeyOf(filing.owners)]));
  const identified: IdentifiedFiling[] = [];
  for (const form of forms) {
    const { filing } = form;
    const { accession, filed } = filing;
    if (accession !== null && (filed !== null || listedAccessions.has(accession))) {
      identified.push({ ...form, filing: { ...filing, accession } });
      continue;
    }
    const ownerLists = await Promise.all(filing.owners.map(({ cik }) => filingListOf(cik)));
    if (accession !== null) {
      const filingDay = ownerLists.flat().find((ownerFiling) => ownerFiling.accession === accession)?.filed ?? null;
      identified.push({ ...form, filing: { ...filing, accession, filed: filingDay } });
      continue;
    }
    const foundFiling = filingOfForm(filing, [list, ...ownerLists]);
    const otherOwners = foundFiling === null ? undefined : ownersByAccession.get(foundFiling.accession);
    if (foundFiling === null || (otherOwners !== undefined && otherOwners !== ownerKeyOf(filing.owners))) {
      skip(form, 'an ownership filing whose accession number is unknown');
    } else
      identified.push({ ...form, filing: { ...filing, accession: foundFiling.accession, filed: foundFiling.filed } });
  }
  return identified;
}

function ownerKeyOf(owners: readonly Owner[]): string {
  return owners
    .map(({ cik }) => cik)
    .sort((a, b) => a - b)
    .join(' ');
}

/**
 * Searches the lists of the issuer and the owners by form type and period. Returns null if no list has exactly one
 * match, or the lists disagree.
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
