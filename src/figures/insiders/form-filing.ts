/** The filing that an ownership form came with, where neither its file nor its folder names it. */
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import type { OwnershipDocument } from '../../edgar/insiders/ownership-document.ts';

/**
 * By form and period: the only such filing in a list of the issuer's or of an owner's. Null where there is none, several, or where
 * the lists disagree.
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
