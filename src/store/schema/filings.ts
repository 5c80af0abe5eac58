/** Tables of filings by company and by day. With the tables by day, a request for a day need not read all companies. */
import { crc32 } from 'node:zlib';
import type { AnnouncementTiming } from '../../figures/filings/acceptance.ts';
import type { ReportPeriod } from '../../figures/filings/fiscal-focus.ts';
import type { ReportedRevenue } from '../../figures/filings/reported-revenue.ts';
import {
  CIK_COLUMN,
  defineTable,
  integer,
  integerOrNull,
  type Table,
  text,
  textOrNull,
  type WithCik,
} from './table.ts';

/** A filing in a company's list. */
export interface ListedFiling {
  readonly cik: number;
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  /** Time with New York's UTC offset; null if unknown. */
  readonly acceptedAt: string | null;
  readonly timing: AnnouncementTiming | null;
  /** Item numbers of a current report, joined by commas. */
  readonly items: string;
  readonly primaryDocument: string | null;
  readonly reportDate: string | null;
}

export type FilingRow = ListedFiling & ReportPeriod;

const FILING_COLUMNS = [
  CIK_COLUMN,
  text('accession_number', 'accession'),
  text('form', 'form'),
  text('filed_at', 'filed'),
  textOrNull('accepted_at', 'acceptedAt'),
  textOrNull('announcement_timing', 'timing'),
  text('items', 'items'),
  textOrNull('primary_document', 'primaryDocument'),
  textOrNull('report_date', 'reportDate'),
  integerOrNull('fiscal_year', 'fiscalYear'),
  textOrNull('fiscal_period', 'fiscalPeriod'),
  textOrNull('period_end', 'periodEnd'),
];

/** A release without this column lacks all columns of fiscal periods and of revenue. */
export const FISCAL_YEAR_COLUMN_NAME = 'fiscal_year';

/** Sorted by CIK, latest filing first. */
export const FILINGS = defineTable<FilingRow>()({ name: 'filings', key: 'cik', columns: FILING_COLUMNS });

export interface DocumentRow {
  readonly accession: string;
  readonly document: string;
  /** Form type or exhibit number. */
  readonly kind: string;
}

/** Documents of filings whose index page was read: the main document, then the exhibits. */
export const FILING_DOCUMENTS = defineTable<WithCik<DocumentRow>>()({
  name: 'filing_documents',
  key: 'cik',
  columns: [CIK_COLUMN, text('accession_number', 'accession'), text('document', 'document'), text('kind', 'kind')],
});

export interface FilingDayTotals {
  readonly date: string;
  readonly filings: number;
  readonly companies: number;
  /** Acceptance time of the day's last filing. */
  readonly updatedAt: string | null;
}

/** One row per day with filings, in chronological order. A filing with several companies is counted once. */
export const FILING_DAYS = defineTable<FilingDayTotals>()({
  name: 'filing_days',
  key: null,
  columns: [
    text('date', 'date'),
    integer('filings', 'filings'),
    integer('companies', 'companies'),
    textOrNull('updated_at', 'updatedAt'),
  ],
});

/** Number of days since 1970-01-01, the table's key. */
const DAY_COLUMN = integer('day', 'day');

export interface FormCountOfDay {
  readonly day: number;
  readonly form: string;
  readonly filings: number;
}

/** Number of filings by day and form, the most frequent form first. */
export const FILING_DAY_FORMS = defineTable<FormCountOfDay>()({
  name: 'filing_day_forms',
  key: 'day',
  columns: [DAY_COLUMN, text('form', 'form'), integer('filings', 'filings')],
});

export type FilingByDayRow = FilingRow & ReportedRevenue & { readonly day: number };

/** Periodic reports, current reports and notices by day, ordered by acceptance time. */
export const FILINGS_BY_DAY = defineTable<FilingByDayRow>()({
  name: 'filing_day_lines',
  key: 'day',
  columns: [
    DAY_COLUMN,
    ...FILING_COLUMNS,
    textOrNull('revenue', 'revenue'),
    textOrNull('revenue_start', 'revenueStart'),
    textOrNull('revenue_end', 'revenueEnd'),
    textOrNull('prior_revenue', 'priorRevenue'),
  ],
});

/**
 * Returns the integer key of an accession number: 31 bits of its CRC-32. Different accession numbers may have equal
 * keys.
 */
export function computeAccessionKey(accession: string): number {
  return crc32(accession) >>> 1;
}

export interface AccessionIndexRow {
  /** The key of the accession number, as returned by `computeAccessionKey`. */
  readonly number: number;
  readonly cik: number;
}

/**
 * Index of accession numbers: for each key, the companies that may have the filing. Different accession numbers may
 * have the same key.
 */
export const ACCESSION_INDEX = defineTable<AccessionIndexRow>()({
  name: 'filing_places',
  key: 'number',
  columns: [integer('number', 'number'), CIK_COLUMN],
});

export const FILING_TABLES: readonly Table[] = [
  FILINGS,
  FILING_DOCUMENTS,
  FILING_DAYS,
  FILING_DAY_FORMS,
  FILINGS_BY_DAY,
  ACCESSION_INDEX,
];
