/** Which tables every release has, and the version of their layout. */
import { COMPANIES, SECURITIES } from './companies.ts';
import { RAW_CONCEPTS, REPORTED_VALUES, SPLITS } from './reported-values.ts';
import { COVERAGE, SCREEN } from './screen.ts';
import type { Table } from './table.ts';

/**
 * Raise the minor number when a table or column is added: releases of either side stay readable. Raise the major
 * number, and begin again with minor 0, when one is dropped, renamed, retyped or means something else.
 */
export const LAYOUT = { major: 2, minor: 7 } as const;

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
