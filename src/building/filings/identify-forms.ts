/** Finds the missing accession numbers and filing dates of ownership forms. */
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
  const ownerKeyByAccession = new Map(forms.map(({ filing }) => [filing.accession, ownerKeyOf(filing.owners)]));
  const identifiedFilings: IdentifiedFiling[] = [];
  for (const form of forms) {
    const { filing } = form;
    const { accession, filed } = filing;
    if (accession !== null && (filed !== null || listedAccessions.has(accession))) {
      identifiedFilings.push({ ...form, filing: { ...filing, accession } });
      continue;
    }
    const ownerLists = await Promise.all(filing.owners.map(({ cik }) => filingListOf(cik)));
    if (accession !== null) {
      const filingDay = ownerLists.flat().find((ownerFiling) => ownerFiling.accession === accession)?.filed ?? null;
      identifiedFilings.push({ ...form, filing: { ...filing, accession, filed: filingDay } });
      continue;
    }
    const matchingFiling = findFilingOfForm(filing, [list, ...ownerLists]);
    const existingOwnerKey = matchingFiling === null ? undefined : ownerKeyByAccession.get(matchingFiling.accession);
    if (matchingFiling === null || (existingOwnerKey !== undefined && existingOwnerKey !== ownerKeyOf(filing.owners))) {
      skip(form, 'an ownership filing whose accession number is unknown');
    } else
      identifiedFilings.push({
        ...form,
        filing: { ...filing, accession: matchingFiling.accession, filed: matchingFiling.filed },
      });
  }
  return identifiedFilings;
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
function findFilingOfForm(
  { form, periodOfReport }: Pick<OwnershipDocument, 'form' | 'periodOfReport'>,
  lists: readonly (readonly FilingRecord[])[],
): FilingRecord | null {
  if (periodOfReport === null) return null;
  const uniqueMatches = lists.flatMap((list) => {
    const matches = list.filter((filing) => filing.form === form && filing.reportDate === periodOfReport);
    return matches.length === 1 ? matches : [];
  });
  const [firstMatch] = uniqueMatches;
  return firstMatch !== undefined && uniqueMatches.every(({ accession }) => accession === firstMatch.accession)
    ? firstMatch
    : null;
}
