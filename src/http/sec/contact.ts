/**
 * The contact that the SEC's fair-access rules require in each request: a name or company, and an e-mail address that
 * its owner reads.
 */
import { Failure } from '../../contract/failure.ts';
import { quote } from '../../contract/text/quote.ts';

const CONTACT_HINT = 'A contact is your name or company and one e-mail address, such as "Jane Doe jane@doe.org".';
const EMAIL_PATTERN =
  /(?:^|[\s<(])([A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,})(?=$|[\s>)])/g;
const MAX_CONTACT_LENGTH = 200;

/**
 * Returns the contact as sent in requests. Throws a usage Failure for a contact that is too long, is not printable
 * ASCII, or does not have exactly one real e-mail address.
 */
export function parseContact(text: string): string {
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
  const [address, ...others] = [...contact.matchAll(EMAIL_PATTERN)].map((match) => match[1] ?? '');
  if (address === undefined) return 'names no e-mail address';
  if (others.length > 0) return 'names several e-mail addresses';
  const isPlaceholder = /^(?:no-?reply|do-?not-?reply)@|@(?:.*\.)?example\.(?:com|org|net)$/i.test(address);
  return isPlaceholder ? "has a placeholder address, which the SEC's site refuses" : null;
}

export const makeMissingContactFailure = (): Failure =>
  new Failure('usage', "The SEC's site requires a contact, but no contact is set.", {
    hint: `${CONTACT_HINT} Give it with --contact, set FIN_CONTACT, or store it: fin config set contact "Jane Doe jane@doe.org". The contact is sent only to the site from which files are fetched.`,
  });

export const makeRefusedContactFailure = (host: string, userAgent: string): Failure =>
  new Failure('usage', `${host} does not accept the contact in the User-Agent ${JSON.stringify(userAgent)}.`, {
    hint: 'Give your own name and e-mail address: --contact "Jane Doe jane@doe.example"',
  });
