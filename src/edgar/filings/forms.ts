/** Classifies form types. */

type FormClass = 'annual' | 'interim' | 'current';

const ANNUAL_FORM_PATTERN = /^(?:10-?KT?(?:405|SB)?|20-F|40-F)(?:\/A)?$/i;
const INTERIM_FORM_PATTERN = /^10-?Q(?:T|SB)?(?:\/A)?$/i;
const CURRENT_FORM_PATTERN = /^[68]-K(?:\/A)?$/i;
/** Late-filing notices, tender offers, going-private transactions, nominations, delisting and deregistration. */
const NOTICE_FORM_PATTERN = /^(?:NT |SC TO-|SC 13E3|SC 14[DN]|25(?:-NSE)?$|15-|15F|15$)/;
/** Current reports of successors and shell companies; figures are not read from these forms. */
const SUCCESSOR_CURRENT_FORM_PATTERN = /^8-K(?:12[BG]3?|15D5)/;

/**
 * Cache of `classifyForm`, because there are few forms but millions of facts. The cache is bounded, because an
 * untrusted file may contain any text as a form.
 */
const classByForm = new Map<string, FormClass | null>();
const MAX_CACHED_FORMS = 1000;

/** Returns the class of a form type; null for forms without figures, such as proxy statements and prospectuses. */
export function classifyForm(form: string): FormClass | null {
  let cachedClass = classByForm.get(form);
  if (cachedClass === undefined) {
    cachedClass = classifyUncachedForm(form);
    if (classByForm.size < MAX_CACHED_FORMS) classByForm.set(form, cachedClass);
  }
  return cachedClass;
}

function classifyUncachedForm(form: string): FormClass | null {
  if (ANNUAL_FORM_PATTERN.test(form)) return 'annual';
  if (INTERIM_FORM_PATTERN.test(form)) return 'interim';
  return CURRENT_FORM_PATTERN.test(form) ? 'current' : null;
}

/** Whether the form reports on a fiscal period. */
export function isPeriodicReportForm(form: string): boolean {
  const formClass = classifyForm(form);
  return formClass === 'annual' || formClass === 'interim';
}

/** Whether the form gives notice that the duty to file reports ends or is suspended. */
export const isDeregistrationForm = (form: string): boolean => /^15(?:F|-|$)/i.test(form);

/**
 * Whether the form is a current report with numbered items: an 8-K, an amendment of an 8-K, or an 8-K of a successor.
 */
export const hasItems = (form: string): boolean => /^8-K/i.test(form);

/** Whether the form is a current report, or a notice of an event. */
export const isCurrentEventForm = (form: string): boolean =>
  classifyForm(form) === 'current' || SUCCESSOR_CURRENT_FORM_PATTERN.test(form) || NOTICE_FORM_PATTERN.test(form);
