/** What one Form 13F says, whether it came as XML, as a full submission or in the quarterly data sets. */
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

export interface Amendment {
  readonly number: number;
  /** Null where the manager left it blank. */
  readonly type: 'restatement' | 'new_holdings' | null;
}

/** The cover and summary page. */
export interface ThirteenFReport {
  /** Null where the file does not say: the cover page names neither its accession nor its day of filing. */
  readonly accession: string | null;
  readonly filed: string | null;
  /** 13F-HR, 13F-HR/A, 13F-NT or 13F-NT/A. */
  readonly form: string;
  /** Null on an original. */
  readonly amendment: Amendment | null;
  /** How many lines the summary page promises; null where it does not. */
  readonly entryTotal: number | null;
  readonly cik: number;
  readonly managerName: string;
  /** The end of the quarter reported on. */
  readonly period: string;
  /** Managers included in this report besides the one that files it. */
  readonly otherManagers: number;
  /** What the summary page promises of the table's values; null where it does not. */
  readonly valueTotal: Decimal | null;
}

/** A report whose accession number and day of filing are known. */
export interface FiledThirteenF extends ThirteenFReport {
  readonly accession: string;
  readonly filed: string;
}

/** Cells of a cover as the file has them, whatever the file. */
export interface CoverText {
  readonly accession: string | null;
  readonly filed: string | null;
  readonly cik: string;
  readonly managerName: string;
  readonly form: string;
  readonly period: string | null;
  readonly isAmendment: string;
  readonly amendmentNumber: string;
  readonly amendmentType: string;
  readonly otherManagers: string;
  readonly entryTotal: string;
  readonly valueTotal: string;
}

/** Cells of a table line as the file has them. */
export type RowText = Readonly<Record<keyof HoldingLine, string>>;
