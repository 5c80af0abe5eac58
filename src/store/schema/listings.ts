/** Securities with the names of their companies, stored three times: by ticker, by company, and by word of the name. */

import { compareText } from '../../contract/compare-text.ts';
import { nameWords } from '../../contract/identifiers.ts';
import { groupBy } from '../../platform/collections.ts';
import type { Company, CoverageState, Security } from './companies.ts';
import type { FormerNameRow } from './former-names.ts';
import { CIK_COLUMN, flag, integer, table, text, textOrNull } from './table.ts';

/** A security and the fields that every answer shows of its company. */
export interface Listing extends Security {
  readonly entityName: string;
  readonly companyCoverageState: CoverageState;
}

/** A row that is found by a prefix of a text. */
type WithPrefix<Row> = Row & {
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

const PREFIX_COLUMN = integer('prefix', 'prefix');
/** Number of rows of a row group: questions need one security, or those whose tickers or names have the same prefix. */
const SMALL_GROUP_ROWS = 256;

/** Sorted by the prefix of the normalized ticker, then ticker. */
export const LISTINGS_BY_TICKER = table<WithPrefix<Listing>>()({
  name: 'listings_by_ticker',
  key: 'prefix',
  groupRows: SMALL_GROUP_ROWS,
  columns: [PREFIX_COLUMN, CIK_COLUMN, ...SECURITY_COLUMNS],
});

/** Sorted by CIK, then ticker. */
export const LISTINGS_BY_COMPANY = table<Listing>()({
  name: 'listings_by_company',
  key: 'cik',
  columns: [CIK_COLUMN, ...SECURITY_COLUMNS],
});

export type NamedListing = WithPrefix<Listing> & {
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
  groupRows: SMALL_GROUP_ROWS,
  columns: [
    PREFIX_COLUMN,
    text('word', 'word'),
    textOrNull('former_name', 'formerName'),
    CIK_COLUMN,
    ...SECURITY_COLUMNS,
  ],
});

/** Number of characters of a text in its key: as many as an integer can hold. */
const PREFIX_KEY_LENGTH = 5;
const KEY_DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** The code of all characters other than ASCII letters and digits; 0 means no character. */
const OTHER_CHARACTER_DIGIT = KEY_DIGITS.length + 1;

/**
 * Returns the key of a text's first characters, ignoring case. Keys of texts with the same prefix are consecutive,
 * from the prefix's key to its key filled up with `isLast`; other texts may have the same keys.
 */
export function prefixKey(start: string, { isLast = false }: { readonly isLast?: boolean } = {}): number {
  let key = 0;
  for (let index = 0; index < PREFIX_KEY_LENGTH; index += 1) {
    const character = start[index];
    const digit = character === undefined ? -1 : KEY_DIGITS.indexOf(character.toLowerCase());
    key =
      key * (OTHER_CHARACTER_DIGIT + 1) +
      (character === undefined ? (isLast ? OTHER_CHARACTER_DIGIT : 0) : digit < 0 ? OTHER_CHARACTER_DIGIT : digit + 1);
  }
  return key;
}

/** Returns a listing per security of these companies, sorted by ticker. */
export function listingsOf(companies: readonly Company[], securities: readonly Security[]): Listing[] {
  const companyByCik = new Map(companies.map((company) => [company.cik, company]));
  return securities
    .flatMap(({ ticker, tickerNormalized, exchange, cik, isPrimary, isActive, coverageState }) => {
      const company = companyByCik.get(cik);
      if (company === undefined) return [];
      const { entityName, coverageState: companyCoverageState } = company;
      const security = { ticker, tickerNormalized, exchange, cik, isPrimary, isActive, coverageState };
      return [{ ...security, entityName, companyCoverageState }];
    })
    .sort(compareByTicker);
}

/** Returns the rows of the three tables. */
export function listingRows(listings: readonly Listing[], formerNames: readonly FormerNameRow[]) {
  const formerNamesByCik = groupBy(formerNames, ({ cik }) => cik);
  const compareByPrefix = (a: WithPrefix<Listing>, b: WithPrefix<Listing>) =>
    a.prefix - b.prefix || compareByTicker(a, b);
  return {
    byTicker: listings.map((row) => ({ prefix: prefixKey(row.tickerNormalized), ...row })).sort(compareByPrefix),
    byCompany: listings.toSorted((a, b) => a.cik - b.cik || compareByTicker(a, b)),
    // Sorting is stable: words keep the order of the names.
    byName: listings
      .flatMap((row) => {
        const namesBefore = (formerNamesByCik.get(row.cik) ?? []).map(({ name }) => name);
        return [null, ...namesBefore].flatMap((formerName) => wordRows(row, formerName));
      })
      .sort(compareByPrefix),
  };
}

function wordRows(row: Listing, formerName: string | null): NamedListing[] {
  const words = new Set(nameWords(formerName ?? row.entityName));
  return [...words].map((word) => ({ prefix: prefixKey(word), word, formerName, ...row }));
}

/** Compares listings in the order in which several matches are shown. */
export function compareByTicker(a: Pick<Security, 'ticker' | 'cik'>, b: Pick<Security, 'ticker' | 'cik'>): number {
  return compareText(a.ticker, b.ticker) || a.cik - b.cik;
}
