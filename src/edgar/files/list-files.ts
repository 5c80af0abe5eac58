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
  const lister = new DirectoryLister(skipped, maxFiles);
  await lister.addDirectory(path, '', 0);
  return lister.files;
}

class DirectoryLister {
  readonly files: ListedFile[] = [];
  #isOverLimit = false;

  constructor(
    private readonly skippedFiles: SkippedFileReport,
    private readonly maxFiles: number,
  ) {}

  async addDirectory(folder: string, prefix: string, depth: number): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = join(folder, entry.name);
      const name = prefix + entry.name;
      if (!entry.isDirectory()) await this.#addFile(path, name);
      else if (depth < MAX_FOLDER_DEPTH) await this.addDirectory(path, `${name}/`, depth + 1);
      else
        this.#skip(
          'a source folder that is too deep',
          `${name}: the folder is more than ${MAX_FOLDER_DEPTH} levels deep, so its files are not read; move the files up`,
        );
    }
  }

  async #addFile(path: string, name: string): Promise<void> {
    if (this.files.length >= this.maxFiles) {
      this.#skip('a source file over the maximum number', this.#isOverLimit ? null : this.#describeLimit(name));
      this.#isOverLimit = true;
      return;
    }
    // A link to a file is listed as a file. Links to directories are skipped, because they may form loops.
    const stats = await stat(path).catch(() => null);
    if (stats?.isFile() === true) this.files.push({ path, name, bytes: stats.size });
    else if (stats?.isDirectory() !== true)
      this.#skip('a source file that is not a regular file', `${name}: ${NOT_REGULAR_REASON}`);
  }

  #describeLimit(name: string): string {
    return `${name}: this file and all later files are over the maximum of ${this.maxFiles}; put files into zips`;
  }

  #skip(reason: string, problem: string | null): void {
    this.skippedFiles.skipped.add(reason);
    if (problem !== null) this.skippedFiles.problems.push(problem);
  }
}
