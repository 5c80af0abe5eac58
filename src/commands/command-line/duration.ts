/** Times as people write them: `500ms`, `30s`, `5m`, `2h`, `7d`; a bare number is seconds. */

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Milliseconds, or null where the text is no time. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d|w)?$/.exec(text.trim());
  if (match === null) return null;
  return Math.round(Number(match[1]) * (UNITS[match[2] ?? 's'] ?? 1000));
}
