/** Untrusted text for a message: shortened, and without control characters. */
export function quote(text: string): string {
  const safe = text.replace(/\p{Cc}|\p{Cf}/gu, '�');
  return JSON.stringify(safe.length > 60 ? `${safe.slice(0, 60)}…` : safe);
}

/** `asc or desc`, `latest, annual or all`: what may be written in a place. */
export function alternatives(values: readonly string[]): string {
  const [last = '', ...others] = values.toReversed();
  return others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`;
}

/** One argument of a command line for a shell, quoted where it has a space or a character that a shell interprets. */
export function shellWord(text: string): string {
  const safe = text.replace(/\p{Cc}|\p{Cf}/gu, '�');
  return /^[\w@%+=:,./-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}

/**
 * Text without API keys: one typed as an argument must not come back in an error, a log or a scrollback. A key that
 * lost or gained a few characters is redacted too.
 */
export const redactKeys = (text: string): string =>
  text.replace(/\b((?:[A-Za-z0-9]+_)+)[A-Za-z0-9]{32,}/g, '$1…').replace(/\b\w{45}\b/g, '…');
