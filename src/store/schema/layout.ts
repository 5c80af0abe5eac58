/** The tables that all releases have, and the version of the layout of all tables. */
import { COMPANIES, SECURITIES } from './companies.ts';
import { RAW_CONCEPTS, REPORTED_VALUES, SPLITS } from './reported-values.ts';
import { COVERAGE, SCREEN } from './screen.ts';
import type { Table } from './table.ts';

/**
 * When adding a table or column, increase the minor number: releases stay compatible. When dropping, renaming, retyping
 * or redefining a table or column, increase the major number and reset the minor number.
 */
export const LAYOUT_VERSION = { major: 2, minor: 13 } as const;

/** The tables of every release, in the order in which the release's hash covers the tables. */
export const CORE_TABLES: readonly Table[] = [
  COMPANIES,
  SECURITIES,
  REPORTED_VALUES,
  SPLITS,
  RAW_CONCEPTS,
  SCREEN,
  COVERAGE,
];
