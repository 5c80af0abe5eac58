/** Redirects of HTTP (RFC 9110, 15.4), as everything that sends GETs follows them. */

/** More than these lead nowhere. */
export const MAX_REDIRECTS = 5;

const STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export const isRedirect = (status: number): boolean => STATUSES.has(status);

/**
 * Where a redirect leads, without a fragment; null for no address, or one with a user's name. The caller
 * decides whether to follow: keys and checked data stay with one origin, fetches from the SEC with those of its site.
 */
export function redirectTarget(location: string | undefined, from: string): URL | null {
  if (location === undefined || !URL.canParse(location, from)) return null;
  const to = new URL(location, from);
  if (to.username !== '' || to.password !== '') return null;
  to.hash = '';
  return to;
}
