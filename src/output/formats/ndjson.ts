/** One JSON object a line. Decimals are strings on the wire and stay strings. */
import type { Value } from '../rows.ts';

export function ndjsonLine(columns: readonly string[], values: readonly Value[]): string {
  const entries = columns.map((name, index) => `${JSON.stringify(name)}:${JSON.stringify(values[index] ?? null)}`);
  return `{${entries.join(',')}}\n`;
}
