/** Zip files that are made to exhaust the resources of a reader. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openArchive } from '../../../src/edgar/files/archive.ts';
import { makeFolder } from '../../store/public-source.ts';
import { makeZip } from '../make-zip.ts';

/** Writes a zip file, and calls `change` for each entry of its directory. */
async function makeChangedZip(
  members: Readonly<Record<string, string>>,
  change: (zip: Buffer, entryOffset: number, index: number) => void,
): Promise<string> {
  const path = join(await makeFolder('zip'), 'a.zip');
  await makeZip(path, members);
  const bytes = await readFile(path);
  let index = 0;
  for (let offset = bytes.indexOf('PK\x01\x02'); offset >= 0; offset = bytes.indexOf('PK\x01\x02', offset + 4))
    change(bytes, offset, index++);
  await writeFile(path, bytes);
  return path;
}

test('a zip whose members share bytes is refused, and the error names such a member', async () => {
  const members = { 'a.txt': 'x'.repeat(5000), 'b.txt': 'x'.repeat(5000), 'c.txt': 'x'.repeat(5000) };
  const path = await makeChangedZip(members, (bytes, entryOffset, index) => {
    // Makes every entry after the first point to the first member.
    if (index > 0) bytes.writeUInt32LE(0, entryOffset + 42);
  });
  await expect(openArchive(path)).rejects.toThrow(/a\.zip: the file [bc]\.txt overlaps another file/);
  (await openArchive(await makeChangedZip(members, () => {}))).close();
});

test('a zip with an implausible compression ratio is refused before a member is read', async () => {
  const path = await makeChangedZip({ 'a.txt': 'x', 'b.txt': 'y' }, (bytes, entryOffset) =>
    bytes.writeUInt32LE(0x7fffffff, entryOffset + 24),
  );
  await expect(openArchive(path)).rejects.toThrow(/a\.zip: its files unpack to 4294967294 bytes, more than the \d+/);
});

test('a member that is not at its stated position is refused, and the other members are read', async () => {
  const path = await makeChangedZip({ 'a.txt': 'x', 'b.txt': 'y' }, (bytes, entryOffset, index) => {
    if (index === 1) bytes.writeUInt32LE(bytes.readUInt32LE(entryOffset + 42) + 1, entryOffset + 42);
  });
  const archive = await openArchive(path);
  try {
    expect((await archive.read('a.txt')).toString()).toBe('x');
    await expect(archive.read('b.txt')).rejects.toThrow(
      /b\.txt: it cannot be read: its header is not where the zip directory says/,
    );
  } finally {
    archive.close();
  }
});
