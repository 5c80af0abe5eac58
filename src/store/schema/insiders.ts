/** Tables of insider trades: filings by company, and tables for requests across all companies. */
import type { Footnote, Owner } from '../../edgar/insiders/ownership-document.ts';
import type { JudgedTrade } from '../../ownership/insiders/judge.ts';
import {
  CIK_COLUMN,
  defineTable,
  flag,
  flagOrNull,
  integer,
  type Table,
  text,
  textOrNull,
  type WithCik,
} from './table.ts';

const ACCESSION_COLUMN = text('accession_number', 'accession');

/** Row groups are small, because a company has only a few filings per quarter. */
const SMALL_GROUP_ROWS = 256;

export interface InsiderFilingRow {
  readonly cik: number;
  readonly accession: string;
  readonly form: string;
  readonly filed: string | null;
  readonly periodOfReport: string | null;
  readonly aff10b5One: boolean | null;
}

/** Filings that report a purchase or sale and are not replaced by an amendment. Sorted by CIK, latest first. */
export const INSIDER_FILINGS = defineTable<InsiderFilingRow>()({
  name: 'insider_filings',
  key: 'cik',
  groupRows: SMALL_GROUP_ROWS,
  columns: [
    CIK_COLUMN,
    ACCESSION_COLUMN,
    text('form', 'form'),
    textOrNull('filed_at', 'filed'),
    textOrNull('period_of_report', 'periodOfReport'),
    flagOrNull('aff10b5_one', 'aff10b5One'),
  ],
});

type WithCikAndAccession<Row> = WithCik<Row> & { readonly accession: string };

export type InsiderOwnerRow = WithCikAndAccession<Omit<Owner, 'cik'> & { readonly ownerCik: number }>;

/** Reporting owners, in the order of the filing. */
export const INSIDER_OWNERS = defineTable<InsiderOwnerRow>()({
  name: 'insider_owners',
  key: 'cik',
  groupRows: SMALL_GROUP_ROWS,
  columns: [
    CIK_COLUMN,
    ACCESSION_COLUMN,
    integer('owner_cik', 'ownerCik'),
    text('name', 'name'),
    flag('is_director', 'isDirector'),
    flag('is_officer', 'isOfficer'),
    flag('is_ten_percent_owner', 'isTenPercentOwner'),
    flag('is_other', 'isOther'),
    textOrNull('officer_title', 'officerTitle'),
    textOrNull('other_text', 'otherText'),
  ],
});

export type InsiderTradeRow = WithCikAndAccession<Omit<JudgedTrade, 'footnoteIds'> & { readonly footnoteIds: string }>;

export const INSIDER_TRADES = defineTable<InsiderTradeRow>()({
  name: 'insider_trades',
  key: 'cik',
  groupRows: SMALL_GROUP_ROWS,
  columns: [
    CIK_COLUMN,
    ACCESSION_COLUMN,
    integer('ordinal', 'ordinal'),
    text('security_title', 'securityTitle'),
    text('transaction_code', 'code'),
    textOrNull('transaction_date', 'day'),
    textOrNull('shares', 'shares'),
    textOrNull('price_per_share', 'price'),
    textOrNull('acquired_disposed_code', 'acquiredDisposed'),
    textOrNull('shares_owned_following', 'ownedFollowing'),
    textOrNull('direct_indirect_ownership', 'directIndirect'),
    textOrNull('nature_of_ownership', 'natureOfOwnership'),
    text('footnote_ids', 'footnoteIds'),
    text('value_status', 'status'),
    textOrNull('transaction_value', 'value'),
    flag('repeated', 'repeated'),
  ],
});

export type InsiderFootnoteRow = WithCikAndAccession<Footnote>;

export const INSIDER_FOOTNOTES = defineTable<InsiderFootnoteRow>()({
  name: 'insider_footnotes',
  key: 'cik',
  groupRows: SMALL_GROUP_ROWS,
  columns: [CIK_COLUMN, ACCESSION_COLUMN, text('id', 'id'), text('text', 'text')],
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
  columns: [integer('filed_day', 'filedDay'), ...columns],
});

export const RECENT_INSIDER_FILINGS = declareRecentTable(INSIDER_FILINGS);
export const RECENT_INSIDER_OWNERS = declareRecentTable(INSIDER_OWNERS);
export const RECENT_INSIDER_TRADES = declareRecentTable(INSIDER_TRADES);
export const RECENT_INSIDER_FOOTNOTES = declareRecentTable(INSIDER_FOOTNOTES);

export interface InsiderDayFiling {
  /** Filing date as days since 1970-01-01; 0 if unknown. */
  readonly day: number;
  readonly cik: number;
  readonly accession: string;
  readonly purchases: number;
  readonly sales: number;
  /** Dates of the filing's latest purchase (`lastPurchase`) and latest sale (`lastSale`); null without such a trade. */
  readonly lastPurchase: string | null;
  readonly lastSale: string | null;
}

/** Insider filings of all companies, sorted by filing date, then accession number. */
export const INSIDER_DAY_FILINGS = defineTable<InsiderDayFiling>()({
  name: 'insider_day_filings',
  key: 'day',
  columns: [
    integer('day', 'day'),
    CIK_COLUMN,
    ACCESSION_COLUMN,
    integer('purchases', 'purchases'),
    integer('sales', 'sales'),
    textOrNull('last_purchase', 'lastPurchase'),
    textOrNull('last_sale', 'lastSale'),
  ],
});

export interface InsiderTotalsRow {
  /** Trade date; null if missing. */
  readonly date: string | null;
  readonly code: 'P' | 'S';
  readonly transactions: number;
  /** Number of trades whose value is not part of `value`, because it is suspect or the security is not equity. */
  readonly uncounted: number;
  /** Total value of the counted trades in dollars. */
  readonly value: string;
}

/** Totals of all trades by trade date and code: purchase or sale. */
export const INSIDER_TOTALS = defineTable<InsiderTotalsRow>()({
  name: 'insider_totals',
  key: null,
  columns: [
    textOrNull('date', 'date'),
    text('transaction_code', 'code'),
    integer('transactions', 'transactions'),
    integer('uncounted', 'uncounted'),
    text('value', 'value'),
  ],
});

export interface InsiderDayTotals {
  readonly date: string;
  /** Number of filings with a purchase (`purchases`), and number of filings with a sale (`sales`). */
  readonly purchases: number;
  readonly sales: number;
  readonly purchaseValue: string;
  readonly saleValue: string;
  /** Latest trade date in the day's filings. */
  readonly lastTrade: string | null;
}

/** One row per filing date of trades, in chronological order. */
export const INSIDER_DAYS = defineTable<InsiderDayTotals>()({
  name: 'insider_days',
  key: null,
  columns: [
    text('date', 'date'),
    integer('purchases', 'purchases'),
    integer('sales', 'sales'),
    text('purchase_value', 'purchaseValue'),
    text('sale_value', 'saleValue'),
    textOrNull('last_trade', 'lastTrade'),
  ],
});

export interface LargestTrade {
  readonly day: number;
  readonly cik: number;
  readonly accession: string;
  readonly code: 'P' | 'S';
  readonly shares: string;
  readonly value: string;
  readonly ownerName: string;
  readonly officerTitle: string | null;
  readonly isDirector: boolean;
  readonly isOfficer: boolean;
  readonly isTenPercentOwner: boolean;
}

/**
 * The largest purchases and sales of each filing date, largest first. A row adds up one filing's purchases, or its
 * sales, without uncounted trades (`InsiderTotalsRow`).
 */
export const INSIDER_LARGEST_TRADES = defineTable<LargestTrade>()({
  name: 'insider_largest',
  key: 'day',
  columns: [
    integer('day', 'day'),
    CIK_COLUMN,
    ACCESSION_COLUMN,
    text('transaction_code', 'code'),
    text('shares', 'shares'),
    text('value', 'value'),
    text('owner_name', 'ownerName'),
    textOrNull('officer_title', 'officerTitle'),
    flag('is_director', 'isDirector'),
    flag('is_officer', 'isOfficer'),
    flag('is_ten_percent_owner', 'isTenPercentOwner'),
  ],
});

export const INSIDER_TABLES: readonly Table[] = [
  INSIDER_FILINGS,
  INSIDER_OWNERS,
  INSIDER_TRADES,
  INSIDER_FOOTNOTES,
  INSIDER_DAY_FILINGS,
  INSIDER_TOTALS,
  INSIDER_DAYS,
  INSIDER_LARGEST_TRADES,
];
