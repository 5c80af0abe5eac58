/** Types of Parquet columns: how values are stored, and how other readers interpret them. */
import type { Column } from '../schema/table.ts';
import { ThriftStruct } from './format.ts';

export type ColumnType = 'text' | 'boolean' | 'int32' | 'int64' | 'decimal' | 'date' | 'timestamp';

/**
 * A DATE is days since 1970; a TIMESTAMP is microseconds since 1970 in UTC; a DECIMAL is the integer without its
 * point.
 */
export type StoredValue = string | number | bigint | boolean;

export interface ParquetColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** Digits after the decimal point; only for decimals. */
  readonly scale?: number;
}

/** Digits of a DECIMAL: the maximum that DuckDB, Arrow, Spark and Trino all support. */
export const DECIMAL_PRECISION = 38;
/** Bytes of a DECIMAL of that precision. */
export const DECIMAL_BYTES = 16;

const FIXED_LENGTH_TYPE = 7;

/** Parquet's numbers of physical types. */
export const PHYSICAL_TYPE: Readonly<Record<ColumnType, number>> = {
  ...{ boolean: 0, int32: 1, date: 1, int64: 2, timestamp: 2, text: 6 },
  decimal: FIXED_LENGTH_TYPE,
};

const REPETITION = { required: 0, optional: 1 } as const;
/** Converted types, for older readers, and fields of the logical type's union, for newer readers. */
const CONVERTED_TYPE = { text: 0, decimal: 5, date: 6, timestamp: 10 } as const;
const LOGICAL_TYPE = { text: 1, decimal: 5, date: 6, timestamp: 8 } as const;
const MICROSECONDS_UNIT = 2;

/** Returns how a file stores a column of a release's table. */
export function parquetColumn({ name, type, nullable }: Pick<Column, 'name' | 'type' | 'nullable'>): ParquetColumn {
  return { name, type: type === 'integer' ? 'int32' : type, nullable };
}

/** Returns the column's element of a footer's schema. */
export function schemaElement({ name, type, nullable, scale = 0 }: ParquetColumn): ThriftStruct {
  const element = new ThriftStruct().int(1, PHYSICAL_TYPE[type]);
  if (type === 'decimal') element.int(2, DECIMAL_BYTES);
  element.int(3, nullable ? REPETITION.optional : REPETITION.required).text(4, name);
  if (type === 'boolean' || type === 'int32' || type === 'int64') return element;
  element.int(6, CONVERTED_TYPE[type]);
  if (type === 'decimal') element.int(7, scale).int(8, DECIMAL_PRECISION);
  return element.struct(10, new ThriftStruct().struct(LOGICAL_TYPE[type], logicalType(type, scale)));
}

function logicalType(type: keyof typeof LOGICAL_TYPE, scale: number): ThriftStruct {
  if (type === 'decimal') return new ThriftStruct().int(1, scale).int(2, DECIMAL_PRECISION);
  if (type !== 'timestamp') return new ThriftStruct();
  return new ThriftStruct().flag(1, true).struct(2, new ThriftStruct().struct(MICROSECONDS_UNIT, new ThriftStruct()));
}
