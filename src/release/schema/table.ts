/**
 * The tables of a release, as data: their columns in order, and the field of a row that each one holds.
 *
 * Names are plain snake_case, so that DuckDB, pandas and Polars read the files as they are. Figures are
 * text, because a figure is exact to the digit as filed and no numeric type is. Days are text too: filers
 * write days that no calendar has, ISO text sorts as days do, and a cast makes a date of it.
 * Numbers that only count or name (a CIK, a rank, a year) are 32-bit integers.
 */
import { SCREEN_COLUMNS } from '../../contract/screen-columns.ts';
import type { RawConceptCount } from '../../edgar/facts/company-facts.ts';
import type { ReportedValue, Split } from '../../figures/types.ts';
import type { Company, Security } from '../store/types.ts';

/** Raised when a column is added, dropped or means something else: a reader refuses what it does not know. */
export const LAYOUT = 1;

export type Cell = string | number | boolean | null;
export type CellType = 'string' | 'integer' | 'boolean';

export interface Column {
  readonly name: string;
  /** The field of a row in this program. */
  readonly field: string;
  readonly type: CellType;
  readonly nullable: boolean;
}

/** `Row` is what one row is in this program; it is a promise of the layout that the fields are its fields. */
export interface Table<Row = unknown> {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Rows stand in order of cik, or of `key`, and no row group splits a company. */
  readonly byCompany: boolean;
  /** The integer field that rows are found by, where it is not the cik. */
  readonly key?: string;
  readonly row?: Row;
}

export const text = (name: string, field: string): Column => ({ name, field, type: 'string', nullable: false });
export const textOrNull = (name: string, field: string): Column => ({ ...text(name, field), nullable: true });
export const integer = (name: string, field: string): Column => ({ name, field, type: 'integer', nullable: false });
export const integerOrNull = (name: string, field: string): Column => ({ ...integer(name, field), nullable: true });
export const flag = (name: string, field: string): Column => ({ name, field, type: 'boolean', nullable: false });

export const CIK = integer('cik', 'cik');

export type OfCompany<Row> = Row & { readonly cik: number };

export const COMPANIES: Table<Company> = {
  name: 'companies',
  byCompany: true,
  columns: [
    CIK,
    text('entity_name', 'entityName'),
    text('coverage_state', 'coverageState'),
    integer('filing_count', 'filingCount'),
    integer('raw_fact_count', 'rawFactCount'),
    integer('metric_value_count', 'metricValueCount'),
    textOrNull('latest_filing_at', 'latestFilingAt'),
  ],
};

/** In order of ticker. */
export const SECURITIES: Table<Security> = {
  name: 'securities',
  byCompany: false,
  columns: [
    text('ticker', 'ticker'),
    text('ticker_normalized', 'tickerNormalized'),
    text('exchange', 'exchange'),
    CIK,
    flag('is_primary', 'isPrimary'),
    flag('is_active', 'isActive'),
    text('coverage_state', 'coverageState'),
  ],
};

/** In order of cik, then metric, unit, end, start, rank. */
export const REPORTED_VALUES: Table<OfCompany<ReportedValue>> = {
  name: 'statements',
  byCompany: true,
  columns: [
    CIK,
    text('metric_key', 'metricKey'),
    text('unit', 'unit'),
    text('period_kind', 'periodKind'),
    textOrNull('start_date', 'start'),
    text('end_date', 'end'),
    integerOrNull('fiscal_year', 'fiscalYear'),
    textOrNull('fiscal_period', 'fiscalPeriod'),
    integer('revision_rank', 'rank'),
    text('kind', 'kind'),
    text('value', 'value'),
    textOrNull('split_ratio', 'splitRatio'),
    text('taxonomy', 'taxonomy'),
    text('concept', 'concept'),
    text('raw_value', 'rawValue'),
    text('accession_number', 'accession'),
    text('form', 'form'),
    text('filed_at', 'filed'),
    textOrNull('frame', 'frame'),
  ],
};

export const SPLITS: Table<OfCompany<Split>> = {
  name: 'splits',
  byCompany: true,
  columns: [CIK, text('ratio', 'ratio'), text('effective_date', 'effective'), text('accession_number', 'accession')],
};

export const RAW_CONCEPTS: Table<OfCompany<RawConceptCount>> = {
  name: 'raw_concepts',
  byCompany: true,
  columns: [
    CIK,
    text('taxonomy', 'taxonomy'),
    text('concept', 'concept'),
    text('unit', 'unit'),
    integer('fact_count', 'factCount'),
    textOrNull('earliest_end_date', 'earliestEnd'),
    textOrNull('latest_end_date', 'latestEnd'),
  ],
};

export type ScreenRow = Readonly<Record<string, string | number | null>>;

/** One row per company with core metrics and an active security, in order of its primary ticker; fields are columns. */
export const SCREEN: Table<ScreenRow> = {
  name: 'screen',
  byCompany: false,
  columns: [
    CIK,
    text('ticker', 'ticker'),
    text('exchange', 'exchange'),
    text('entity_name', 'entity_name'),
    ...SCREEN_COLUMNS.map((name) => (name === 'fiscal_year' ? integerOrNull(name, name) : textOrNull(name, name))),
  ],
};

export interface Coverage {
  readonly metricKey: string;
  readonly companyCount: number;
}

export const COVERAGE: Table<Coverage> = {
  name: 'coverage',
  byCompany: false,
  columns: [text('metric_key', 'metricKey'), integer('company_count', 'companyCount')],
};

/** The integer that a row of a table by company, or by another key, is found by. */
export function keyOf(table: Table, row: unknown): number {
  return (row as Readonly<Record<string, number>>)[table.key ?? 'cik'] ?? 0;
}

/** In the order in which their contents are hashed. */
export const TABLES: readonly Table[] = [
  COMPANIES,
  SECURITIES,
  REPORTED_VALUES,
  SPLITS,
  RAW_CONCEPTS,
  SCREEN,
  COVERAGE,
];

/**
 * The rows as columns of cells, in the table's order of columns.
 * @param cik the company of all the rows, where they do not say it themselves
 */
export function toColumns<Row>(table: Table<Row>, rows: readonly Row[], cik?: number): Cell[][] {
  return table.columns.map(({ field }) =>
    field === CIK.field && cik !== undefined
      ? rows.map(() => cik)
      : rows.map((row) => (row as Readonly<Record<string, Cell>>)[field] ?? null),
  );
}
