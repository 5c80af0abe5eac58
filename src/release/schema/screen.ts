/** The screener's table. */
import { SCREEN_COLUMNS } from '../../contract/screen-columns.ts';
import { CIK, integerOrNull, type Table, text, textOrNull } from './table.ts';

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
