/**
 * Names of tagged data.
 *
 * A filer may bind any prefix to a taxonomy; a public taxonomy is named by its usual prefix, whatever the
 * document calls it, so that names compare across filings and years.
 */

const PUBLIC: readonly RegExp[] = [
  /\/\/fasb\.org\/(us-gaap|srt)(?:-[a-z]+)?\//,
  /\/\/xbrl\.us\/(us-gaap|dei|invest)\//,
  /\/\/xbrl\.sec\.gov\/([a-z-]+)\//,
  /\/\/xbrl\.ifrs\.org\/taxonomy\/[^/]+\/(ifrs-full)/,
];

/** The prefix by which a namespace's names are known. */
export function usualPrefix(namespace: string, prefix: string): string {
  for (const pattern of PUBLIC) {
    const match = pattern.exec(namespace);
    if (match?.[1] !== undefined) return match[1];
  }
  return prefix;
}

export function prefixOf(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? '' : name.slice(0, colon);
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
