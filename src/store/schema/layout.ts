/** Lists the tables of releases: the tables of all releases, and the tables of optional families. */
import { COMPANIES, FORMER_NAMES, FORMER_TICKERS, SECURITIES } from './companies.ts';
import type { Table } from './declare-table.ts';
import { FILING_TABLES } from './filings.ts';
import { HOLDER_TABLES } from './holders.ts';
import { INSIDER_TABLES } from './insiders.ts';
import { PRICE_SOURCES, PRICES, SECURITIES_WITH_PRICES } from './prices.ts';
import { FACTS, RAW_CONCEPTS, REPORTED_VALUES, SPLITS } from './reported-values.ts';
import { COVERAGE, HISTORY_COMPANIES, HISTORY_PRICES, SCREEN, SCREEN_HISTORY } from './screen.ts';
import { FACT_LOCATIONS, SEGMENTS, TAGGED_REPORTS } from './segments.ts';

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

/** The tables of each family, in the order in which the release's hash covers the tables. */
export const TABLES_BY_FAMILY = {
  filings: FILING_TABLES,
  insiders: INSIDER_TABLES,
  segments: [TAGGED_REPORTS, SEGMENTS, FACT_LOCATIONS],
  prices: [PRICES, SECURITIES_WITH_PRICES, PRICE_SOURCES, FORMER_TICKERS],
  holders: HOLDER_TABLES,
  history: [SCREEN_HISTORY, HISTORY_PRICES, HISTORY_COMPANIES],
  facts: [FACTS],
} as const satisfies Readonly<Record<string, readonly Table[]>>;

export type TableFamilyName = keyof typeof TABLES_BY_FAMILY;

/** All tables. Former names are neither core nor of a family, because releases of earlier layouts lack them. */
export const ALL_TABLES: readonly Table[] = [...CORE_TABLES, FORMER_NAMES, ...Object.values(TABLES_BY_FAMILY).flat()];
