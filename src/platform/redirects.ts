/** Redirects of HTTP (RFC 9110, 15.4), as everything that sends GETs follows them. */

/** More than these lead nowhere. */
export const MOST_REDIRECTS = 5;

const STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export const isRedirect = (status: number): boolean => STATUSES.has(status);

/**
 * Where a redirect leads, without a fragment; null for no address, or one with a user's name. Whether it may be followed is for
 * the caller to say: keys and checked data have one origin, and what is fetched from the SEC those of its site.
 */
export function redirectTarget(location: string | undefined, from: string): URL | null {
  if (location === undefined || !URL.canParse(location, from)) return null;
  const to = new URL(location, from);
  if (to.username !== '' || to.password !== '') return null;
  to.hash = '';
  return to;
}
