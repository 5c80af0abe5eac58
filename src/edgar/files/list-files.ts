/** Lists the files below a directory, for readers that recognise theirs by name or content. */
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

export interface ListedFile {
  readonly path: string;
  /** From the directory on, with slashes. */
  readonly name: string;
  readonly bytes: number;
}

/** By its name, in any case. */
export const isZip = ({ name }: Pick<ListedFile, 'name'>): boolean => /\.zip$/i.test(name);

/** A quarter's data set, in it the filings of a day, in it the folder of a filing. */
const MAX_DEPTH = 3;
const MAX_FILES = 500_000;

/**
 * In order of name, so that the same files always make the same release. A path to one file lists that file.
 * @param onOther called with the name of what is neither file nor directory, such as a pipe or a broken link
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
    // A link to a file counts as the file; links to directories are not followed, because they may form a loop.
    const info = await stat(path).catch(() => null);
    if (info?.isFile() === true) files.push({ path, name, bytes: info.size });
    else if (info?.isDirectory() !== true) onOther?.(name);
  }
}
