/** Redirects of HTTP (RFC 9110, 15.4), for everything that sends GETs. */

/** Maximum number of consecutive redirects. */
export const MAX_REDIRECTS = 5;

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export const isRedirect = (status: number): boolean => REDIRECT_STATUSES.has(status);

/**
 * Returns the destination of a redirect, without a fragment; null for an invalid address, or one with a user name.
 * The caller decides whether to follow it: keys and verified data stay within one origin, fetches from the SEC within
 * its site.
 */
export function redirectTarget(location: string | undefined, baseUrl: string): URL | null {
  if (location === undefined || !URL.canParse(location, baseUrl)) return null;
  const target = new URL(location, baseUrl);
  if (target.username !== '' || target.password !== '') return null;
  target.hash = '';
  return target;
}
