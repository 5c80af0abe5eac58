/** The tables of filings: each company's list, and tables by day, so that a day needs not read every company. */
import { crc32 } from 'node:zlib';
import type { AnnouncementTiming } from '../../figures/filings/acceptance.ts';
import type { ReportPeriod } from '../../figures/filings/fiscal-focus.ts';
import type { ReportedRevenue } from '../../figures/filings/reported-revenue.ts';
import { CIK_COLUMN, integer, integerOrNull, type Table, table, text, textOrNull, type WithCik } from './table.ts';

/** A filing as in lists. */
export interface ListedFiling {
  readonly cik: number;
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  /** With New York's UTC offset; null if the time is unknown. */
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

/** Releases without this column lack all columns of periods and of revenue. */
export const PERIOD_COLUMN = 'fiscal_year';

/** Sorted by company, latest filing first. */
export const FILINGS = table<FilingRow>()({ name: 'filings', key: 'cik', columns: FILING_COLUMNS });

export interface DocumentRow {
  readonly accession: string;
  readonly document: string;
  /** The form's code, or an exhibit's number. */
  readonly kind: string;
}

/** For filings whose index page was read: the main document, then the exhibits. */
export const FILING_DOCUMENTS = table<WithCik<DocumentRow>>()({
  name: 'filing_documents',
  key: 'cik',
  columns: [CIK_COLUMN, text('accession_number', 'accession'), text('document', 'document'), text('kind', 'kind')],
});

export interface FilingDay {
  readonly date: string;
  readonly filings: number;
  readonly companies: number;
  /** Acceptance time of the last filing. */
  readonly updatedAt: string | null;
}

/** One row per day with filings, in order of time. A filing of several companies counts once. */
export const FILING_DAYS = table<FilingDay>()({
  name: 'filing_days',
  key: null,
  columns: [
    text('date', 'date'),
    integer('filings', 'filings'),
    integer('companies', 'companies'),
    textOrNull('updated_at', 'updatedAt'),
  ],
});

/** The key is the day's number since 1970-01-01. */
const DAY_COLUMN = integer('day', 'day');

export interface DayForm {
  readonly day: number;
  readonly form: string;
  readonly filings: number;
}

/** The most frequent form first. */
export const FILING_DAY_FORMS = table<DayForm>()({
  name: 'filing_day_forms',
  key: 'day',
  columns: [DAY_COLUMN, text('form', 'form'), integer('filings', 'filings')],
});

export type DayFiling = FilingRow & ReportedRevenue & { readonly day: number };

/** Each day's periodic reports, current reports and notices, ordered by acceptance time. */
export const FILING_DAY_LINES = table<DayFiling>()({
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

/** Returns the key of an accession number: 31 bits of a checksum, to fit an integer column. */
export function accessionKey(accession: string): number {
  return crc32(accession) >>> 1;
}

export interface FilingPlace {
  /** A key made by `accessionKey`. */
  readonly number: number;
  readonly cik: number;
}

/** The companies whose lists may contain an accession number. */
export const FILING_PLACES = table<FilingPlace>()({
  name: 'filing_places',
  key: 'number',
  columns: [integer('number', 'number'), CIK_COLUMN],
});

export const FILING_TABLES: readonly Table[] = [
  FILINGS,
  FILING_DOCUMENTS,
  FILING_DAYS,
  FILING_DAY_FORMS,
  FILING_DAY_LINES,
  FILING_PLACES,
];
