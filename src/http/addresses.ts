/** Addresses that the user or a redirect (RFC 9110, 15.4) names. */
import { Failure } from '../contract/failure.ts';
import { quote } from '../contract/text/quote.ts';

/** Returns the normalized address to fetch from. Throws a usage Failure for an invalid or insecure address. */
export function checkAddress(text: string, option: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url === null || !isSafe || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    const hint = 'Use https://…, or http:// on this machine, without a user, a query or a fragment.';
    throw new Failure('usage', `The ${option} ${quote(text)} is not an address that fin can fetch from.`, { hint });
  }
  return url.href;
}

/** Whether a URL's host is this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

/** Maximum number of redirects that a GET request follows. */
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

/** Describes which address redirects to which, without the queries of both, which may contain signatures. */
export const describeRedirect = (from: string, target: URL | null): string =>
  `${formatAddress(new URL(from))} redirects to ${target === null ? 'an unreadable address' : formatAddress(target)}`;

function formatAddress({ origin, pathname }: URL): string {
  const address = origin + pathname;
  return address.length > MAX_SHOWN_CHARACTERS ? `${address.slice(0, MAX_SHOWN_CHARACTERS)}…` : address;
}
