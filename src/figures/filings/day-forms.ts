/** What a filing is on the page of its day: a report on a period, a line of news, or one of a count. */
import { formClass } from './forms.ts';

/** Late filings, tender offers, going private, the end of a listing or of a duty to report. */
const NOTICE = /^(?:NT |SC TO-|SC 13E3|SC 14[DN]|25(?:-NSE)?$|15-|15F|15$)/;
/** A successor's or shell's current report, which no figure is read from. */
const CURRENT = /^8-K(?:12[BG]3?|15D5)/;

export function isPeriodReport(form: string): boolean {
  const found = formClass(form);
  return found === 'annual' || found === 'interim';
}

/** A current report or a notice of an event. */
export function isNews(form: string): boolean {
  return formClass(form) === 'current' || CURRENT.test(form) || NOTICE.test(form);
}
