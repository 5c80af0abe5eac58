/** Securities with the names of their companies, stored three times: by ticker, by company, and by word of the name. */

import { compareText } from '../../contract/compare-text.ts';
import { nameWords } from '../../contract/identifiers.ts';
import { groupBy } from '../../platform/collections.ts';
import type { Company, CoverageState, Security } from './companies.ts';
import type { FormerNameRow } from './former-names.ts';
import { CIK, flag, integer, table, text, textOrNull } from './table.ts';

/** A security and the fields that every answer shows of its company. */
export interface Listing extends Security {
  readonly entityName: string;
  readonly companyCoverageState: CoverageState;
}

/** A row that is found by a prefix of a text. */
type Prefixed<Row> = Row & {
  /** A key made by `prefixKey`. */
  readonly prefix: number;
};

const SECURITY_COLUMNS = [
  text('ticker', 'ticker'),
  text('ticker_normalized', 'tickerNormalized'),
  text('exchange', 'exchange'),
  flag('is_primary', 'isPrimary'),
  flag('is_active', 'isActive'),
  text('coverage_state', 'coverageState'),
  text('entity_name', 'entityName'),
  text('company_coverage_state', 'companyCoverageState'),
] as const;

const PREFIX = integer('prefix', 'prefix');
/** Number of rows of a row group: questions need one security, or those whose tickers or names have the same prefix. */
const FEW = 256;

/** Sorted by the prefix of the normalized ticker, then ticker. */
export const LISTINGS_BY_TICKER = table<Prefixed<Listing>>()({
  name: 'listings_by_ticker',
  key: 'prefix',
  groupRows: FEW,
  columns: [PREFIX, CIK, ...SECURITY_COLUMNS],
});

/** Sorted by CIK, then ticker. */
export const LISTINGS_BY_COMPANY = table<Listing>()({
  name: 'listings_by_company',
  key: 'cik',
  columns: [CIK, ...SECURITY_COLUMNS],
});

export type NamedListing = Prefixed<Listing> & {
  readonly word: string;
  /** The former name that contains the word; null for the current name. */
  readonly formerName: string | null;
};

/**
 * A row for each word of each name of the company, as `nameWords` returns them. Sorted by the word's prefix, then
 * ticker.
 */
export const LISTINGS_BY_NAME = table<NamedListing>()({
  name: 'listings_by_name',
  key: 'prefix',
  groupRows: FEW,
  columns: [PREFIX, text('word', 'word'), textOrNull('former_name', 'formerName'), CIK, ...SECURITY_COLUMNS],
});

/** Number of characters of a text in its key: as many as an integer can hold. */
const KEY_LENGTH = 5;
const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** The code of all characters other than ASCII letters and digits; 0 means no character. */
const OTHER = DIGITS.length + 1;

/**
 * Returns the key of a text's first characters, ignoring case. Keys of texts with the same prefix are consecutive,
 * from the prefix's key to its key filled up with `last`; other texts may have the same keys.
 */
export function prefixKey(start: string, { last = false }: { readonly last?: boolean } = {}): number {
  let key = 0;
  for (let at = 0; at < KEY_LENGTH; at += 1) {
    const character = start[at];
    const digit = character === undefined ? -1 : DIGITS.indexOf(character.toLowerCase());
    key = key * (OTHER + 1) + (character === undefined ? (last ? OTHER : 0) : digit < 0 ? OTHER : digit + 1);
  }
  return key;
}

/** Returns a listing per security of these companies, sorted by ticker. */
export function listingsOf(companies: readonly Company[], securities: readonly Security[]): Listing[] {
  const companyOf = new Map(companies.map((company) => [company.cik, company]));
  return securities
    .flatMap(({ ticker, tickerNormalized, exchange, cik, isPrimary, isActive, coverageState }) => {
      const company = companyOf.get(cik);
      if (company === undefined) return [];
      const { entityName, coverageState: companyCoverageState } = company;
      const security = { ticker, tickerNormalized, exchange, cik, isPrimary, isActive, coverageState };
      return [{ ...security, entityName, companyCoverageState }];
    })
    .sort(byTicker);
}

/** Returns the rows of the three tables. */
export function listingRows(listings: readonly Listing[], formerNames: readonly FormerNameRow[]) {
  const namesOf = groupBy(formerNames, ({ cik }) => cik);
  const byPrefix = (a: Prefixed<Listing>, b: Prefixed<Listing>) => a.prefix - b.prefix || byTicker(a, b);
  return {
    byTicker: listings.map((row) => ({ prefix: prefixKey(row.tickerNormalized), ...row })).sort(byPrefix),
    byCompany: listings.toSorted((a, b) => a.cik - b.cik || byTicker(a, b)),
    // Sorting is stable: words keep the order of the names.
    byName: listings
      .flatMap((row) => {
        const former = (namesOf.get(row.cik) ?? []).map(({ name }) => name);
        return [null, ...former].flatMap((formerName) => wordRows(row, formerName));
      })
      .sort(byPrefix),
  };
}

function wordRows(row: Listing, formerName: string | null): NamedListing[] {
  const words = new Set(nameWords(formerName ?? row.entityName));
  return [...words].map((word) => ({ prefix: prefixKey(word), word, formerName, ...row }));
}

/** Compares listings in the order in which several matches are shown. */
export function byTicker(a: Pick<Security, 'ticker' | 'cik'>, b: Pick<Security, 'ticker' | 'cik'>): number {
  return compareText(a.ticker, b.ticker) || a.cik - b.cik;
}
