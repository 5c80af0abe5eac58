/** Tables of the screener, and of the number of companies with each figure. */
import { SCREEN_COLUMNS, UNCONFIRMED_COLUMN } from '../../contract/screen-columns.ts';
import { CIK_COLUMN, defineTable, integer, integerOrNull, type Table, text, textOrNull } from './table.ts';

/** A screener row; fields have the names of the columns. */
export interface ScreenRow {
  readonly cik: number;
  readonly ticker: string;
  readonly exchange: string;
  readonly entity_name: string;
  readonly [column: string]: string | number | null;
}

/**
 * One row per company with coverage state `covered` and an active security, sorted by primary ticker. Companies whose
 * figures all end before `--screen-since` are omitted. Declared without `table()`, because the contract's column names
 * are only known at run time.
 */
export const SCREEN: Table<ScreenRow> = {
  name: 'screen',
  key: null,
  columns: [
    CIK_COLUMN,
    text('ticker', 'ticker'),
    text('exchange', 'exchange'),
    text('entity_name', 'entity_name'),
    ...SCREEN_COLUMNS.map((name) => (name === 'fiscal_year' ? integerOrNull(name, name) : textOrNull(name, name))),
    textOrNull(UNCONFIRMED_COLUMN, UNCONFIRMED_COLUMN),
  ],
};

/** Number of companies with a figure for a metric or ratio. */
export interface Coverage {
  readonly metricKey: string;
  readonly companyCount: number;
}

export const COVERAGE = defineTable<Coverage>()({
  name: 'coverage',
  key: null,
  columns: [text('metric_key', 'metricKey'), integer('company_count', 'companyCount')],
});
