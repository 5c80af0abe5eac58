/** What one Form 13F says, whether it came as XML, as a full submission or in the quarterly data sets. */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { HoldingLine, ReportFiling } from '../../figures/holders/types.ts';

/** The cover and summary page. */
export interface ThirteenFReport extends Omit<ReportFiling, 'accession' | 'filed'> {
  /** Null where the file does not say: the cover page names neither its accession nor its day of filing. */
  readonly accession: string | null;
  readonly filed: string | null;
  readonly cik: number;
  readonly managerName: string;
  /** The end of the quarter reported on. */
  readonly period: string;
  /** Managers included in this report besides the one that files it. */
  readonly otherManagers: number;
  /** What the summary page promises of the table's values; null where it does not. */
  readonly valueTotal: Decimal | null;
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
