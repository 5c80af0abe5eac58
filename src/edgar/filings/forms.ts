/** What kind of filing a form is. */

export type FormClass = 'annual' | 'interim' | 'current';

const ANNUAL = /^(?:10-?KT?(?:405|SB)?|20-F|40-F)(?:\/A)?$/i;
const INTERIM = /^10-?Q(?:T|SB)?(?:\/A)?$/i;
const CURRENT = /^[68]-K(?:\/A)?$/i;
/** Late filings, tender offers, going private, the end of a listing, or the end of the duty to report. */
const NOTICE = /^(?:NT |SC TO-|SC 13E3|SC 14[DN]|25(?:-NSE)?$|15-|15F|15$)/;
/** Current reports of successors and shell companies; figures are not read from them. */
const SUCCESSOR_CURRENT = /^8-K(?:12[BG]3?|15D5)/;

/** Caches results: forms are few and facts are millions. Bounded, because an input file may contain any text. */
const known = new Map<string, FormClass | null>();
const MAX_CACHED_FORMS = 1000;

/** Null for forms without figures, such as proxy statements and prospectuses. */
export function formClass(form: string): FormClass | null {
  let found = known.get(form);
  if (found === undefined) {
    found = classify(form);
    if (known.size < MAX_CACHED_FORMS) known.set(form, found);
  }
  return found;
}

function classify(form: string): FormClass | null {
  if (ANNUAL.test(form)) return 'annual';
  if (INTERIM.test(form)) return 'interim';
  return CURRENT.test(form) ? 'current' : null;
}

/** Whether the form reports on a fiscal period. */
export function isPeriodReport(form: string): boolean {
  const found = formClass(form);
  return found === 'annual' || found === 'interim';
}

/** Whether the form is a notice that the duty to report ends or is suspended. */
export function isDeregistration(form: string): boolean {
  return /^15(?:F|-|$)/i.test(form);
}

/** Whether the form is a current report with numbered items: 8-K, its amendments, and those of successors. */
export function hasItems(form: string): boolean {
  return /^8-K/i.test(form);
}

/** Whether the form is a current report or a notice of an event. */
export function isNews(form: string): boolean {
  return formClass(form) === 'current' || SUCCESSOR_CURRENT.test(form) || NOTICE.test(form);
}
