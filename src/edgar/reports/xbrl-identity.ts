/** Whose report it is, and of what period, from what its cover says of itself. */

import { cikOf } from '../files/json.ts';
import type { CoverText, TaggedReport } from './tagged-report.ts';

type Identity = Pick<TaggedReport, 'cik' | 'form' | 'periodEnd' | 'focusYear' | 'focusPeriod'>;

/** `end` of a text is the end of its context: of the document's type, that is the end of the period reported on. */
export function reportIdentity(cover: readonly (CoverText & { readonly end: string })[]): Identity {
  const find = (name: string) => cover.find((text) => text.name === name && text.text !== '');
  const year = find('DocumentFiscalYearFocus')?.text.replace(/^--/, '') ?? '';
  const form = find('DocumentType');
  return {
    cik: cikOf(find('EntityCentralIndexKey')?.text),
    form: form?.text ?? null,
    periodEnd: form?.end ?? find('DocumentPeriodEndDate')?.end ?? null,
    focusYear: /^\d{4}$/.test(year) ? Number(year) : null,
    focusPeriod: find('DocumentFiscalPeriodFocus')?.text.toUpperCase() ?? null,
  };
}
