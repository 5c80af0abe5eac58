/** HTTP redirects (RFC 9110, 15.4), used by all code that sends GET requests. */

export const MAX_REDIRECTS = 5;

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export const isRedirect = (status: number): boolean => REDIRECT_STATUSES.has(status);

/**
 * Returns the address that a redirect leads to, without its fragment; null if it is invalid or contains credentials.
 * The caller decides whether to follow it.
 */
export function findRedirectTarget(location: string | undefined, baseUrl: string): URL | null {
  if (location === undefined || !URL.canParse(location, baseUrl)) return null;
  const target = new URL(location, baseUrl);
  if (target.username !== '' || target.password !== '') return null;
  target.hash = '';
  return target;
}

/** Maximum number of characters of an address in an error message; the server chooses the address. */
const MAX_SHOWN_CHARACTERS = 200;

/** Returns which address redirects to which, as text; without their queries, which may contain signatures. */
export const describeRedirect = (from: string, target: URL | null): string =>
  `${formatAddress(new URL(from))} redirects to ${target === null ? 'an unreadable address' : formatAddress(target)}`;

function formatAddress({ origin, pathname }: URL): string {
  const address = origin + pathname;
  return address.length > MAX_SHOWN_CHARACTERS ? `${address.slice(0, MAX_SHOWN_CHARACTERS)}…` : address;
}
