/** Reads the pages of a column chunk as hyparquet decodes them: what was written is compared with this. */
import type { DecodedArray } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { DEFAULT_PARSERS as parsers } from 'hyparquet/src/convert.js';
import { decompressPage, readDataPageV2 } from 'hyparquet/src/datapage.js';
import { readPlain } from 'hyparquet/src/plain.js';
import { getSchemaPath } from 'hyparquet/src/schema.js';
import { decimalOf } from './encode-chunk.ts';
import type { StoredElement } from './file-column.ts';
import type { StoredValue } from './typed-value.ts';

export interface DecodedChunk {
  /** Of each row 0 where it has no value, else 1; none where every row has one. */
  readonly levels: readonly number[] | undefined;
  /** How many rows have a value. */
  readonly count: number;
  /** Of each row that has a value, its index in the dictionary; null without one. */
  readonly indices: ArrayLike<number> | null;
  /** The value at a place in the dictionary, or among those of rows. */
  readonly valueAt: (place: number) => StoredValue;
}

/** Of a chunk that has one data page. Throws where these are no such pages. */
export function decodeChunk(element: StoredElement, bytes: Uint8Array): DecodedChunk {
  const { name, type, type_length } = element;
  const schemaPath = getSchemaPath([{ name: 'root', num_children: 1 }, element], [name]);
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  let dictionary: DecodedArray | null = null;
  for (;;) {
    const header = parquetHeader(reader);
    const from = reader.offset;
    reader.offset += header.compressed_page_size;
    const page = bytes.subarray(from, reader.offset);
    const { dictionary_page_header: ofDictionary } = header;
    if (ofDictionary === undefined) {
      const decoder = { pathInSchema: [name], type, element, schemaPath, codec: 'SNAPPY' as const, parsers };
      const { definitionLevels, dataPage } = readDataPageV2(page, header, decoder);
      if (reader.offset !== bytes.length) throw new Error(`${name} has pages that were not written`);
      const values = dictionary ?? dataPage;
      return {
        levels: definitionLevels,
        count: dataPage.length,
        // Indices are never as wide as a bigint.
        indices: dictionary === null ? null : (dataPage as number[]),
        valueAt: (place) => asStored(values[place], type),
      };
    }
    const content = decompressPage(page, header.uncompressed_page_size, 'SNAPPY', undefined);
    const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
    dictionary = readPlain({ view, offset: 0 }, type, ofDictionary.num_values, type_length);
  }
}

/** A decoded value as it was given to be written. */
function asStored(value: StoredValue | Uint8Array, type: StoredElement['type']): StoredValue {
  if (!(value instanceof Uint8Array)) return value;
  if (type !== 'BYTE_ARRAY') return decimalOf(value);
  return Buffer.from(value.buffer, value.byteOffset, value.length).toString();
}
