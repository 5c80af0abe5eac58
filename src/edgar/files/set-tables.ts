/** Recognizes the tables of financial statement data sets by the names of a zip's members. */
import { basename } from 'node:path';
import type { Archive } from './archive.ts';

const TABLE_FILE_PATTERN = /^(?:.*[-_])?(sub|num|dim)(?:-\w+)?\.(?:tsv|txt|csv)$/i;

/** Whether the zip contains the tables of a statement set. */
export function isStatementSet(archive: Archive): boolean {
  const names = new Set(archive.names.map(findTableName));
  return names.has('sub') && names.has('num');
}

/** Returns `sub`, `num` or `dim`; undefined for a member that is no such table. */
export const findTableName = (member: string): string | undefined =>
  TABLE_FILE_PATTERN.exec(basename(member))?.[1]?.toLowerCase();
