/** Tables of institutional holders (Form 13F). */
import type { Decimal } from '../../contract/decimal-text.ts';
import { CIK_COLUMN, defineTable, flag, integer, integerOrNull, text, textOrNull, type WithCik } from './table.ts';

/**
 * Summary of a manager's holdings at the end of a quarter. The accession number is that of the original report, or of
 * the restatement if one was filed.
 */
export interface HolderReportRow {
  readonly holderCik: number;
  readonly name: string;
  readonly period: string;
  readonly accession: string;
  readonly filed: string;
  readonly positions: number;
  readonly valueTotal: Decimal;
  readonly otherManagers: number;
  /**
   * The quarter of the manager's previous report, and the number of positions opened and closed since then. All three
   * are null if the manager has no previous report.
   */
  readonly priorPeriod: string | null;
  readonly opened: number | null;
  readonly closed: number | null;
}

/** Sorted by CIK of the manager, then quarter. */
export const HOLDER_REPORTS = defineTable<HolderReportRow>()({
  name: 'holder_reports',
  key: 'holderCik',
  columns: [
    integer('holder_cik', 'holderCik'),
    text('holder_name', 'name'),
    text('period', 'period'),
    text('accession_number', 'accession'),
    text('filed_at', 'filed'),
    integer('positions', 'positions'),
    text('value_total', 'valueTotal'),
    integer('other_managers', 'otherManagers'),
    textOrNull('prior_period', 'priorPeriod'),
    integerOrNull('opened', 'opened'),
    integerOrNull('closed', 'closed'),
  ],
});

/** One position in a manager's latest report, with its values in the previous report. */
export interface HolderPositionRow {
  readonly holderCik: number;
  readonly cusip: string;
  readonly issuer: string;
  readonly titleOfClass: string;
  readonly putCall: string;
  readonly amount: Decimal;
  readonly amountType: string;
  readonly value: Decimal;
  readonly weight: Decimal | null;
  readonly priorAmount: Decimal | null;
  readonly priorValue: Decimal | null;
  /**
   * CIK of the company and ticker of the security with this CUSIP; both are null if no listed security matches. For
   * notes, the company may be found by the first six characters of the CUSIP, and the ticker is empty.
   */
  readonly cik: number | null;
  readonly tickerNormalized: string | null;
}

/** Sorted by CIK of the manager, largest position first. */
export const HOLDER_POSITIONS = defineTable<HolderPositionRow>()({
  name: 'holder_positions',
  key: 'holderCik',
  columns: [
    integer('holder_cik', 'holderCik'),
    text('cusip', 'cusip'),
    text('issuer', 'issuer'),
    text('class', 'titleOfClass'),
    text('put_call', 'putCall'),
    text('amount', 'amount'),
    text('amount_type', 'amountType'),
    text('value', 'value'),
    textOrNull('weight', 'weight'),
    textOrNull('prior_amount', 'priorAmount'),
    textOrNull('prior_value', 'priorValue'),
    integerOrNull('cik', 'cik'),
    textOrNull('ticker_normalized', 'tickerNormalized'),
  ],
});

/**
 * One manager's holding of one security at the end of a quarter. For each company, the table has at most two
 * consecutive quarters, which need not be the latest; see `makeSecurityHolders`.
 */
export interface SecurityHolderRow {
  /** Empty for debt securities, which have no ticker. */
  readonly tickerNormalized: string;
  readonly period: string;
  readonly holderCik: number;
  readonly holderName: string;
  readonly accession: string;
  readonly filed: string;
  readonly amount: Decimal;
  readonly amountType: string;
  readonly value: Decimal;
  readonly weight: Decimal | null;
  /**
   * Whether the release contains the manager's report for the previous quarter (`priorKnown`) and for the next quarter
   * (`nextKnown`).
   */
  readonly priorKnown: boolean;
  readonly nextKnown: boolean;
}

/** Sorted by CIK, quarter, ticker, then value, largest first. */
export const SECURITY_HOLDERS = defineTable<WithCik<SecurityHolderRow>>()({
  name: 'security_holders',
  key: 'cik',
  columns: [
    CIK_COLUMN,
    text('ticker_normalized', 'tickerNormalized'),
    text('period', 'period'),
    integer('holder_cik', 'holderCik'),
    text('holder_name', 'holderName'),
    text('accession_number', 'accession'),
    text('filed_at', 'filed'),
    text('amount', 'amount'),
    text('amount_type', 'amountType'),
    text('value', 'value'),
    textOrNull('weight', 'weight'),
    flag('prior_known', 'priorKnown'),
    flag('next_known', 'nextKnown'),
  ],
});
