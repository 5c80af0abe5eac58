/** The plain values of institutional holdings. */
import type { Decimal } from '../../contract/decimal-text.ts';

/** One line of a manager's information table as filed; `value` in the report's own unit, thousands or dollars. */
export interface HoldingLine {
  readonly issuer: string;
  readonly titleOfClass: string;
  /** Nine characters, upper case. */
  readonly cusip: string;
  readonly value: Decimal;
  readonly amount: Decimal;
  /** SH, shares, or PRN, principal. */
  readonly amountType: 'SH' | 'PRN';
  readonly putCall: '' | 'Put' | 'Call';
}

/** All lines of one report for the same security, added up; `value` in dollars. */
export interface Position extends HoldingLine {}

export interface Amendment {
  readonly number: number;
  /** Null where the manager left it blank. */
  readonly type: 'restatement' | 'new_holdings' | null;
}

/** What is needed of a report to know which of a manager's reports of a quarter count. */
export interface ReportFiling {
  readonly accession: string;
  readonly filed: string;
  /** 13F-HR, 13F-HR/A, 13F-NT or 13F-NT/A. */
  readonly form: string;
  /** Null on an original. */
  readonly amendment: Amendment | null;
  /** How many lines the summary page promises; null where it does not. */
  readonly entryTotal: number | null;
}
