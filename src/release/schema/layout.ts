/** Which tables every release has, and the version of their layout. */
import { COMPANIES, SECURITIES } from './companies.ts';
import { COVERAGE } from './coverage.ts';
import { RAW_CONCEPTS } from './raw-concepts.ts';
import { REPORTED_VALUES } from './reported-values.ts';
import { SCREEN } from './screen.ts';
import { SPLITS } from './splits.ts';
import type { Table } from './table.ts';

/** Raised when a column is added, dropped or means something else: a reader refuses what it does not know. */
export const LAYOUT = 1;

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
