import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { openArchive } from './archive.ts';
import { isZip, type ListedFile } from './list-files.ts';

/**
 * Returns a text that identifies the file's content: names, sizes and checksums of the members of a zip, or the hash of
 * other files. Throws file system errors.
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
