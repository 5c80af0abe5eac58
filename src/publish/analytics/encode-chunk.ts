/** Writes the pages of a typed column chunk: a dictionary, where it is much shorter, then all rows as one data page (version 2). */
import type { ColumnMetaData } from 'hyparquet';
import { snappyCompress } from 'hyparquet-writer/src/snappy.js';
import { ENCODING } from '../../store/parquet/format.ts';
import { indexRuns, runsOf, texts } from '../../store/parquet/page-content.ts';
import { PageWriter } from '../../store/parquet/page-writer.ts';
import type { StoredElement } from './file-column.ts';
import type { StoredValue } from './typed-value.ts';

/** Different values, and the index of the one that each row has which is not null. */
export interface IndexedValues {
  readonly dictionary: readonly StoredValue[];
  readonly indices: Uint32Array;
}

export type EncodedPages = Omit<ColumnMetaData, 'path_in_schema' | 'statistics'> & {
  readonly bytes: Uint8Array<ArrayBuffer>;
};

/** A DECIMAL as Parquet has it: two's complement, the highest byte first. */
const DECIMAL_BYTES = 16;
const LOW_BITS = 64n;
/** The length that stands before a text. */
const LENGTH_BYTES = 4;

/** @param levels of each row 1 where it has a value, else 0 */
export function encodeChunk(
  { type, repetition_type }: StoredElement,
  values: IndexedValues,
  levels: Uint8Array,
): EncodedPages {
  const { dictionary, indices } = values;
  const pages = new PageWriter(snappyCompress);
  const page = {
    rows: levels.length,
    nulls: levels.length - indices.length,
    levels: repetition_type === 'REQUIRED' ? null : runsOf(levels, 1),
  };
  const described = (encodings: ColumnMetaData['encodings'], dataAt: number): EncodedPages => ({
    ...{ type, encodings, codec: 'SNAPPY', bytes: pages.bytes() },
    num_values: BigInt(levels.length),
    total_uncompressed_size: BigInt(pages.uncompressed),
    total_compressed_size: BigInt(pages.length),
    data_page_offset: BigInt(dataAt),
    ...(dataAt > 0 ? { dictionary_page_offset: 0n } : {}),
  });
  const ofRows = () => Array.from(indices, (index) => dictionary[index] as StoredValue);
  // Runs of booleans are shorter, and some readers take them for other values: parquetjs has no true among them.
  if (type === 'BOOLEAN' || !hasDictionary(type, values)) {
    pages.data({ ...page, encoding: ENCODING.plain, content: plain(type, ofRows()) });
    return described(['PLAIN'], 0);
  }
  pages.dictionary(dictionary.length, plain(type, dictionary));
  const dataAt = pages.length;
  pages.data({ ...page, encoding: ENCODING.rleDictionary, content: indexRuns(indices, dictionary.length) });
  return described(['PLAIN', 'RLE_DICTIONARY'], dataAt);
}

/** Whether a dictionary and indices take less than half of the bytes that the values take one after the other. */
function hasDictionary(type: StoredElement['type'], { dictionary, indices }: IndexedValues): boolean {
  const ofIndices = (indices.length * Math.log2(dictionary.length + 1)) / 8;
  if (type !== 'BYTE_ARRAY') {
    const size = type === 'INT32' ? 4 : type === 'INT64' ? 8 : DECIMAL_BYTES;
    return 2 * (dictionary.length * size + ofIndices) < indices.length * size;
  }
  const sizes = Uint32Array.from(dictionary as string[], (text) => LENGTH_BYTES + text.length);
  let [once, each] = [0, 0];
  for (let at = 0; at < sizes.length; at += 1) once += sizes[at] as number;
  for (let at = 0; at < indices.length; at += 1) each += sizes[indices[at] as number] as number;
  return 2 * (once + ofIndices) < each;
}

/** Values one after the other. */
function plain(type: StoredElement['type'], values: readonly StoredValue[]): Uint8Array {
  if (type === 'INT32') return new Uint8Array(Int32Array.from(values as number[]).buffer);
  if (type === 'INT64') return new Uint8Array(BigInt64Array.from(values as bigint[]).buffer);
  if (type === 'BOOLEAN') return bits(values as boolean[]);
  return type === 'BYTE_ARRAY' ? texts(values as string[]) : decimals(values as bigint[]);
}

/** One bit each, the lowest of a byte first. */
function bits(values: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(values.length / 8));
  for (const [at, value] of values.entries()) if (value) bytes[at >> 3] = (bytes[at >> 3] as number) | (1 << (at & 7));
  return bytes;
}

function decimals(values: readonly bigint[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * DECIMAL_BYTES));
  let at = 0;
  for (const value of values) {
    view.setBigInt64(at, value >> LOW_BITS);
    view.setBigUint64(at + 8, BigInt.asUintN(64, value));
    at += DECIMAL_BYTES;
  }
  return new Uint8Array(view.buffer);
}

/** The number of a DECIMAL, without its point. */
export function decimalOf(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return (view.getBigInt64(0) << LOW_BITS) | view.getBigUint64(8);
}
