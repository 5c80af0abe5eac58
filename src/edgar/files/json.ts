/** Access to parsed JSON of unknown shape. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text; null where the value is missing, empty or not text. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The CIK that a number, or text with or without leading zeros, stands for; null when it is none. */
export function cikOf(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,10}$/.test(text)) return null;
  const cik = Number(text);
  return cik > 0 ? cik : null;
}
