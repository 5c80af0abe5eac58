/** Defines the records of Form 13F, and makes them from the text of cells, whatever the file format. */

import { type Decimal, parseDecimal } from '../../contract/decimal-text.ts';
import { collapseSpaces, toCik } from '../files/fields.ts';
import type { SkippedRowCounts } from '../files/skipped-rows.ts';

/** One line of a manager's information table. `value` is as filed, in dollars or thousands. */
export interface HoldingLine {
  readonly issuer: string;
  readonly titleOfClass: string;
  /** CUSIP: nine characters in upper case. */
  readonly cusip: string;
  readonly value: Decimal;
  readonly amount: Decimal;
  /** SH: shares. PRN: principal amount. */
  readonly amountType: 'SH' | 'PRN';
  readonly putCall: '' | 'Put' | 'Call';
}

/** A row of an information table: a position, a placeholder that states that nothing is held, or an unreadable row. */
export type TableRow = HoldingLine | 'placeholder' | 'unreadable';

/** A report's cover page and summary page. */
export type ThirteenFReport = Exclude<ReturnType<typeof parseReportCells>, string>;

/** A report whose accession number and filing date are known. */
export interface FiledThirteenF extends ThirteenFReport {
  readonly accession: string;
  readonly filed: string;
}

/** The text of a cell, or null or undefined if the file lacks the cell. */
type CellText = string | null | undefined;

/** Text of the cells of a report's cover page and summary page, unvalidated. */
interface CoverCells {
  readonly accession: string | null;
  readonly filed: string | null;
  readonly cik: CellText;
  readonly managerName: CellText;
  readonly form: CellText;
  readonly period: string | null;
  readonly isAmendment: CellText;
  readonly amendmentNumber: CellText;
  readonly amendmentType: CellText;
  readonly otherManagerCount: CellText;
  readonly reportedBy: readonly { readonly cik: CellText; readonly name: CellText }[];
  readonly entryTotal: CellText;
  readonly valueTotal: CellText;
}

/** Text of the cells of a table line, unvalidated. */
type LineCells = Readonly<Record<keyof HoldingLine, string>>;

const THIRTEEN_F_FORMS: ReadonlySet<string> = new Set(['13F-HR', '13F-HR/A', '13F-NT', '13F-NT/A']);

/** Returns the report, or the reason why the cells are invalid. */
export function parseReportCells(cells: CoverCells) {
  const cik = toCik(cells.cik);
  if (cik === null) return 'a 13F report without a valid CIK of the manager';
  if (cells.period === null) return 'a 13F report without a valid quarter';
  const form = cells.form?.toUpperCase();
  if (form === undefined || !THIRTEEN_F_FORMS.has(form))
    return `a 13F report of the unexpected form ${JSON.stringify((cells.form || '').slice(0, 20))}`;
  return {
    /** Null if unknown: a cover page contains neither accession number nor filing date. */
    accession: cells.accession,
    filed: cells.filed,
    cik,
    managerName: cells.managerName?.replace(/\s+/g, ' ').trim() || `CIK ${cik}`,
    form,
    /** The end of the reported quarter. */
    period: cells.period,
    /** Null for an original report. */
    amendment: readAmendment(form, cells),
    /** Number of other managers that this report includes. */
    otherManagerCount: parseCount(cells.otherManagerCount) ?? 0,
    /**
     * Managers whose reports have positions of this manager: all positions for a notice, some for a combination report.
     */
    reportedBy: cells.reportedBy.flatMap(readOtherManager),
    /** Number of table lines, from the summary page; null if missing. */
    entryTotal: parseCount(cells.entryTotal),
    valueTotal: cells.valueTotal ? parseDecimal(cells.valueTotal) : null,
  };
}

/** Returns no manager if the cells have neither a CIK nor a name. */
function readOtherManager({ cik, name }: CoverCells['reportedBy'][number]) {
  const number = toCik(cik);
  const text = collapseSpaces(name ?? '');
  if (number === null && text === '') return [];
  return [{ cik: number, name: text || `CIK ${number}` }];
}

/** Returns the row; counts the reason of an unreadable row. */
export function readTableRow(cells: LineCells, skipped: SkippedRowCounts): TableRow {
  if (isPlaceholder(cells)) return 'placeholder';
  const line = parseLineCells(cells);
  if (typeof line !== 'string') return line;
  skipped.add(line);
  return 'unreadable';
}

/**
 * Whether the cells state that nothing is held: many managers file no empty table, but a row whose amount and value are
 * zero, with a placeholder for the CUSIP or the issuer.
 */
const isPlaceholder = ({ issuer, cusip, value, amount }: LineCells): boolean =>
  ZERO_PATTERN.test(value) && ZERO_PATTERN.test(amount) && [issuer, cusip].some(isPlaceholderText);

const ZERO_PATTERN = /^\s*0+(?:\.0*)?\s*$/;

/** Whether the text is empty, one repeated character such as in 000000000, or "none" or a synonym of it. */
const isPlaceholderText = (text: string): boolean => {
  const letters = text.toLowerCase().replace(/[^a-z0-9]/g, '');
  return (
    /^(.?)\1*$/.test(letters) ||
    /^0*(?:none|na|nil|null|nothing)(?:toreport|held)?$/.test(letters) ||
    NOTHING_PATTERN.test(letters)
  );
};

const NOTHING_PATTERN = /^(?:notapplicable|no(?:reportable)?(?:13f)?(?:holdings?|positions?|securities))$/;

/** Returns the line, or the reason why the cells are invalid. */
function parseLineCells(cells: LineCells): HoldingLine | string {
  const cusip = parseCusip(cells.cusip);
  if (cusip === null) return 'a 13F position without a valid CUSIP';
  const value = parseDecimal(cells.value);
  const amount = parseDecimal(cells.amount);
  if (value === null || amount === null) return 'a 13F position without a valid value or amount (shares or principal)';
  if (value.startsWith('-') || amount.startsWith('-'))
    return 'a 13F position with a negative value or amount (shares or principal)';
  const amountType = cells.amountType.toUpperCase();
  if (amountType !== 'SH' && amountType !== 'PRN') return 'a 13F position whose amount type is unknown';
  const putCall = parsePutCall(cells.putCall);
  if (putCall === null) return 'a 13F option that is neither a put nor a call';
  return {
    issuer: collapseSpaces(cells.issuer),
    titleOfClass: collapseSpaces(cells.titleOfClass),
    cusip,
    value,
    amount,
    amountType,
    putCall,
  };
}

function readAmendment(form: string, cells: CoverCells) {
  // Some amendments leave the flag blank, as originals do, but their form ends in /A.
  if (!form.endsWith('/A') && !/^(y|yes|true|1)$/i.test(cells.isAmendment || '')) return null;
  const type = cells.amendmentType?.toUpperCase();
  return {
    number: parseCount(cells.amendmentNumber) ?? 0,
    /** Null if the manager did not state the type. */
    type:
      type === 'RESTATEMENT' ? ('restatement' as const) : type === 'NEW HOLDINGS' ? ('new_holdings' as const) : null,
  };
}

/** Returns the CUSIP in upper case with nine characters; null if the text is not a CUSIP. */
function parseCusip(text: string): string | null {
  const cusip = CUSIP_PATTERN.test(text) ? text : text.toUpperCase().replace(/[\s-]/g, '').padStart(9, '0');
  return CUSIP_PATTERN.test(cusip) && cusip !== ABSENT_CUSIP ? cusip : null;
}

const CUSIP_PATTERN = /^[0-9A-Z*@#]{9}$/;
const ABSENT_CUSIP = '000000000';

function parsePutCall(text: string): '' | 'Put' | 'Call' | null {
  const optionType = text.toUpperCase();
  return optionType === '' ? '' : optionType === 'PUT' ? 'Put' : optionType === 'CALL' ? 'Call' : null;
}

const parseCount = (text: CellText): number | null => (text && /^\d{1,9}$/.test(text) ? Number(text) : null);
