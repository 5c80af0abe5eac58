/** NDJSON: one JSON object per line. Decimals are strings in responses and remain strings. */
import { makeFlatRows } from '../../result/result.ts';
import type { FlatValue } from '../../result/rows.ts';
import { sanitizeJson } from '../text/sanitize.ts';
import { type Renderer, type RenderTarget, writeLines } from './renderer.ts';

export const createNdjsonRenderer = (target: RenderTarget): Renderer => ({
  answer: (result) => {
    const { columns, rows } = makeFlatRows(result);
    const formatLine = createLineFormatter(columns);
    writeLines(target, rows, (values) => {
      const text = formatLine(values);
      return target.isTerminal ? sanitizeJson(text) : text;
    });
  },
  addFailure: () => undefined,
  end: () => undefined,
});

function createLineFormatter(columns: readonly string[]): (values: readonly FlatValue[]) => string {
  const prefixes = columns.map((name, index) => `${index === 0 ? '' : ','}${JSON.stringify(name)}:`);
  // Caches the previous row's cells, because many cells are equal in the next row (a company's name, for example).
  const previous: FlatValue[] = [];
  const cells: string[] = [];
  return (values) => {
    const entries = prefixes.reduce((text, name, index) => {
      const value = values[index] ?? null;
      if (value !== previous[index]) {
        previous[index] = value;
        cells[index] = name + encodeValue(value);
      }
      return text + cells[index];
    }, '');
    return `{${entries}}\n`;
  };
}

/** Matches text that is encoded by JSON.stringify: text with characters that need escapes, and any non-ASCII text. */
const ESCAPED_CHARACTER_PATTERN = /[^ !#-[\]-~]/;

/** Encodes a value as JSON. Text without escapes is only quoted, because `JSON.stringify` is slower. */
function encodeValue(value: FlatValue): string {
  if (typeof value !== 'string') return String(value);
  return ESCAPED_CHARACTER_PATTERN.test(value) ? JSON.stringify(value) : `"${value}"`;
}
