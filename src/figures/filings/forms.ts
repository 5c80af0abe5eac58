/** Which filings state a company's figures. */

export type FormClass = 'annual' | 'interim' | 'current';

const ANNUAL = /^(?:10-?KT?(?:405|SB)?|20-F|40-F)(?:\/A)?$/i;
const INTERIM = /^10-?Q(?:T|SB)?(?:\/A)?$/i;
const CURRENT = /^[68]-K(?:\/A)?$/i;

/** Forms are few and facts are millions. Bounded, as a file may make up its own. */
const known = new Map<string, FormClass | null>();
const MOST_KNOWN = 1000;

/** Null for forms that do not report: proxies, prospectuses and the rest. */
export function formClass(form: string): FormClass | null {
  let found = known.get(form);
  if (found === undefined) {
    found = classify(form);
    if (known.size < MOST_KNOWN) known.set(form, found);
  }
  return found;
}

function classify(form: string): FormClass | null {
  if (ANNUAL.test(form)) return 'annual';
  if (INTERIM.test(form)) return 'interim';
  return CURRENT.test(form) ? 'current' : null;
}
