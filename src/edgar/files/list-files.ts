/** Lists the files in a directory and its folders. The reader of each format selects its files by name or content. */
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { NOT_REGULAR_REASON } from '../../platform/files/regular-file.ts';
import { SkippedRowCounts } from './skipped-rows.ts';

export interface ListedFile {
  readonly path: string;
  /** Path relative to the directory, with slashes. */
  readonly name: string;
  readonly bytes: number;
}

/** Whether the name ends in .zip, ignoring case. */
export const isZip = ({ name }: Pick<ListedFile, 'name'>): boolean => /\.zip$/i.test(name);

/** Maximum depth of nested folders: enough for quarter/day/filing. */
const MAX_FOLDER_DEPTH = 3;
const MAX_FILES = 500_000;

/** Collects reports about files that are not listed. */
interface SkippedFileReport {
  readonly skipped: SkippedRowCounts;
  /** Sentences, each with the name of a file or folder. */
  readonly problems: string[];
}

/**
 * Lists files sorted by name, so that equal directories result in equal releases. If `path` is a file, lists only this
 * file. Counts and reports folders that are too deep, files over the limit, pipes, devices and broken links.
 */
export async function listFiles(
  path: string,
  skipped: SkippedFileReport = { skipped: new SkippedRowCounts(), problems: [] },
  maxFiles = MAX_FILES,
): Promise<readonly ListedFile[]> {
  const stats = await stat(path);
  if (!stats.isDirectory()) return [{ path, name: basename(path), bytes: stats.size }];
  const files: ListedFile[] = [];
  let isOverLimit = false;
  const skip = (reason: string, problem: string) => {
    skipped.skipped.add(reason);
    skipped.problems.push(problem);
  };
  const addFile = async (filePath: string, name: string) => {
    if (files.length >= maxFiles) {
      const problem = `${name}: this file and all later files are over the maximum of ${maxFiles}; put files into zips`;
      skipped.skipped.add('a source file over the maximum number');
      if (!isOverLimit) skipped.problems.push(problem);
      isOverLimit = true;
      return;
    }
    // A link to a file is listed as a file. Links to directories are skipped, because they may form loops.
    const stats = await stat(filePath).catch(() => null);
    if (stats?.isFile() === true) files.push({ path: filePath, name, bytes: stats.size });
    else if (stats?.isDirectory() !== true)
      skip('a source file that is not a regular file', `${name}: ${NOT_REGULAR_REASON}`);
  };
  const addFolder = async (folder: string, prefix: string, depth: number): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const entryPath = join(folder, entry.name);
      const name = prefix + entry.name;
      const advice = `more than ${MAX_FOLDER_DEPTH} levels deep, so its files are not read; move the files up`;
      if (!entry.isDirectory()) await addFile(entryPath, name);
      else if (depth < MAX_FOLDER_DEPTH) await addFolder(entryPath, `${name}/`, depth + 1);
      else skip('a source folder that is too deep', `${name}: the folder is ${advice}`);
    }
  };
  await addFolder(path, '', 0);
  return files;
}
