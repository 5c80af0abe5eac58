/** The tables that every release has, and the version of their layout. */
import { COMPANIES, SECURITIES } from './companies.ts';
import { RAW_CONCEPTS, REPORTED_VALUES, SPLITS } from './reported-values.ts';
import { COVERAGE, SCREEN } from './screen.ts';
import type { Table } from './table.ts';

/**
 * Increase the minor number when adding a table or column: programs and releases of both versions stay compatible.
 * Increase the major number and reset the minor one when dropping, renaming, retyping or redefining one.
 */
export const LAYOUT = { major: 2, minor: 9 } as const;

/** In the order in which their contents are hashed. */
export const CORE_TABLES: readonly Table[] = [
  COMPANIES,
  SECURITIES,
  REPORTED_VALUES,
  SPLITS,
  RAW_CONCEPTS,
  SCREEN,
  COVERAGE,
];
