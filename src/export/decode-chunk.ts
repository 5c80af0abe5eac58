/** Reads the pages of a column chunk with hyparquet's decoder, to compare decoded with written values. */
import type { DecodedArray, ParquetType } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { DEFAULT_PARSERS as parsers } from 'hyparquet/src/convert.js';
import { decompressPage, readDataPageV2 } from 'hyparquet/src/datapage.js';
import { readPlain } from 'hyparquet/src/plain.js';
import { getSchemaPath } from 'hyparquet/src/schema.js';
import { type ColumnType, DECIMAL_BYTES, type ParquetColumn, type StoredValue } from '../store/parquet/column-type.ts';

export interface DecodedChunk {
  /** Definition level of each row: 0 without a value, 1 with a value; undefined if every row has a value. */
  readonly levels: readonly number[] | undefined;
  /** Number of rows with a value. */
  readonly count: number;
  /** Dictionary index of each row with a value; null if the chunk has no dictionary. */
  readonly indices: ArrayLike<number> | null;
  /**
   * Returns the value at an index: an index of the dictionary, or, without a dictionary, the position among the values.
   */
  readonly valueAt: (index: number) => StoredValue;
}

/** Decodes a chunk with one data page. Throws if the bytes are not a chunk with one data page. */
export function decodeChunk(column: ParquetColumn, bytes: Uint8Array): DecodedChunk {
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
      const dictionaryOrPlainValues = dictionary ?? dataPage;
      return {
        levels: definitionLevels,
        count: dataPage.length,
        // Dictionary indices are small enough for JavaScript numbers, never bigints.
        indices: dictionary === null ? null : (dataPage as number[]),
        valueAt: (index) => toStoredValue(dictionaryOrPlainValues[index], column.type),
      };
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
