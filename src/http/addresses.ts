import { Failure } from '../contract/failure.ts';
import { quote } from '../contract/text/quote.ts';

/** Returns the normalized address to fetch from. Throws a usage Failure for an invalid or insecure address. */
export function checkAddress(text: string, option: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url === null || !isSafe || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new Failure('usage', `The ${option} ${quote(text)} is not an address that fin can fetch from.`, {
      hint: 'Use https://…, or http:// on this machine, without a user, a query or a fragment.',
    });
  }
  return url.href;
}

/** Whether a URL's host is this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
