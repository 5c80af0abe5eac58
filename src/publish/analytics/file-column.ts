/** The columns of a typed file, in the words of Parquet. */
import type { SchemaElement } from 'hyparquet';
import { PRECISION, type ValueType } from './typed-value.ts';

export interface FileColumn {
  readonly name: string;
  readonly type: ValueType;
  /** Digits after the point, of a decimal. */
  readonly scale: number;
  readonly nullable: boolean;
  /** The column of the sources that it is made from. */
  readonly source: string;
  /** Whether it has the text of what the typed column of this source cannot hold, and nothing else. */
  readonly isRemainder: boolean;
}

export function schemaOf(
  columns: readonly FileColumn[],
  element: (column: FileColumn) => SchemaElement,
): SchemaElement[] {
  return [{ name: 'root', num_children: columns.length }, ...columns.map(element)];
}

/** How values are stored, without what they mean: the writer takes them as they are. */
export type StoredElement = SchemaElement & Required<Pick<SchemaElement, 'type' | 'repetition_type'>>;

const STORED: Readonly<Record<ValueType, Pick<StoredElement, 'type' | 'type_length' | 'converted_type'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
  decimal: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16 },
  date: { type: 'INT32' },
  timestamp: { type: 'INT64' },
};

export function storedElement({ name, type, nullable, isRemainder }: FileColumn): StoredElement {
  return { name, ...STORED[isRemainder ? 'text' : type], repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED' };
}

/** With what they mean, in the words of old readers and new. */
export function typedElement(column: FileColumn): SchemaElement {
  const element = storedElement(column);
  if (column.isRemainder || column.type === 'text') return { ...element, logical_type: { type: 'STRING' } };
  switch (column.type) {
    case 'decimal': {
      const digits = { precision: PRECISION, scale: column.scale };
      return { ...element, converted_type: 'DECIMAL', ...digits, logical_type: { type: 'DECIMAL', ...digits } };
    }
    case 'date':
      return { ...element, converted_type: 'DATE', logical_type: { type: 'DATE' } };
    case 'timestamp':
      return {
        ...element,
        converted_type: 'TIMESTAMP_MICROS',
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
      };
    default:
      return element;
  }
}
