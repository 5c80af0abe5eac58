/** Weak entity tags: equal for answers with the same `data`, and the same `meta` but for the request id. */

/** @param content `data`, and `meta` without its request id, as JSON */
export function entityTag(...content: readonly string[]): string {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  for (const part of content) hash.update(part).update('\n');
  return `W/"${hash.digest('base64url').slice(0, 27)}"`;
}

/** Whether an `If-None-Match` header (a list, or `*`) names this tag, compared weakly (https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2). */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return ifNoneMatch.match(/"[^"]*"/g)?.some((listed) => listed === opaque) ?? false;
}
