/** Finds the missing accession numbers and filing dates of ownership forms. */
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import type { Owner, OwnershipDocument, OwnershipFiling } from '../../edgar/insiders/ownership-document.ts';
import type { SourcedOwnershipFiling } from '../../edgar/insiders/ownership-files.ts';
import type { ReadingLog } from '../tasks/reading.ts';

/** An ownership filing with an accession number, perhaps without a filing date. */
export type IdentifiedFiling = SourcedOwnershipFiling & { readonly filing: OwnershipFiling };

const UNKNOWN_FILING = 'an ownership filing whose accession number is unknown';

type FilingIdentity = Pick<OwnershipFiling, 'accession' | 'filed'>;

/**
 * Finds the filing of each form in the lists of filings of the form's issuer and owners. Counts and reports each form
 * whose accession number is not found.
 * @param list the issuer's own list of filings
 * @param readList returns a filer's list of filings; empty if unknown
 */
export async function identifyForms(
  forms: readonly SourcedOwnershipFiling[],
  list: readonly FilingRecord[],
  readList: (cik: number) => Promise<readonly FilingRecord[]>,
  { skipped, problems }: ReadingLog,
): Promise<IdentifiedFiling[]> {
  if (forms.length === 0) return [];
  const listedAccessions = new Set(list.map(({ accession }) => accession));
  const ownerKeyByAccession = new Map(forms.map(({ filing }) => [filing.accession, makeOwnerKey(filing.owners)]));
  const identify = async (form: SourcedOwnershipFiling['filing']): Promise<FilingIdentity | null> => {
    const { accession, filed } = form;
    if (accession !== null && (filed !== null || listedAccessions.has(accession))) return { accession, filed };
    const lists = await Promise.all(form.owners.map(({ cik }) => readList(cik)));
    if (accession !== null) {
      const ownerFiling = lists.flat().find((filing) => filing.accession === accession);
      return { accession, filed: ownerFiling?.filed ?? null };
    }
    const match = findFilingOfForm(form, [list, ...lists]);
    if (match === null) return null;
    const ownerKey = ownerKeyByAccession.get(match.accession);
    return ownerKey === undefined || ownerKey === makeOwnerKey(form.owners) ? match : null;
  };
  const filings: IdentifiedFiling[] = [];
  for (const form of forms) {
    const identity = await identify(form.filing);
    if (identity === null) {
      skipped.add(UNKNOWN_FILING);
      problems.push(`${form.source}: ${UNKNOWN_FILING}`);
    } else {
      const { accession, filed } = identity;
      filings.push({ ...form, filing: { ...form.filing, accession, filed } });
    }
  }
  return filings;
}

const makeOwnerKey = (owners: readonly Owner[]): string =>
  owners
    .map(({ cik }) => cik)
    .sort((a, b) => a - b)
    .join(' ');

/**
 * Searches the lists of the issuer and the owners for the filing with the same form type and period. Ignores lists with
 * several matches. Returns null if there is no match, or if the lists have different matches.
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
  const [match] = uniqueMatches;
  return match !== undefined && uniqueMatches.every(({ accession }) => accession === match.accession) ? match : null;
}
