/**
 * Tables for searches: securities with company names, stored three times (by ticker, by company, and by word of a
 * name), and names of segments and products in companies' reports, to find companies by their brands.
 */
import { compareText } from '../../contract/compare-text.ts';
import { splitNameIntoWords } from '../../contract/identifiers.ts';
import { groupBy } from '../../platform/collections.ts';
import { flag, integer, only, text } from './columns.ts';
import type { Company, CoverageState, FormerNameRow, Security } from './companies.ts';
import { CIK_COLUMN, declareTable, defineTable, type RowOf, TICKER_COLUMN } from './declare-table.ts';

/** A row that is looked up by the beginning of a text. */
type WithPrefix<Row> = Row & {
  /** The key of the text, as returned by `makePrefixKey`. */
  readonly prefix: number;
};

const SECURITY_COLUMNS = [
  text('ticker'),
  TICKER_COLUMN,
  text('exchange'),
  flag('is_primary'),
  flag('is_active'),
  only<CoverageState>()(text('coverage_state')),
  text('entity_name'),
  only<CoverageState>()(text('company_coverage_state')),
  flag('partial_facts?'),
] as const;

const PREFIX_COLUMN = integer('prefix');
/**
 * Number of rows of a row group: few, because a lookup needs one security, or the securities whose tickers or names
 * have the same prefix.
 */
const SMALL_GROUP_ROWS = 256;

/** Sorted by the prefix key of the normalized ticker, then ticker. */
export const LISTINGS_BY_TICKER = defineTable<WithPrefix<Listing>>()({
  name: 'listings_by_ticker',
  key: 'prefix',
  groupRows: SMALL_GROUP_ROWS,
  columns: [PREFIX_COLUMN, CIK_COLUMN, ...SECURITY_COLUMNS],
});

/** Sorted by CIK, then ticker. */
export const LISTINGS_BY_COMPANY = declareTable({
  name: 'listings_by_company',
  key: 'cik',
  columns: [CIK_COLUMN, ...SECURITY_COLUMNS],
});

/** A security, with the company fields shown in every response. */
export type Listing = RowOf<typeof LISTINGS_BY_COMPANY>;

type ListingWithNameWord = WithPrefix<Listing> & {
  readonly word: string;
  /** The former name that contains the row's word; null if the word is from the current name. */
  readonly formerName: string | null;
};

/**
 * For each security, one row for each word (`splitNameIntoWords`) of each current or former name of its company. Sorted
 * by the word's prefix key, then ticker.
 */
export const LISTINGS_BY_NAME = defineTable<ListingWithNameWord>()({
  name: 'listings_by_name',
  key: 'prefix',
  groupRows: SMALL_GROUP_ROWS,
  columns: [PREFIX_COLUMN, text('word'), text('former_name?'), CIK_COLUMN, ...SECURITY_COLUMNS],
});

/** Number of leading characters in a key, limited by the size of an integer. */
const PREFIX_KEY_LENGTH = 5;
const KEY_DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Digit for any character other than an ASCII letter or digit. The digit 0 means that the text is shorter. */
const OTHER_CHARACTER_DIGIT = KEY_DIGITS.length + 1;

/**
 * Returns the key of a text's first characters, case-insensitive. Texts that begin with `start` have keys from
 * `makePrefixKey(start)` to `makePrefixKey(start, { isLast: true })`. Other texts may have such keys, too.
 */
export function makePrefixKey(start: string, { isLast = false }: { readonly isLast?: boolean } = {}): number {
  let prefixKey = 0;
  for (let index = 0; index < PREFIX_KEY_LENGTH; index += 1) {
    const character = start[index];
    const digit = character === undefined ? -1 : KEY_DIGITS.indexOf(character.toLowerCase());
    prefixKey =
      prefixKey * (OTHER_CHARACTER_DIGIT + 1) +
      (character === undefined ? (isLast ? OTHER_CHARACTER_DIGIT : 0) : digit < 0 ? OTHER_CHARACTER_DIGIT : digit + 1);
  }
  return prefixKey;
}

/** Returns one listing per security of the companies, sorted by ticker. */
export function joinListings(companies: readonly Company[], securities: readonly Security[]): Listing[] {
  const byCik = new Map(companies.map((company) => [company.cik, company]));
  return securities
    .flatMap(({ ticker, tickerNormalized, exchange, cik, isPrimary, isActive, coverageState }) => {
      const company = byCik.get(cik);
      if (company === undefined) return [];
      const { entityName, coverageState: companyState, partialFacts } = company;
      const fields = { ticker, tickerNormalized, exchange, cik, isPrimary, isActive, coverageState };
      return [{ ...fields, entityName, companyCoverageState: companyState, partialFacts }];
    })
    .sort(compareByTicker);
}

/** Returns the rows of the three tables of listings. */
export function toListingRows(listings: readonly Listing[], formers: readonly FormerNameRow[]) {
  const byCik = groupBy(formers, ({ cik }) => cik);
  const compare = (a: WithPrefix<Listing>, b: WithPrefix<Listing>) => a.prefix - b.prefix || compareByTicker(a, b);
  return {
    byTicker: listings.map((row) => ({ prefix: makePrefixKey(row.tickerNormalized), ...row })).sort(compare),
    byCompany: listings.toSorted((a, b) => a.cik - b.cik || compareByTicker(a, b)),
    // Stable sorting keeps the words of a company in the order of its names.
    byName: listings
      .flatMap((row) => {
        const names = (byCik.get(row.cik) ?? []).map(({ name }) => name);
        return [null, ...names].flatMap((former) => toWordRows(row, former));
      })
      .sort(compare),
  };
}

function toWordRows(row: Listing, former: string | null): ListingWithNameWord[] {
  const words = new Set(splitNameIntoWords(former ?? row.entityName));
  return [...words].map((word) => ({ prefix: makePrefixKey(word), word, formerName: former, ...row }));
}

/** Compares by ticker, then CIK: the order of several matches in responses. */
export const compareByTicker = (a: Pick<Security, 'ticker' | 'cik'>, b: Pick<Security, 'ticker' | 'cik'>): number =>
  compareText(a.ticker, b.ticker) || a.cik - b.cik;

/** Minimum length of a stored word. A search for one or two letters would find too many words. */
export const MIN_BRAND_LENGTH = 3;

/** Number of rows of a row group: few, because a search needs only the words with one prefix. */
const BRAND_GROUP_ROWS = 1024;

/** Sorted by the word's prefix key, then CIK; the brands of a company are in the order of its segments. */
export const BRANDS = declareTable({
  name: 'brands',
  key: 'prefix',
  groupRows: BRAND_GROUP_ROWS,
  columns: [integer('prefix'), text('word'), text('brand?'), CIK_COLUMN],
});

export type BrandRow = RowOf<typeof BRANDS>;
