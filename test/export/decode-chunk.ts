/** Reads the pages of a column chunk with the decoder of hyparquet, a library that the writer does not use. */
import type { DecodedArray, ParquetType } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { DEFAULT_PARSERS as parsers } from 'hyparquet/src/convert.js';
import { decompressPage, readDataPageV2 } from 'hyparquet/src/datapage.js';
import { readPlain } from 'hyparquet/src/plain.js';
import { getSchemaPath } from 'hyparquet/src/schema.js';
import {
  type ColumnType,
  DECIMAL_BYTES,
  type ParquetColumn,
  type StoredValue,
} from '../../src/store/parquet/format/column-type.ts';

/** Returns the value of each row of a chunk with one data page. Throws if the bytes are not such a chunk. */
export function decodeChunk(column: ParquetColumn, bytes: Uint8Array): (StoredValue | null)[] {
  const { name } = column;
  const schemaElement = toDecoderElement(column);
  const { type, type_length } = schemaElement;
  const schemaPath = getSchemaPath([{ name: 'root', num_children: 1 }, schemaElement], [name]);
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  let dictionary: DecodedArray | null = null;
  for (;;) {
    const header = parquetHeader(reader);
    const pageStart = reader.offset;
    reader.offset += header.compressed_page_size;
    const pageBytes = bytes.subarray(pageStart, reader.offset);
    const { dictionary_page_header: dictionaryHeader } = header;
    if (dictionaryHeader === undefined) {
      const decoder = {
        pathInSchema: [name],
        type,
        element: schemaElement,
        schemaPath,
        codec: 'SNAPPY' as const,
        parsers,
      };
      const { definitionLevels, dataPage } = readDataPageV2(pageBytes, header, decoder);
      if (reader.offset !== bytes.length) throw new Error(`${name} has more bytes after its data page`);
      // Dictionary indices are small enough for JavaScript numbers, never bigints.
      const stored = Array.from(dataPage as ArrayLike<number>, (value) => dictionary?.[value] ?? value);
      const values = stored.map((value) => toStoredValue(value, column.type));
      if (definitionLevels === undefined) return values;
      const rest = values.values();
      return definitionLevels.map((level) => (level === 0 ? null : (rest.next().value as StoredValue)));
    }
    const dictionaryBytes = decompressPage(pageBytes, header.uncompressed_page_size, 'SNAPPY', undefined);
    const view = new DataView(dictionaryBytes.buffer, dictionaryBytes.byteOffset, dictionaryBytes.byteLength);
    dictionary = readPlain({ view, offset: 0 }, type, dictionaryHeader.num_values, type_length);
  }
}

const PHYSICAL_TYPE_NAMES: Readonly<Record<ColumnType, ParquetType>> = {
  ...{ text: 'BYTE_ARRAY', boolean: 'BOOLEAN', decimal: 'FIXED_LEN_BYTE_ARRAY' },
  ...{ int32: 'INT32', date: 'INT32', int64: 'INT64', timestamp: 'INT64' },
};

/** Returns a schema element without a logical type, because values are compared in their stored form. */
const toDecoderElement = ({ name, type, nullable }: ParquetColumn) => ({
  ...{
    name,
    type: PHYSICAL_TYPE_NAMES[type],
    repetition_type: nullable ? ('OPTIONAL' as const) : ('REQUIRED' as const),
  },
  ...(type === 'decimal' ? { type_length: DECIMAL_BYTES } : {}),
});

/** Returns a decoded value in the form that the writer received. */
function toStoredValue(value: StoredValue | Uint8Array, type: ColumnType): StoredValue {
  if (!(value instanceof Uint8Array)) return value;
  const { buffer, byteOffset, length } = value;
  if (type === 'text') return Buffer.from(buffer, byteOffset, length).toString();
  const view = new DataView(buffer, byteOffset, length);
  return (view.getBigInt64(0) << 64n) | view.getBigUint64(8);
}
