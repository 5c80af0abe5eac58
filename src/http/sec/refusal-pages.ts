/** Recognizes the pages with which the SEC's site refuses requests; some have the status 200. */

/** Pause in milliseconds after a rate-limited response without Retry-After: the site blocks for ten minutes. */
export const DEFAULT_PAUSE_MS = 10 * 60_000;

/** Whether the beginning of an HTML page is that of a refusal, whatever its status. */
export const isRefusalPage = (start: string): boolean =>
  /request rate threshold|undeclared automated tool/i.test(start);

/** Classifies the beginning of a page with status 403, or of a refusal page with another status. */
export function classifyForbiddenPage(start: string): 'contact-refused' | 'absent' | 'rate-limited' {
  if (/undeclared automated tool/i.test(start)) return 'contact-refused';
  // The site's storage service returns 403 with this body for missing files.
  return /<Code>AccessDenied<\/Code>/.test(start) ? 'absent' : 'rate-limited';
}
