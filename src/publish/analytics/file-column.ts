/** The columns of a typed table's file. */
import type { ParquetColumn } from '../../store/parquet/column-type.ts';
import type { ValueType } from './typed-value.ts';

export interface FileColumn {
  readonly name: string;
  readonly type: ValueType;
  /** Digits after the decimal point of a decimal. */
  readonly scale: number;
  readonly nullable: boolean;
  /** The source column. */
  readonly source: string;
  /** Whether it contains only the text of values that the typed column of the same source cannot hold. */
  readonly isRemainder: boolean;
}

/** Returns how the file stores the column. */
export function toParquetColumn({ name, type, scale, nullable, isRemainder }: FileColumn): ParquetColumn {
  return { name, type: isRemainder ? 'text' : type === 'integer' ? 'int64' : type, nullable, scale };
}
