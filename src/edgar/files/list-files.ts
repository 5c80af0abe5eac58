/** Lists the files in a directory and its folders. The reader of each format selects its files by name or content. */
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

export interface ListedFile {
  readonly path: string;
  /** Path relative to the directory, with slashes. */
  readonly name: string;
  readonly bytes: number;
}

/** Whether the name ends in .zip, ignoring case. */
export const isZip = ({ name }: Pick<ListedFile, 'name'>): boolean => /\.zip$/i.test(name);

/** Maximum depth of folders: for example, one folder per quarter, with one per day, with one per filing. */
const MAX_FOLDER_DEPTH = 3;
const MAX_FILES = 500_000;

/**
 * Lists files sorted by name, so that equal directories result in equal releases. If `path` is a file, lists only this
 * file.
 * @param onUnreadable called with the name of anything other than a file or directory, such as a pipe or a broken link
 */
export async function listFiles(path: string, onUnreadable?: (name: string) => void): Promise<readonly ListedFile[]> {
  const stats = await stat(path);
  if (!stats.isDirectory()) return [{ path, name: basename(path), bytes: stats.size }];
  const files: ListedFile[] = [];
  await listDirectory(path, '', 0, files, onUnreadable);
  return files;
}

async function listDirectory(
  directory: string,
  prefix: string,
  depth: number,
  files: ListedFile[],
  onUnreadable: ((name: string) => void) | undefined,
): Promise<void> {
  const directoryEntries = await readdir(directory, { withFileTypes: true });
  directoryEntries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const directoryEntry of directoryEntries) {
    if (files.length >= MAX_FILES) return;
    const path = join(directory, directoryEntry.name);
    const name = prefix + directoryEntry.name;
    if (directoryEntry.isDirectory()) {
      if (depth < MAX_FOLDER_DEPTH) await listDirectory(path, `${name}/`, depth + 1, files, onUnreadable);
      continue;
    }
    // A link to a file is listed as a file. Links to directories are skipped, because they may form loops.
    const stats = await stat(path).catch(() => null);
    if (stats?.isFile() === true) files.push({ path, name, bytes: stats.size });
    else if (stats?.isDirectory() !== true) onUnreadable?.(name);
  }
}
