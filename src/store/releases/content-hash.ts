/**
 * Computes the content hash in a release's stamp, from hashes of the tables' pages before compression. So the stamp
 * does not depend on the version of zlib, the number of workers, or the order in which companies are derived.
 */
import { sha256 } from '../../platform/builtins/loaded-on-use.ts';

/**
 * When adding a table or column, increase the minor number: releases stay compatible. When dropping, renaming, retyping
 * or redefining a table or column, increase the major number and reset the minor number.
 */
export const LAYOUT_VERSION = { major: 2, minor: 15 } as const;

/** Returns the major version of a manifest's layout, such as "2.15"; NaN if it has none. */
export const readMajorVersion = (layout: unknown): number =>
  typeof layout === 'number' ? layout : Number(/^(\d+)\.\d+$/.exec(String(layout))?.[1] ?? Number.NaN);

const STAMP_HASH_DIGITS = 12;

export function hashTables(
  tables: readonly (readonly [name: string, hash: string])[],
  layout = `${LAYOUT_VERSION.major}.${LAYOUT_VERSION.minor}`,
): string {
  const lines = [`layout ${layout}`, ...tables.map(([name, digest]) => `${name} ${digest}`)];
  return sha256(lines.map((line) => `${line}\n`).join(''));
}

export const formatStamp = (date: string, content: string): string => `${date}-${content.slice(0, STAMP_HASH_DIGITS)}`;

const STAMP_PATTERN = /^\d{4}-\d{2}-\d{2}-[0-9a-f]{12}$/;

/** Whether the text has the format of a stamp, and is therefore safe as a directory name. */
export const isStamp = (text: string): boolean => STAMP_PATTERN.test(text);
