/**
 * Reads quarterly N-PORT data sets: the value that funds report for each holding on a date. Only long positions in
 * common stock, in shares and dollars, give a share price, so other holdings are skipped. Some copies of the data
 * sets lack the column that distinguishes shares from bonds: then `isCommonStock` is null.
 */
import { isZero, parseDecimal } from '../../contract/decimal-text.ts';
import type { Archive } from '../files/archive.ts';
import { type DelimitedRow, readTable } from '../files/delimited.ts';
import { parseDay } from '../files/fields.ts';
import type { SkippedRowCounts } from '../files/skipped-rows.ts';

export type NportHolding = Exclude<ReturnType<typeof parseHolding>, string | null>;

const COLUMNS = ['ACCESSION_NUMBER', 'ISSUER_NAME', 'BALANCE', 'CURRENCY_VALUE'] as const;
const MORE_COLUMNS = ['ISSUER_CUSIP', 'UNIT', 'CURRENCY_CODE', 'ASSET_CAT', 'PAYOFF_PROFILE'] as const;
type Row = DelimitedRow<(typeof COLUMNS)[number] | (typeof MORE_COLUMNS)[number]>;
/** Nine letters or digits, not all zeros. */
const CUSIP_PATTERN = /^(?!0+$)[0-9A-Z]{9}$/;
const HOLDINGS_TABLE_PATTERN = /^(?:fund_reported_)?holding(?:_part)?[\w-]*\.(?:tsv|txt)$/i;

/** Whether the zip is an N-PORT data set, or a copy with only some of its tables. */
export const isNportDataSet = (archive: Archive): boolean =>
  archive.has('SUBMISSION.tsv') && archive.names.some((name) => HOLDINGS_TABLE_PATTERN.test(name));

/** Yields holdings that give a share price. Throws TableError if a table lacks a required column. */
export async function* readNportHoldings(archive: Archive, skipped: SkippedRowCounts) {
  const days = await readReportDays(archive, skipped);
  for (const name of archive.names.filter((candidate) => HOLDINGS_TABLE_PATTERN.test(candidate))) {
    for await (const rows of readTable(archive, name, { required: COLUMNS, optional: MORE_COLUMNS, skipped })) {
      const batch: NportHolding[] = [];
      for (const row of rows) {
        const holding = parseHolding(row, days.get(row.ACCESSION_NUMBER) ?? null);
        if (typeof holding === 'string') skipped.add(holding);
        else if (holding !== null) batch.push(holding);
      }
      yield batch;
    }
  }
}

/** Returns the portfolio date of each report in the set, by accession number. */
async function readReportDays(archive: Archive, skipped: SkippedRowCounts): Promise<ReadonlyMap<string, string>> {
  const days = new Map<string, string>();
  const required = ['ACCESSION_NUMBER', 'REPORT_DATE'] as const;
  for await (const rows of readTable(archive, 'SUBMISSION.tsv', { required, skipped })) {
    for (const row of rows) {
      const day = parseDay(row.REPORT_DATE);
      if (day === null) skipped.add('an N-PORT report without a valid date');
      else days.set(row.ACCESSION_NUMBER, day);
    }
  }
  return days;
}

/**
 * Returns the holding; null if it is not a long position in shares with a value in dollars. If the row is unreadable,
 * returns the reason.
 */
function parseHolding(row: Row, day: string | null) {
  const category = nullIfEmpty(row.ASSET_CAT);
  if (category !== null && category !== 'EC') return null;
  if ((nullIfEmpty(row.UNIT) ?? 'NS') !== 'NS' || (nullIfEmpty(row.CURRENCY_CODE) ?? 'USD') !== 'USD') return null;
  if ((nullIfEmpty(row.PAYOFF_PROFILE) ?? 'LONG').toUpperCase() !== 'LONG') return null;
  if (day === null) return 'an N-PORT holding whose report is missing or has no valid date';
  const balance = parseDecimal(row.BALANCE);
  const value = parseDecimal(row.CURRENCY_VALUE);
  if (balance === null || value === null) return 'an N-PORT holding without a valid number of shares or value';
  if (isZero(balance) || isZero(value) || balance.startsWith('-') || value.startsWith('-')) return null;
  const cusip = nullIfEmpty(row.ISSUER_CUSIP)?.toUpperCase();
  return {
    /** The date of the portfolio. */
    reportDay: day,
    issuer: row.ISSUER_NAME,
    /** Null if missing or not a CUSIP. */
    cusip: cusip !== undefined && CUSIP_PATTERN.test(cusip) ? cusip : null,
    balance,
    value,
    /** Null if the asset class is missing; never false, because holdings of other asset classes are skipped. */
    isCommonStock: category === null ? null : true,
  };
}

/** Returns the cell's text; null for an empty cell, N/A or, in some copies, NULL. */
const nullIfEmpty = (cell: string): string | null => (cell === '' || /^(?:null|n\/a)$/i.test(cell) ? null : cell);
