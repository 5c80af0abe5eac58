/** The records of Form 13F, and their values from the text of its fields, for all kinds of files. */
import type { Decimal } from '../../contract/decimal-text.ts';
import { parseDecimal } from '../../contract/decimal-text.ts';
import { cikOf } from '../files/cik.ts';

/** One line of a manager's information table as filed; `value` has the report's own unit, thousands or dollars. */
export interface HoldingLine {
  readonly issuer: string;
  readonly titleOfClass: string;
  /** Nine characters in upper case. */
  readonly cusip: string;
  readonly value: Decimal;
  readonly amount: Decimal;
  /** SH, shares, or PRN, principal. */
  readonly amountType: 'SH' | 'PRN';
  readonly putCall: '' | 'Put' | 'Call';
}

export interface Amendment {
  readonly number: number;
  /** Null if the manager left it blank. */
  readonly type: 'restatement' | 'new_holdings' | null;
}

/** The cover and summary page. */
export interface ThirteenFReport {
  /** Null if the file lacks it: a cover page has neither accession number nor filing day. */
  readonly accession: string | null;
  readonly filed: string | null;
  /** 13F-HR, 13F-HR/A, 13F-NT or 13F-NT/A. */
  readonly form: string;
  /** Null on an original. */
  readonly amendment: Amendment | null;
  /** Number of lines of the table according to the summary page; null if it has none. */
  readonly entryTotal: number | null;
  readonly cik: number;
  readonly managerName: string;
  /** The end of the reported quarter. */
  readonly period: string;
  /** Number of other managers that this report includes. */
  readonly otherManagerCount: number;
  /** Total value of the table according to the summary page; null if it has none. */
  readonly valueTotal: Decimal | null;
}

/** A report with a known accession number and filing day. */
export interface FiledThirteenF extends ThirteenFReport {
  readonly accession: string;
  readonly filed: string;
}

/** A cell that a file may lack. */
type Cell = string | null | undefined;

/** Cells of a cover page as in the file. */
export interface CoverCells {
  readonly accession: string | null;
  readonly filed: string | null;
  readonly cik: Cell;
  readonly managerName: Cell;
  readonly form: Cell;
  readonly period: string | null;
  readonly isAmendment: Cell;
  readonly amendmentNumber: Cell;
  readonly amendmentType: Cell;
  readonly otherManagerCount: Cell;
  readonly entryTotal: Cell;
  readonly valueTotal: Cell;
}

/** Cells of a table line as in the file. */
export type LineCells = Readonly<Record<keyof HoldingLine, string>>;

const THIRTEEN_F_FORMS: ReadonlySet<string> = new Set(['13F-HR', '13F-HR/A', '13F-NT', '13F-NT/A']);

/** Returns the report, or the reason why there is none. */
export function parseReportCells(cells: CoverCells): ThirteenFReport | string {
  const cik = cikOf(cells.cik);
  if (cik === null) return 'a 13F report without a manager';
  if (cells.period === null) return 'a 13F report without a quarter';
  const form = cells.form?.toUpperCase();
  if (form === undefined || !THIRTEEN_F_FORMS.has(form))
    return `a 13F report of the unexpected form ${JSON.stringify((cells.form || '').slice(0, 20))}`;
  return {
    accession: cells.accession,
    filed: cells.filed,
    cik,
    managerName: cells.managerName?.replace(/\s+/g, ' ').trim() || `CIK ${cik}`,
    form,
    period: cells.period,
    amendment: amendmentOf(form, cells),
    otherManagerCount: countOf(cells.otherManagerCount) ?? 0,
    entryTotal: countOf(cells.entryTotal),
    valueTotal: cells.valueTotal ? parseDecimal(cells.valueTotal) : null,
  };
}

/** Returns the line, or the reason why there is none. */
export function parseLineCells(cells: LineCells): HoldingLine | string {
  const cusip = cusipOf(cells.cusip);
  if (cusip === null) return 'a 13F position without a CUSIP';
  const value = parseDecimal(cells.value);
  const amount = parseDecimal(cells.amount);
  if (value === null || amount === null) return 'a 13F position without a value or number of shares';
  if (value.startsWith('-') || amount.startsWith('-'))
    return 'a 13F position with a negative value or number of shares';
  const amountType = cells.amountType.toUpperCase();
  if (amountType !== 'SH' && amountType !== 'PRN') return 'a 13F position in neither shares nor principal amount';
  const putCall = putCallOf(cells.putCall);
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

function amendmentOf(form: string, cells: CoverCells): Amendment | null {
  // Originals leave the flag blank; so do some amendments, whose form ends in /A.
  if (!form.endsWith('/A') && !/^(y|yes|true|1)$/i.test(cells.isAmendment || '')) return null;
  const type = cells.amendmentType?.toUpperCase();
  return {
    number: countOf(cells.amendmentNumber) ?? 0,
    type: type === 'RESTATEMENT' ? 'restatement' : type === 'NEW HOLDINGS' ? 'new_holdings' : null,
  };
}

/** Returns nine characters; null if there are none, or more. */
function cusipOf(text: string): string | null {
  const cusip = CUSIP_PATTERN.test(text) ? text : text.toUpperCase().replace(/[\s-]/g, '').padStart(9, '0');
  return CUSIP_PATTERN.test(cusip) && cusip !== ABSENT_CUSIP ? cusip : null;
}

const CUSIP_PATTERN = /^[0-9A-Z*@#]{9}$/;
const ABSENT_CUSIP = '000000000';

function putCallOf(text: string): '' | 'Put' | 'Call' | null {
  const optionType = text.toUpperCase();
  return optionType === '' ? '' : optionType === 'PUT' ? 'Put' : optionType === 'CALL' ? 'Call' : null;
}

function countOf(text: Cell): number | null {
  return text && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function collapseSpaces(text: string): string {
  if (!/\s(?:\s|$)|^\s|[^\S ]/.test(text)) return text;
  return text.replace(/\s+/g, ' ').trim();
}
