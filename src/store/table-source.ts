/** The source of a table's bytes: a local file, or ranges of a published file. */
import type { Failure } from '../contract/failure.ts';
import type { RowGroupSize } from './parquet/format/bounds.ts';

/**
 * A row group as located by a source, which has checked that the number of rows is plausible for the number of bytes.
 */
export interface RowGroupRef extends RowGroupSize {
  /** Identifies the row group within the table. */
  readonly group: number;
  /** Key of the last row; meaningless for a table without a key. */
  readonly lastKey: number;
}

export interface TableSource<Group extends RowGroupRef = RowGroupRef> {
  /**
   * Returns the row groups that may contain keys from `firstKey` to `lastKey`, in order. A single key is in at most one
   * row group, except in tables that are only read by ranges of keys.
   */
  groupsBetween(firstKey: number, lastKey: number): Promise<readonly Group[]>;
  /** Returns all row groups, in order. */
  allGroups(): Promise<readonly Group[]>;
  /** Returns all column chunks of each row group. Checksums are verified. */
  readGroups(groups: readonly Group[]): Promise<readonly ColumnChunks[]>;
  /** Returns the column chunks at the given positions of each row group. Checksums are verified. */
  readColumns(groups: readonly Group[], positions: readonly number[]): Promise<readonly ColumnChunks[]>;
  damagedTableFailure(reason: string, cause?: unknown): Failure;
  close(): void;
}

/** Column chunks of one row group: all chunks in stored order, or selected chunks in requested order. */
export type ColumnChunks = readonly Uint8Array[];
