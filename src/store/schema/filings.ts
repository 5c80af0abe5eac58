/** Tables of filings by company and by day. With the tables by day, a request for a day need not read all companies. */
import { crc32 } from 'node:zlib';
import type { AnnouncementTiming } from '../../figures/filings/acceptance.ts';
import { day, decimal, integer, only, text, timestamp } from './columns.ts';
import type { RowOf, Table } from './declare-table.ts';
import { ACCESSION_COLUMN, CIK_COLUMN, declareTable, FILED_COLUMN, FORM_COLUMN } from './declare-table.ts';

const FILING_COLUMNS = [
  CIK_COLUMN,
  ACCESSION_COLUMN,
  FORM_COLUMN,
  FILED_COLUMN,
  timestamp('accepted_at?', 'Time at which the SEC accepted the filing, in UTC; null if unknown'),
  only<AnnouncementTiming>()(
    text(
      'announcement_timing?',
      'When a current report (8-K) with earnings was accepted, by New York trading hours: before_open, during_market or after_close; null for other filings, or if the time is unknown',
      { field: 'timing' },
    ),
  ),
  text('items', 'Item numbers of a current report (8-K), separated by commas; empty for other forms'),
  text('primary_document?', 'File name of the main document'),
  day('report_date?', 'Date of the period or event that the filing reports on'),
  integer('fiscal_year?', 'Fiscal year that a periodic report covers; null for other filings, or if unknown'),
  text('fiscal_period?', 'Fiscal period that a periodic report covers: FY, or Q1 to Q4'),
  day('period_end?', 'Last day of the fiscal period'),
];

/** A release without this column lacks all columns of fiscal periods and of revenue. */
export const FISCAL_YEAR_COLUMN = 'fiscal_year';

/** Sorted by CIK, latest filing first. */
export const FILINGS = declareTable({
  name: 'filings',
  typed: {
    about: 'Filings, with one row for each company that a filing names as a party.',
    order: 'group of consecutive CIKs, then filed_at, cik',
    sortedBy: 'filed_at',
  },
  key: 'cik',
  columns: FILING_COLUMNS,
});

export type FilingRow = RowOf<typeof FILINGS>;

/** A filing without its fiscal period. */
export type ListedFiling = Omit<FilingRow, 'fiscalYear' | 'fiscalPeriod' | 'periodEnd'>;

/** Documents of filings whose index page was read: the main document, then the exhibits. */
export const FILING_DOCUMENTS = declareTable({
  name: 'filing_documents',
  key: 'cik',
  columns: [CIK_COLUMN, ACCESSION_COLUMN, text('document'), text('kind')],
});

export type DocumentRow = Omit<RowOf<typeof FILING_DOCUMENTS>, 'cik'>;

/** One row per day with filings, in chronological order. A filing with several companies is counted once. */
export const FILING_DAYS = declareTable({
  name: 'filing_days',
  key: null,
  columns: [day('date'), integer('filings'), integer('companies'), timestamp('updated_at?')],
});

export type FilingDayTotals = RowOf<typeof FILING_DAYS>;

/** Number of days since 1970-01-01, the table's key. */
const DAY_COLUMN = integer('day');

/** Number of filings by day and form, the most frequent form first. */
export const FILING_DAY_FORMS = declareTable({
  name: 'filing_day_forms',
  key: 'day',
  columns: [DAY_COLUMN, FORM_COLUMN, integer('filings')],
});

/**
 * Periodic reports, current reports and notices by day, and the forms that a list has only if they are named; ordered
 * by acceptance time.
 */
export const FILINGS_BY_DAY = declareTable({
  name: 'filing_day_lines',
  key: 'day',
  columns: [
    DAY_COLUMN,
    ...FILING_COLUMNS,
    decimal('revenue?'),
    day('revenue_start?'),
    day('revenue_end?'),
    decimal('prior_revenue?'),
  ],
});

export type FilingByDayRow = RowOf<typeof FILINGS_BY_DAY>;

/**
 * Returns the integer key of an accession number: 31 bits of its CRC-32. Different accession numbers may have equal
 * keys.
 */
export const computeAccessionKey = (accession: string): number => crc32(accession) >>> 1;

/**
 * Index of accession numbers: for each key, the companies that may have the filing. Different accession numbers may
 * have the same key.
 */
export const ACCESSION_INDEX = declareTable({
  name: 'filing_places',
  key: 'number',
  columns: [integer('number'), CIK_COLUMN],
});

export type AccessionIndexRow = RowOf<typeof ACCESSION_INDEX>;

export const FILING_TABLES: readonly Table[] = [
  FILINGS,
  FILING_DOCUMENTS,
  FILING_DAYS,
  FILING_DAY_FORMS,
  FILINGS_BY_DAY,
  ACCESSION_INDEX,
];
