/**
 * The SEC's site: its addresses, the contact that it requires, and the responses with which it refuses requests; some have
 * the status 200.
 */
import { Failure } from '../../contract/failure.ts';
import { quote } from '../../contract/text/quote.ts';

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
const isRefusalPage = (start: string) =>
  /^[\s\u{FEFF}]*</u.test(start) && /request rate threshold|undeclared automated tool/i.test(start);

function classifyForbiddenPage(start: string): Refusal {
  if (/undeclared automated tool/i.test(start)) return 'contact-refused';
  // The site's storage service returns 403 with this body for missing files.
  return /<Code>AccessDenied<\/Code>/.test(start) ? 'absent' : 'rate-limited';
}

/*
 * The contact that the SEC's fair-access rules require in each request: a name or company, and an e-mail address that its
 * owner reads.
 */

const CONTACT_HINT = 'A contact is your name or company and one e-mail address, such as "Jane Doe jane@doe.org".';
const EMAIL_PATTERN =
  /(?:^|[\s<(])([A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,})(?=$|[\s>)])/g;
const MAX_CONTACT_LENGTH = 200;

/**
 * Returns the contact as sent in requests. Throws a usage Failure for a missing contact (null), and for one that is too
 * long, is not printable ASCII, or does not have exactly one real e-mail address.
 */
export function parseContact(text: string | null): string {
  if (text === null) throw makeMissingContactFailure();
  const contact = text.trim();
  const fault = findContactFault(contact);
  if (fault === null) return contact;
  throw new Failure('usage', `The contact ${quote(contact)} ${fault}.`, { hint: CONTACT_HINT });
}

/** Returns what is wrong with a contact, as the predicate of a sentence. */
function findContactFault(contact: string): string | null {
  // The contact is limited to printable ASCII, because it becomes the value of an HTTP header.
  if (contact.length > MAX_CONTACT_LENGTH || !/^[\x20-\x7e]*$/.test(contact))
    return `must be at most ${MAX_CONTACT_LENGTH} printable ASCII characters`;
  const [address, ...otherAddresses] = [...contact.matchAll(EMAIL_PATTERN)].map((match) => match[1] ?? '');
  if (address === undefined) return 'names no e-mail address';
  if (otherAddresses.length > 0) return 'names several e-mail addresses';
  const isPlaceholder = /^(?:no-?reply|do-?not-?reply)@|@(?:.*\.)?example\.(?:com|org|net)$/i.test(address);
  return isPlaceholder ? "has a placeholder address, which the SEC's site refuses" : null;
}

const makeMissingContactFailure = (): Failure =>
  new Failure('usage', "The SEC's site requires a contact, but no contact is set.", {
    hint: `${CONTACT_HINT} Give it with --contact, set FIN_CONTACT, or store it: fin config set contact "Jane Doe jane@doe.org". The contact is sent only to the site from which files are fetched.`,
  });

export const makeRefusedContactFailure = (host: string, userAgent: string): Failure =>
  new Failure('usage', `${host} does not accept the contact in the User-Agent ${JSON.stringify(userAgent)}.`, {
    hint: 'Give your own name and e-mail address: --contact "Jane Doe jane@doe.example"',
  });
