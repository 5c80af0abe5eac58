/** The screener's table, and how many companies have each of its figures. */
import { SCREEN_COLUMNS } from '../../contract/screen-columns.ts';
import { CIK, integer, integerOrNull, type Table, table, text, textOrNull } from './table.ts';

/** Fields bear the names of the columns. */
export interface ScreenRow {
  readonly cik: number;
  readonly ticker: string;
  readonly exchange: string;
  readonly entity_name: string;
  readonly [column: string]: string | number | null;
}

/**
 * One row for each company with core metrics and an active security, in order of its primary ticker.
 * Declared without `table()`: the names of its columns are the contract's and known at run time only.
 */
export const SCREEN: Table<ScreenRow> = {
  name: 'screen',
  key: null,
  columns: [
    CIK,
    text('ticker', 'ticker'),
    text('exchange', 'exchange'),
    text('entity_name', 'entity_name'),
    ...SCREEN_COLUMNS.map((name) => (name === 'fiscal_year' ? integerOrNull(name, name) : textOrNull(name, name))),
  ],
};

/** How many companies have a figure of a metric or ratio. */
export interface Coverage {
  readonly metricKey: string;
  readonly companyCount: number;
}

export const COVERAGE = table<Coverage>()({
  name: 'coverage',
  key: null,
  columns: [text('metric_key', 'metricKey'), integer('company_count', 'companyCount')],
});
