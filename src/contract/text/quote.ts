/** Quotes untrusted text for a message: shortened, and without control characters. */
export function quote(text: string): string {
  const safe = text.replace(/\p{Cc}|\p{Cf}/gu, '�');
  return JSON.stringify(safe.length > 60 ? `${safe.slice(0, 60)}…` : safe);
}

/** Formats alternatives as text: `asc or desc`, `latest, annual or all`. */
export function formatAlternatives(values: readonly string[]): string {
  const [last = '', ...others] = values.toReversed();
  return others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`;
}

/** Returns a word of a command line, quoted if it contains a character that a shell may interpret, such as a space. */
export function quoteShellWord(text: string): string {
  const safe = text.replace(/\p{Cc}|\p{Cf}/gu, '�');
  return /^[\w@%+=:,./-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}

/**
 * Removes API keys from text, so that a key typed as an argument never appears in errors, logs or output. Also removes
 * keys with a few missing or additional characters.
 */
export const redactApiKeys = (text: string): string =>
  text.replace(/(?<=[A-Za-z0-9](?:_|%5F))[A-Za-z0-9]{32,}/gi, '…').replace(/\b\w{45}\b/g, '…');

/** Returns text encoded as a part of a URL. Lone surrogates, which JSON may contain, become replacement characters. */
export const encodeUrlPart = (text: string): string => encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));
