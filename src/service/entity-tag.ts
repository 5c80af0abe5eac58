/** Weak entity tags: equal for answers that say the same (choices.md, "ETags"). */

/** @param content the parts of an answer that make it what it is: `data`, and `meta` without its request id */
export function entityTag(...content: readonly string[]): string {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  for (const part of content) hash.update(part).update('\n');
  return `W/"${hash.digest('base64url').slice(0, 27)}"`;
}

/** Whether an `If-None-Match` header (a list, or `*`) names this tag. The comparison is the weak one (RFC 9110). */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return ifNoneMatch.match(/"[^"]*"/g)?.some((held) => held === opaque) ?? false;
}
