/**
 * Forges a release: its hashes are correct, but a page header states a negative length. A reader that trusts this
 * length never ends.
 */
import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { readManifest, serializeManifest, type TableFile } from '../../src/store/releases/manifest.ts';

/** Forges the first page header of a table in a release directory. */
export function forgeHeader(directory: string, table: 'companies' | 'screen'): void {
  const manifest = readManifest(directory);
  const tableFile = manifest.tables[table] as TableFile;
  const [parquet, index] = [tableFile.file, tableFile.index.file].map((name) => readFileSync(join(directory, name)));
  if (parquet === undefined || index === undefined) throw new Error(`the release lacks the table ${table}`);
  // Offsets of the first page header and, in the index, of the length of its chunk. The chunk's checksum follows the
  // length.
  const [pageOffset, lengthOffset] = [4, (4 + 5) * 4];
  parquet.set([0x18, 0xff, 0xff, 0xff, 0xff, 0x0f], pageOffset);
  index.writeUInt32LE(
    crc32(parquet.subarray(pageOffset, pageOffset + index.readUInt32LE(lengthOffset))),
    lengthOffset + 4,
  );
  const measureAndHash = (bytes: Buffer) => ({ bytes: bytes.length, sha256: hash('sha256', bytes, 'hex') });
  const forgedTableFile = {
    ...tableFile,
    ...measureAndHash(parquet),
    index: { ...tableFile.index, ...measureAndHash(index), crc32: crc32(index) },
  };
  writeFileSync(join(directory, tableFile.file), parquet);
  writeFileSync(join(directory, tableFile.index.file), index);
  const manifestText = serializeManifest({ ...manifest, tables: { ...manifest.tables, [table]: forgedTableFile } });
  writeFileSync(join(directory, 'manifest.json'), manifestText);
}
