/** Lists the files below a directory, for readers that recognize their files by name or content. */
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

export interface ListedFile {
  readonly path: string;
  /** The path relative to the directory, with slashes. */
  readonly name: string;
  readonly bytes: number;
}

/** Whether the name ends in .zip, ignoring case. */
export const isZip = ({ name }: Pick<ListedFile, 'name'>): boolean => /\.zip$/i.test(name);

/** Maximum depth of folders: a quarter's data set, a day's filings in it, and the folder of a filing. */
const MAX_DEPTH = 3;
const MAX_FILES = 500_000;

/**
 * Sorted by name, so that the same files always make the same release. A path to one file lists that file.
 * @param onOther called with the name of anything other than a file or directory, such as a pipe or a broken link
 */
export async function listFiles(path: string, onOther?: (name: string) => void): Promise<readonly ListedFile[]> {
  const info = await stat(path);
  if (!info.isDirectory()) return [{ path, name: basename(path), bytes: info.size }];
  const files: ListedFile[] = [];
  await walk(path, '', 0, files, onOther);
  return files;
}

async function walk(
  directory: string,
  prefix: string,
  depth: number,
  files: ListedFile[],
  onOther: ((name: string) => void) | undefined,
): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (files.length >= MAX_FILES) return;
    const path = join(directory, entry.name);
    const name = prefix + entry.name;
    if (entry.isDirectory()) {
      if (depth < MAX_DEPTH) await walk(path, `${name}/`, depth + 1, files, onOther);
      continue;
    }
    // A link to a file counts as the file; links to directories are not followed, because they may form loops.
    const info = await stat(path).catch(() => null);
    if (info?.isFile() === true) files.push({ path, name, bytes: info.size });
    else if (info?.isDirectory() !== true) onOther?.(name);
  }
}
