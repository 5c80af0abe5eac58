/** The tables of filings: each company's list, and what the page of a day needs without reading every company. */
import { crc32 } from 'node:zlib';
import type { AnnouncementTiming } from '../../figures/filings/acceptance.ts';
import type { ReportPeriod } from '../../figures/filings/fiscal-focus.ts';
import type { ReportedRevenue } from '../../figures/filings/reported-revenue.ts';
import { CIK, integer, integerOrNull, type OfCompany, type Table, table, text, textOrNull } from './table.ts';

/** A filing as lists have it. */
export interface ListedFiling {
  readonly cik: number;
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  /** With New York's offset; null where no time is known. */
  readonly acceptedAt: string | null;
  readonly timing: AnnouncementTiming | null;
  /** Item numbers of a current report, joined by commas. */
  readonly items: string;
  readonly primaryDocument: string | null;
  readonly reportDate: string | null;
}

export type FilingRow = ListedFiling & ReportPeriod;

const FILING_COLUMNS = [
  CIK,
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

/** Releases that lack it have none of the columns of periods, nor of revenue. */
export const PERIOD_COLUMN = 'fiscal_year';

/** Of each company, the latest first. */
export const FILINGS = table<FilingRow>()({ name: 'filings', key: 'cik', columns: FILING_COLUMNS });

export interface DocumentRow {
  readonly accession: string;
  readonly document: string;
  /** The form's code or an exhibit's number. */
  readonly kind: string;
}

/** Of filings whose listing was read: the form's own document, then the exhibits. */
export const FILING_DOCUMENTS = table<OfCompany<DocumentRow>>()({
  name: 'filing_documents',
  key: 'cik',
  columns: [CIK, text('accession_number', 'accession'), text('document', 'document'), text('kind', 'kind')],
});

export interface FilingDay {
  readonly date: string;
  readonly filings: number;
  readonly companies: number;
  /** When the last of them was accepted. */
  readonly updatedAt: string | null;
}

/** One row for each day with filings, in order of time. Filings of several companies count once. */
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

/** Days are found by their number, counted from 1970-01-01. */
const DAY = integer('day', 'day');

export interface DayForm {
  readonly day: number;
  readonly form: string;
  readonly filings: number;
}

/** The most filed form first. */
export const FILING_DAY_FORMS = table<DayForm>()({
  name: 'filing_day_forms',
  key: 'day',
  columns: [DAY, text('form', 'form'), integer('filings', 'filings')],
});

export type DayFiling = FilingRow & ReportedRevenue & { readonly day: number };

/** Each day's periodic reports, current reports and notices: the earliest accepted first. */
export const FILING_DAY_LINES = table<DayFiling>()({
  name: 'filing_day_lines',
  key: 'day',
  columns: [
    DAY,
    ...FILING_COLUMNS,
    textOrNull('revenue', 'revenue'),
    textOrNull('revenue_start', 'revenueStart'),
    textOrNull('revenue_end', 'revenueEnd'),
    textOrNull('prior_revenue', 'priorRevenue'),
  ],
});

/** The key under which an accession number is found: 31 bits of a checksum, which fit into an integer column. */
export function accessionKey(accession: string): number {
  return crc32(accession) >>> 1;
}

export interface FilingPlace {
  /** As `accessionKey` computes it. */
  readonly number: number;
  readonly cik: number;
}

/** Which companies' lists an accession number may be in. */
export const FILING_PLACES = table<FilingPlace>()({
  name: 'filing_places',
  key: 'number',
  columns: [integer('number', 'number'), CIK],
});

export const FILING_TABLES: readonly Table[] = [
  FILINGS,
  FILING_DOCUMENTS,
  FILING_DAYS,
  FILING_DAY_FORMS,
  FILING_DAY_LINES,
  FILING_PLACES,
];
