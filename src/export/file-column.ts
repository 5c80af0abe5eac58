/** The columns of a typed table's file. */
import type { ParquetColumn } from '../store/parquet/column-type.ts';
import type { ValueType } from '../store/schema/table.ts';

export interface FileColumn {
  readonly name: string;
  readonly type: ValueType;
  /** Number of decimal places of a DECIMAL. */
  readonly scale: number;
  readonly nullable: boolean;
  /** Name of the typed table's column that the values come from. */
  readonly source: string;
  /** Whether this is a remainder column: it has, as text, the values that do not fit the type of the source column. */
  readonly isRemainder: boolean;
}

/** Returns the column of the Parquet file: its name, stored type, nullability and scale. */
export function toParquetColumn({ name, type, scale, nullable, isRemainder }: FileColumn): ParquetColumn {
  return { name, type: isRemainder ? 'text' : type === 'integer' ? 'int64' : type, nullable, scale };
}
