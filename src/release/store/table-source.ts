/** Where the bytes of one table come from: a file on this machine, or pieces of a published one. */
import type { Failure } from '../../contract/failure.ts';

/** One row group of a table, as its source finds it. */
export interface RowGroupRef {
  /** A number that no other row group of the table has. */
  readonly group: number;
  readonly rows: number;
}

export interface TableSource<Group extends RowGroupRef = RowGroupRef> {
  /** The row groups that may hold rows of the keys from `first` to `last`, in order; of one key at most one. */
  between(first: number, last: number): Promise<readonly Group[]>;
  /** All row groups, in order. */
  groups(): Promise<readonly Group[]>;
  /** The column chunks of each of these row groups, checked. */
  read(groups: readonly Group[]): Promise<readonly ColumnChunks[]>;
  /** One column chunk, checked. */
  readColumn(group: Group, position: number): Promise<Uint8Array>;
  /** The Failure for bytes that are not what was written. */
  damaged(why: string, cause?: unknown): Failure;
  close(): void;
}

/** The bytes of each column chunk of one row group, in the order in which columns are stored. */
export type ColumnChunks = readonly Uint8Array[];
