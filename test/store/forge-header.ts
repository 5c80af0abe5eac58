/**
 * Makes a release with correct hashes in which a page header contains a binary of negative length: a reader that trusts
 * the length never ends.
 */
import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { manifestText, readManifest, type TableFile } from '../../src/store/manifest.ts';

/** Forges the first page header of a table in a release directory. */
export function forgeHeader(directory: string, table: 'companies' | 'screen'): void {
  const manifest = readManifest(directory);
  const entry = manifest.tables[table] as TableFile;
  const [parquet, index] = [entry.file, entry.index.file].map((name) => readFileSync(join(directory, name)));
  if (parquet === undefined || index === undefined) throw new Error('no table');
  // Offsets of the first page header and, in the index, of the length of its chunk. The chunk's checksum follows the
  // length.
  const [first, place] = [4, (4 + 5) * 4];
  parquet.set([0x18, 0xff, 0xff, 0xff, 0xff, 0x0f], first);
  index.writeUInt32LE(crc32(parquet.subarray(first, first + index.readUInt32LE(place))), place + 4);
  const identity = (bytes: Buffer) => ({ bytes: bytes.length, sha256: hash('sha256', bytes, 'hex') });
  const forged = {
    ...entry,
    ...identity(parquet),
    index: { ...entry.index, ...identity(index), crc32: crc32(index) },
  };
  writeFileSync(join(directory, entry.file), parquet);
  writeFileSync(join(directory, entry.index.file), index);
  const text = manifestText({ ...manifest, tables: { ...manifest.tables, [table]: forged } });
  writeFileSync(join(directory, 'manifest.json'), text);
}
