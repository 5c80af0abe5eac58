/** Tables of insider trades: filings by company, and tables for requests across all companies. */
import type { Footnote, Owner } from '../../edgar/insiders/ownership-document.ts';
import type { JudgedTrade } from '../../ownership/insiders/judge.ts';
import { day, decimal, flag, integer, only, text } from './columns.ts';
import type { RowOf, Table, WithCik } from './declare-table.ts';
import { ACCESSION_COLUMN, CIK_COLUMN, declareTable, defineTable, FORM_COLUMN } from './declare-table.ts';

/** Number of rows of a row group: few, because a question reads the filings of only one company. */
const SMALL_GROUP_ROWS = 256;

/** Filings that report a purchase or sale and are not replaced by an amendment. Sorted by CIK, latest first. */
export const INSIDER_FILINGS = declareTable({
  name: 'insider_filings',
  typed: {
    about: 'Forms 4 and 5 that report a purchase or sale, without those that an amendment replaced.',
    order: 'cik, latest filing first',
  },
  key: 'cik',
  groupRows: SMALL_GROUP_ROWS,
  columns: [
    CIK_COLUMN,
    ACCESSION_COLUMN,
    FORM_COLUMN,
    day('filed_at?', 'Date the filing was filed; null if unknown', { field: 'filed' }),
    day('period_of_report?', 'Date of the earliest transaction'),
    flag(
      'aff10b5_one?',
      'Whether the form indicates a trading plan under Rule 10b5-1(c); null if the form has no such box',
    ),
  ],
});

export type InsiderFilingRow = RowOf<typeof INSIDER_FILINGS>;

type WithCikAndAccession<Row> = WithCik<Row> & { readonly accession: string };

export type InsiderOwnerRow = WithCikAndAccession<Omit<Owner, 'cik'> & { readonly ownerCik: number }>;

/** Reporting owners, in the order of the filing. */
export const INSIDER_OWNERS = defineTable<InsiderOwnerRow>()({
  name: 'insider_owners',
  typed: {
    about: 'Reporting owners of the filings in insider_filings: one row for each owner named in a filing.',
    order: 'cik, then filing',
  },
  key: 'cik',
  groupRows: SMALL_GROUP_ROWS,
  columns: [
    CIK_COLUMN,
    ACCESSION_COLUMN,
    integer('owner_cik', 'Central Index Key of the owner'),
    text('name', 'Name of the owner', { typedName: 'owner_name' }),
    flag('is_director', 'Whether the owner is a director'),
    flag('is_officer', 'Whether the owner is an officer'),
    flag('is_ten_percent_owner', 'Whether the owner holds more than ten percent of a class of the securities'),
    flag(
      'is_other',
      'Whether the form marks the box "Other": a relationship that is not director, officer or ten percent owner',
    ),
    text('officer_title?', "Officer's title"),
    text('other_text?', 'Description of the relationship, if the box "Other" is marked'),
  ],
});

export type InsiderTradeRow = WithCikAndAccession<Omit<JudgedTrade, 'footnoteIds'> & { readonly footnoteIds: string }>;

export const INSIDER_TRADES = defineTable<InsiderTradeRow>()({
  name: 'insider_trades',
  typed: {
    about:
      "Purchases and sales of non-derivative securities. To add them up as fin does, select value_status = 'counted' AND NOT repeated.",
    order: 'cik, then filing',
  },
  key: 'cik',
  groupRows: SMALL_GROUP_ROWS,
  columns: [
    CIK_COLUMN,
    ACCESSION_COLUMN,
    integer('ordinal', 'Position among the non-derivative transactions of the filing, from 1'),
    text('security_title', 'Title of the security'),
    text('transaction_code', 'P: purchase. S: sale', { field: 'code' }),
    day('transaction_date?', 'Date of the trade', { field: 'day' }),
    decimal('shares?', 'Number of shares traded'),
    decimal('price_per_share?', 'Price per share in US dollars', { field: 'price' }),
    text('acquired_disposed_code?', 'A: acquired. D: disposed of. As filed', { field: 'acquiredDisposed' }),
    decimal('shares_owned_following?', 'Number of shares owned after the trade', { field: 'ownedFollowing' }),
    text('direct_indirect_ownership?', 'D: owned directly. I: owned indirectly', { field: 'directIndirect' }),
    text('nature_of_ownership?', 'Nature of indirect ownership'),
    text('footnote_ids', 'Ids of footnotes in the filing, separated by commas'),
    text(
      'value_status',
      'counted (the value is usable); suspect (the price, number of shares or date is missing or cannot be right); not_equity (the security is not common equity)',
      { field: 'status' },
    ),
    decimal('transaction_value?', 'Number of shares times price, in US dollars', { field: 'value' }),
    flag('repeated', 'Whether an earlier filing reports the same trade'),
  ],
});

export type FootnoteRow = WithCikAndAccession<Footnote>;

export const INSIDER_FOOTNOTES = defineTable<FootnoteRow>()({
  name: 'insider_footnotes',
  key: 'cik',
  groupRows: SMALL_GROUP_ROWS,
  columns: [CIK_COLUMN, ACCESSION_COLUMN, text('id'), text('text')],
});

export type WithFiledDay<Row> = Row & {
  /** Filing date as days since 1970-01-01. */
  readonly filedDay: number;
};

/**
 * Declares a copy of a table with the rows of the latest days, sorted by filing date, for requests without a company.
 */
const declareRecentTable = <Row>({ name, columns }: Table<Row>): Table<WithFiledDay<Row>> => ({
  name: `recent_${name}`,
  key: 'filedDay',
  groupRows: SMALL_GROUP_ROWS,
  columns: [integer('filed_day'), ...columns],
});

export const RECENT_FILINGS = declareRecentTable(INSIDER_FILINGS);
export const RECENT_OWNERS = declareRecentTable(INSIDER_OWNERS);
export const RECENT_TRADES = declareRecentTable(INSIDER_TRADES);
export const RECENT_FOOTNOTES = declareRecentTable(INSIDER_FOOTNOTES);

/** Insider filings of all companies, sorted by filing date, then accession number. */
export const INSIDER_DAY_FILINGS = declareTable({
  name: 'insider_day_filings',
  key: 'day',
  columns: [
    // Filing date as days since 1970-01-01; 0 if unknown.
    integer('day'),
    CIK_COLUMN,
    ACCESSION_COLUMN,
    integer('purchases'),
    integer('sales'),
    day('last_purchase?'),
    day('last_sale?'),
  ],
});

export type InsiderDayFiling = RowOf<typeof INSIDER_DAY_FILINGS>;

const CODE_COLUMN = only<'P' | 'S'>()(text('transaction_code', { field: 'code' }));

/** Totals of all trades by trade date and code: purchase or sale. */
export const INSIDER_TOTALS = declareTable({
  name: 'insider_totals',
  key: null,
  columns: [
    // Trade date; null if missing.
    day('date?'),
    CODE_COLUMN,
    integer('transactions'),
    // Number of trades whose value is not part of `value`, because it is suspect or the security is not equity.
    integer('uncounted'),
    // Total value of the counted trades in dollars.
    decimal('value'),
  ],
});

export type InsiderTotalsRow = RowOf<typeof INSIDER_TOTALS>;

/** One row per filing date of trades, in chronological order. */
export const INSIDER_DAYS = declareTable({
  name: 'insider_days',
  key: null,
  columns: [
    day('date'),
    // Number of filings with a purchase.
    integer('purchases'),
    // Number of filings with a sale.
    integer('sales'),
    decimal('purchase_value'),
    decimal('sale_value'),
    // Latest trade date in the day's filings.
    day('last_trade?'),
  ],
});

export type InsiderDayTotals = RowOf<typeof INSIDER_DAYS>;

/**
 * The largest purchases and sales of each filing date, largest first. A row adds up one filing's purchases, or its
 * sales, without uncounted trades (`InsiderTotalsRow`).
 */
export const LARGEST_TRADES = declareTable({
  name: 'insider_largest',
  key: 'day',
  columns: [
    integer('day'),
    CIK_COLUMN,
    ACCESSION_COLUMN,
    CODE_COLUMN,
    decimal('shares'),
    decimal('value'),
    text('owner_name'),
    text('officer_title?'),
    flag('is_director'),
    flag('is_officer'),
    flag('is_ten_percent_owner'),
  ],
});

export type LargestTrade = RowOf<typeof LARGEST_TRADES>;

export const INSIDER_TABLES: readonly Table[] = [
  INSIDER_FILINGS,
  INSIDER_OWNERS,
  INSIDER_TRADES,
  INSIDER_FOOTNOTES,
  INSIDER_DAY_FILINGS,
  INSIDER_TOTALS,
  INSIDER_DAYS,
  LARGEST_TRADES,
];
