/**
 * The hash that makes a release's stamp: over the contents of the rows, not over how they are stored.
 *
 * A company's rows of a table are hashed as the JSON of their columns; the table's hash runs over these in
 * order of cik; the release's hash over its tables. So compression, worker count, and the order in which
 * companies were finished leave no trace in it.
 */
import { createHash, hash } from 'node:crypto';
import { LAYOUT } from '../schema/layout.ts';
import type { Cell } from '../schema/table.ts';

const STAMP_DIGITS = 12;

export function hashColumns(columns: readonly (readonly Cell[])[]): string {
  return hash('sha256', JSON.stringify(columns), 'hex');
}

/** What a table's hash takes of one key: the hash of its rows. */
export function hashLine(key: number, rows: string): string {
  return `${key} ${rows}\n`;
}

/** Takes the lines of a table's keys, in order. */
export class TableHash {
  readonly #hash = createHash('sha256');

  add(lines: string): void {
    this.#hash.update(lines);
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}

export function hashTables(
  tables: readonly (readonly [name: string, hash: string])[],
  layout = `${LAYOUT.major}.${LAYOUT.minor}`,
): string {
  const lines = [`layout ${layout}`, ...tables.map(([name, digest]) => `${name} ${digest}`)];
  return hash('sha256', lines.map((line) => `${line}\n`).join(''), 'hex');
}

export function stampOf(date: string, contentHash: string): string {
  return `${date}-${contentHash.slice(0, STAMP_DIGITS)}`;
}

const STAMP = /^\d{4}-\d{2}-\d{2}-[0-9a-f]{12}$/;

/** Whether a text has the form of a stamp, and so is safe as the name of a directory. */
export function isStamp(text: string): boolean {
  return STAMP.test(text);
}
