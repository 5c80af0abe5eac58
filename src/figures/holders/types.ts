/** The plain values of institutional holdings. */
import type { Decimal } from '../../contract/decimal.ts';

/** One line of a manager's table as filed; `value` in the report's own unit. */
export interface HoldingLine {
  readonly issuer: string;
  readonly titleOfClass: string;
  readonly cusip: string;
  readonly value: Decimal;
  readonly amount: Decimal;
  readonly amountType: 'SH' | 'PRN';
  readonly putCall: '' | 'Put' | 'Call';
}

/** All lines of one report for the same security, added up; `value` in dollars. */
export interface Position extends HoldingLine {}

/** What is needed of a report to know which of a manager's reports of a quarter count. */
export interface ReportFiling {
  readonly accession: string;
  readonly filed: string;
  readonly form: string;
  readonly amendment: { readonly number: number; readonly type: 'restatement' | 'new_holdings' | null } | null;
  readonly entryTotal: number | null;
}
