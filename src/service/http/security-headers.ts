/** Headers that keep a JSON answer from being anything else in a browser. There are none that open it to other origins. */
const ALWAYS = [
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['cross-origin-resource-policy', 'same-origin'],
  ['referrer-policy', 'no-referrer'],
].flat();

const OVER_TLS = [...ALWAYS, 'strict-transport-security', 'max-age=31536000'];

/** Name after name and value after value. A 304 carries exactly what choices.md lists, and so none of these. */
export function securityHeaders(status: number, secure: boolean): readonly string[] {
  if (status === 304) return [];
  return secure ? OVER_TLS : ALWAYS;
}
