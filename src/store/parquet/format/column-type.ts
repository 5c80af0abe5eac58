/**
 * Types of Parquet columns: the storage of values (physical types), and their interpretation by readers (logical
 * types).
 */
import type { Column } from '../../schema/columns.ts';
import { ThriftStruct } from './thrift.ts';

export type ColumnType = 'text' | 'boolean' | 'int32' | 'int64' | 'decimal' | 'date' | 'timestamp';

/**
 * A DATE is stored as days since 1970, a TIMESTAMP as microseconds since 1970 in UTC, and a DECIMAL as its unscaled
 * integer.
 */
export type StoredValue = string | number | bigint | boolean;

export interface ParquetColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** Number of digits after the decimal point of a DECIMAL. */
  readonly scale?: number;
}

/** Total digits of a DECIMAL: the maximum that DuckDB, Arrow, Spark and Trino all support. */
export const DECIMAL_PRECISION = 38;
/** Size in bytes of a DECIMAL with DECIMAL_PRECISION digits. */
export const DECIMAL_BYTES = 16;

const FIXED_LENGTH_TYPE_NUMBER = 7;

/** Parquet's enumeration of physical types. */
export const PHYSICAL_TYPE_NUMBERS: Readonly<Record<ColumnType, number>> = {
  ...{ boolean: 0, int32: 1, date: 1, int64: 2, timestamp: 2, text: 6 },
  decimal: FIXED_LENGTH_TYPE_NUMBER,
};

const REPETITION_NUMBERS = { required: 0, optional: 1 } as const;
/** Converted types for older readers, and field ids of the LogicalType union for newer readers. */
const CONVERTED_TYPE_NUMBERS = { text: 0, decimal: 5, date: 6, timestamp: 10 } as const;
const LOGICAL_TYPE_FIELD_IDS = { text: 1, decimal: 5, date: 6, timestamp: 8 } as const;
const MICROSECONDS_FIELD = 2;

/** Returns the Parquet column that stores a column of a release's table. */
export function toParquetColumn(column: Pick<Column, 'name' | 'type' | 'nullable'>): ParquetColumn {
  const { name, type, nullable } = column;
  return { name, type: type === 'integer' ? 'int32' : type, nullable };
}

/** Returns the SchemaElement of a column in the footer. */
export function toSchemaElement({ name, type, nullable, scale = 0 }: ParquetColumn): ThriftStruct {
  const element = new ThriftStruct().int(1, PHYSICAL_TYPE_NUMBERS[type]);
  if (type === 'decimal') element.int(2, DECIMAL_BYTES);
  element.int(3, nullable ? REPETITION_NUMBERS.optional : REPETITION_NUMBERS.required).text(4, name);
  if (type === 'boolean' || type === 'int32' || type === 'int64') return element;
  element.int(6, CONVERTED_TYPE_NUMBERS[type]);
  if (type === 'decimal') element.int(7, scale).int(8, DECIMAL_PRECISION);
  return element.struct(10, new ThriftStruct().struct(LOGICAL_TYPE_FIELD_IDS[type], toLogicalType(type, scale)));
}

function toLogicalType(type: keyof typeof LOGICAL_TYPE_FIELD_IDS, scale: number): ThriftStruct {
  if (type === 'decimal') return new ThriftStruct().int(1, scale).int(2, DECIMAL_PRECISION);
  if (type !== 'timestamp') return new ThriftStruct();
  return new ThriftStruct().flag(1, true).struct(2, new ThriftStruct().struct(MICROSECONDS_FIELD, new ThriftStruct()));
}
