/** Recognizes the responses with which the SEC's site refuses requests; some have the status 200. */

/** Pause in milliseconds after a rate-limited response without Retry-After: the site blocks for ten minutes. */
export const DEFAULT_PAUSE_MS = 10 * 60_000;

/** Whether the site lacks the file, received too many requests, or rejects the contact. */
type Refusal = 'absent' | 'rate-limited' | 'contact-refused';

/**
 * Returns the refusal that a response states; null for any other response.
 * @param start the beginning of the body
 */
export function findRefusal(status: number, start: string): Refusal | null {
  if (status === 404 || status === 410) return 'absent';
  if (status === 429) return 'rate-limited';
  return status === 403 || (status === 200 && isRefusalPage(start)) ? classifyForbiddenPage(start) : null;
}

/** Whether the beginning of a page with status 200 is that of a refusal. */
const isRefusalPage = (start: string): boolean =>
  /^[\s\u{FEFF}]*</u.test(start) && /request rate threshold|undeclared automated tool/i.test(start);

function classifyForbiddenPage(start: string): Refusal {
  if (/undeclared automated tool/i.test(start)) return 'contact-refused';
  // The site's storage service returns 403 with this body for missing files.
  return /<Code>AccessDenied<\/Code>/.test(start) ? 'absent' : 'rate-limited';
}
