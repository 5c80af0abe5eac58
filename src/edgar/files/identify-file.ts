import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { openArchive } from './archive.ts';
import { isZip, type ListedFile } from './list-files.ts';

/**
 * What tells a file from others of its name: of a zip the names, sizes and checksums of its members, else the hash of its bytes.
 * Throws what reading it throws.
 */
export async function identifyFile({ name, path }: Pick<ListedFile, 'name' | 'path'>): Promise<string> {
  if (!isZip({ name })) return hash('sha256', await readFile(path), 'hex');
  const archive = await openArchive(path, undefined, 'path');
  try {
    const members = archive.names.map((member) => `${member} ${archive.identify(member)}`);
    return hash('sha256', [...members, JSON.stringify(archive.rejected)].join('\n'), 'hex');
  } finally {
    archive.close();
  }
}
