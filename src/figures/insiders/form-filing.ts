/** Finds the filing of an ownership form when neither its file nor its folder has the accession number. */
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import type { OwnershipDocument } from '../../edgar/insiders/ownership-document.ts';

/**
 * Searches by form and period in the lists of the issuer and of the owners. Null if no filing matches, several match,
 * or the lists disagree.
 */
export function filingOfForm(
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
