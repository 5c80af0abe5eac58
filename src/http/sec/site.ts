/** The SEC's site: its addresses, and the responses with which it refuses requests; some have the status 200. */

/** Base addresses of the public files: the SEC's two hosts, or a mirror with the same paths. */
export interface Site {
  /** Origin and path before `/Archives` and `/files`, without a trailing slash. */
  readonly filesUrl: string;
  /** Origin and path before `/submissions` and `/api`. */
  readonly apiUrl: string;
}

export const SEC_SITE: Site = { filesUrl: 'https://www.sec.gov', apiUrl: 'https://data.sec.gov' };

/** Returns the site for a mirror with a single base address. */
export function makeMirrorSite(baseUrl: string): Site {
  const base = baseUrl.replace(/\/+$/, '');
  return { filesUrl: base, apiUrl: base };
}

/** Whether a redirect to `url` stays on the site's hosts, and does not change from HTTPS to HTTP. */
export const isUrlOnSite = (site: Site, url: URL): boolean =>
  [site.filesUrl, site.apiUrl].some((siteUrl) => new URL(siteUrl).origin === url.origin);

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
