/** Where the bytes of one table come from: a file on this machine, or pieces of a published one. */
import type { Failure } from '../../contract/failure.ts';
import type { RowGroupLocation } from './parquet/row-group-index.ts';

export interface TableSource {
  /** The row groups that may hold rows of the keys from `first` to `last`, in order; of one key at most one. */
  between(first: number, last: number): Promise<readonly RowGroupLocation[]>;
  /** All row groups, in order. */
  groups(): Promise<readonly RowGroupLocation[]>;
  /** The column chunks of each of these row groups, checked. */
  read(groups: readonly RowGroupLocation[]): Promise<readonly ColumnChunks[]>;
  /** One column chunk, checked. */
  readColumn(group: RowGroupLocation, position: number): Promise<Uint8Array>;
  /** The Failure for bytes that are not what was written. */
  damaged(why: string, cause?: unknown): Failure;
  close(): void;
}

/** The bytes of each column chunk of one row group, in the order in which columns are stored. */
export type ColumnChunks = readonly Uint8Array[];
