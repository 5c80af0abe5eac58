/** Base URLs of services: parsing and checks. */
import { Failure } from '../contract/failure.ts';
import { isLoopback } from '../http/check-address.ts';

/** The base URL of data on this machine. */
export const LOCAL_URL = 'local:';

interface ParsedBaseUrl {
  readonly baseUrl: string;
  readonly origin: string;
  readonly isLoopback: boolean;
}

/** Returns the normalized base URL. Throws a usage Failure for an invalid URL, and for http:// to another machine. */
export function parseBaseUrl(text: string): ParsedBaseUrl {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new Failure('usage', `The base URL ${quoteShortened(text)} is not a valid address of a service.`, {
      hint: 'Use https://…, http:// for a service on this machine, or "local:" for the data on this machine.',
    });
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new Failure('usage', `The base URL of ${url.host} must not have a user, query or fragment.`, {
      hint: 'Give only the scheme, host and path. About keys: fin help keys',
    });
  }
  const loopback = isLoopback(url.hostname);
  if (url.protocol === 'http:' && !loopback) {
    throw new Failure('usage', `Requests to the base URL ${quoteShortened(text)} would not be encrypted.`, {
      hint: 'Use https://; http:// is allowed only for this machine.',
    });
  }
  return { baseUrl: url.origin + url.pathname.replace(/\/+$/, ''), origin: url.origin, isLoopback: loopback };
}

const quoteShortened = (text: string) => JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);
