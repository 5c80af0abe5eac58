/** Optional tables, grouped by family: a release may lack all tables of a family. */
import { FACTS } from './facts.ts';
import { FILING_TABLES } from './filings.ts';
import { FORMER_TICKERS } from './former-names.ts';
import { HOLDER_POSITIONS, HOLDER_REPORTS, SECURITY_HOLDERS } from './holders.ts';
import { INSIDER_TABLES } from './insiders.ts';
import { PRICE_SOURCES, PRICES, SECURITIES_WITH_PRICES } from './prices.ts';
import { HISTORY_COMPANIES, HISTORY_PRICES, SCREEN_HISTORY } from './screen-history.ts';
import { FACT_LOCATIONS, SEGMENTS, TAGGED_REPORTS } from './segments.ts';
import type { Table } from './table.ts';

/** The tables of each family, in the order in which the release's hash covers the tables. */
export const TABLES_BY_FAMILY = {
  filings: FILING_TABLES,
  insiders: INSIDER_TABLES,
  segments: [TAGGED_REPORTS, SEGMENTS, FACT_LOCATIONS],
  prices: [PRICES, SECURITIES_WITH_PRICES, PRICE_SOURCES, FORMER_TICKERS],
  holders: [HOLDER_REPORTS, HOLDER_POSITIONS, SECURITY_HOLDERS],
  history: [SCREEN_HISTORY, HISTORY_PRICES, HISTORY_COMPANIES],
  facts: [FACTS],
} as const satisfies Readonly<Record<string, readonly Table[]>>;

export type TableFamilyName = keyof typeof TABLES_BY_FAMILY;
