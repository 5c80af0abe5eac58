/** The source of one table's bytes: a local file, or pieces of a published one. */
import type { Failure } from '../contract/failure.ts';
import type { RowGroupSize } from './parquet/bounds.ts';

/**
 * One row group of a table, as its source finds it; it has been checked not to declare more rows than its bytes
 * allow.
 */
export interface RowGroupRef extends RowGroupSize {
  /** A number that identifies the row group in the table. */
  readonly group: number;
  /** The key of its last row, if the table has keys. */
  readonly lastKey: number;
}

export interface TableSource<Group extends RowGroupRef = RowGroupRef> {
  /**
   * Returns the row groups that may have rows with keys from `firstKey` to `lastKey`, in order; at most one for a single
   * key.
   */
  groupsBetween(firstKey: number, lastKey: number): Promise<readonly Group[]>;
  /** Returns all row groups, in order. */
  allGroups(): Promise<readonly Group[]>;
  /** Returns the column chunks of each of these row groups, checked. */
  readGroups(groups: readonly Group[]): Promise<readonly ColumnChunks[]>;
  /** Returns the column chunks at these positions of each of these row groups, checked. */
  readColumns(groups: readonly Group[], positions: readonly number[]): Promise<readonly ColumnChunks[]>;
  /** The Failure for damaged bytes. */
  damagedTable(reason: string, cause?: unknown): Failure;
  close(): void;
}

/** The bytes of column chunks of one row group: all in stored order, or some in requested order. */
export type ColumnChunks = readonly Uint8Array[];
