/** Where the bytes of one table come from: a file on this machine, or pieces of a published one. */
import type { Failure } from '../contract/failure.ts';
import type { RowGroupSize } from './parquet/bounds.ts';

/** One row group of a table, as its source finds it; checked, so that it has no more rows than its bytes may hold. */
export interface RowGroupRef extends RowGroupSize {
  /** A number that no other row group of the table has. */
  readonly group: number;
  /** The key of its last row, where the table has one. */
  readonly lastKey: number;
}

export interface TableSource<Group extends RowGroupRef = RowGroupRef> {
  /** The row groups that may hold rows of the keys from `first` to `last`, in order; of one key at most one. */
  between(first: number, last: number): Promise<readonly Group[]>;
  /** All row groups, in order. */
  groups(): Promise<readonly Group[]>;
  /** The column chunks of each of these row groups, checked. */
  read(groups: readonly Group[]): Promise<readonly ColumnChunks[]>;
  /** Some column chunks of a row group, checked. */
  readColumns(group: Group, positions: readonly number[]): Promise<ColumnChunks>;
  /** The Failure for bytes that are not what was written. */
  damaged(why: string, cause?: unknown): Failure;
  close(): void;
}

/** The bytes of column chunks of one row group: all in the order in which columns are stored, or some as they were asked for. */
export type ColumnChunks = readonly Uint8Array[];
