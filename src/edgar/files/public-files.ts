/**
 * Finds company facts, submissions and ticker lists in a directory of public files: in bulk zips, or as separate files.
 * `openPublicFiles` reads only names. Content is read company by company, so that workers can share the companies.
 */
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pushTo } from '../../platform/collections.ts';
import { NOT_REGULAR_REASON } from '../../platform/files/regular-file.ts';
import { describeCause, throwIfMachineFault } from '../../platform/files/system-error.ts';
import { type Archive, DISK_FILES, type FileSource, openArchive, useArchive } from './archive.ts';
import { isStatementSet } from './delimited.ts';
import { isZip, listFiles } from './list-files.ts';

export class PublicFilesError extends Error {
  override readonly name = 'PublicFilesError';
}

export type PublicFiles = Pick<
  PublicDirectory,
  | ('path' | 'factCiks' | 'submissionCiks' | 'files' | 'unread' | 'rejected' | 'getFactsFileName' | 'readFacts')
  | ('readSubmissionFiles' | 'identify' | 'readTickerList' | 'close')
>;
const FACTS_FILE_NAME_PATTERN = /^CIK(\d{10})(?:-(\d{4}-\d{2}-\d{2}))?\.json$/i;
const SUBMISSIONS_FILE_NAME_PATTERN = /^CIK(\d{10})(?:-submissions-(\d{3}))?\.json$/i;
/** The page number of a main file: sorts before the numbers 001, 002, … of continuation pages. */
const MAIN_FILE_PAGE_NUMBER = '';
export const TICKERS_FILE_NAME = 'company_tickers.json';
export const TICKERS_AND_EXCHANGE_FILE_NAME = 'company_tickers_exchange.json';

/** Names of the subdirectories that are read, ignoring case. Zips in the first two are read, whatever their names. */
const FOLDER_NAMES: ReadonlySet<string> = new Set(['companyfacts', 'submissions', 'files']);

const NAME_PATTERN_BY_FOLDER: ReadonlyMap<string, RegExp> = new Map([
  ['companyfacts', FACTS_FILE_NAME_PATTERN],
  ['submissions', SUBMISSIONS_FILE_NAME_PATTERN],
]);

/**
 * Opens a directory of public files, or a single zip. Throws PublicFilesError if the path contains no company facts, no
 * submissions and no financial statement data set.
 */
export async function openPublicFiles(path: string): Promise<PublicFiles> {
  const folder = new PublicDirectory(path);
  const stats = await stat(path).catch((cause: unknown) => {
    throw new PublicFilesError(`${path}: ${describeCause(cause)}`, { cause });
  });
  try {
    if (stats.isDirectory()) await folder.addDirectory(path, '');
    else await folder.addZip(path, basename(path), stats.size, true);
  } catch (cause) {
    folder.close();
    throw cause;
  }
  const hasFiles = folder.factFileByCik.size > 0 || folder.submissionFilesByCik.size > 0;
  if (!hasFiles && !(await containsStatementSet(path))) {
    folder.close();
    const [name] = folder.unreadableNames;
    if (name !== undefined) throw new PublicFilesError(`${join(path, name)}: ${NOT_REGULAR_REASON}`);
    const [source] = folder.unread;
    if (source !== undefined) throw new PublicFilesError(`${source.name} in ${path}: ${source.reason}`);
    throw new PublicFilesError(
      `${path} has no company facts, no submissions and no financial statement data set: it needs companyfacts.zip, submissions.zip, CIK##########.json files or a data set such as 2024q1.zip`,
    );
  }
  return folder;
}

/** Whether one of the zips is a financial statement data set. Ignores unreadable zips. */
async function containsStatementSet(path: string): Promise<boolean> {
  for (const file of (await listFiles(path)).filter(isZip)) {
    const isSet = await useArchive(file.path, undefined, 'path', isStatementSet).catch((cause: unknown) => {
      throwIfMachineFault(file.name, cause);
      return false;
    });
    if (isSet) return true;
  }
  return false;
}

/** A file on disk, or a member of a zip. */
interface FoundFile {
  readonly name: string;
  readonly path: string;
  readonly source: FileSource;
}

class PublicDirectory {
  /** Zips and ticker lists in the directory, with sizes. The manifest of a release lists these files as sources. */
  readonly files: { name: string; bytes: number }[] = [];
  /** Zips and folders of company facts or submissions in which no file is named as expected, each with the reason. */
  readonly unread: { name: string; reason: string }[] = [];
  /** Unread members of zips, with the reason. */
  readonly rejected: { name: string; reason: string }[] = [];
  /** Names of unreadable entries: pipes, devices and broken links. */
  readonly unreadableNames: string[] = [];
  readonly factFileByCik = new Map<number, FoundFile & { displayPath: string; dayInName: string }>();
  readonly submissionFilesByCik = new Map<number, (FoundFile & { page: string })[]>();
  readonly #pathByTickerFile = new Map<string, string>();
  readonly #archives: Archive[] = [];

  constructor(readonly path: string) {}

  /** CIKs of the companies with a file of facts, ascending. */
  get factCiks(): readonly number[] {
    return [...this.factFileByCik.keys()].sort((a, b) => a - b);
  }

  /** CIKs of the filers with submissions, ascending. */
  get submissionCiks(): readonly number[] {
    return [...this.submissionFilesByCik.keys()].sort((a, b) => a - b);
  }

  async addDirectory(directory: string, folder: string): Promise<void> {
    const entries = await readdir(directory, { withFileTypes: true });
    // Sorted, so that equal directories result in equal releases.
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const pattern = NAME_PATTERN_BY_FOLDER.get(folder.toLowerCase());
    // Zips in these folders are checked by the names of their members.
    const names = entries.filter((entry) => !entry.isDirectory() && !isZip(entry)).map(({ name }) => name);
    if (pattern !== undefined && names.length > 0) this.#checkNames(`${folder}/`, names, pattern);
    for (const entry of entries) {
      const path = join(directory, entry.name);
      if (!entry.isDirectory()) await this.#addFile(path, folder);
      else if (folder === '' && FOLDER_NAMES.has(entry.name.toLowerCase())) await this.addDirectory(path, entry.name);
    }
  }

  async #addFile(path: string, folder: string): Promise<void> {
    const name = basename(path);
    const displayPath = folder === '' ? name : `${folder}/${name}`;
    const stats = await stat(path).catch(() => null);
    // Skips pipes and devices, because a read might never end.
    if (stats?.isFile() !== true) {
      this.unreadableNames.push(displayPath);
      return;
    }
    const lowerName = name.toLowerCase();
    const folderName = folder.toLowerCase();
    const isBulk = lowerName === 'companyfacts.zip' || lowerName === 'submissions.zip';
    if (isBulk || (NAME_PATTERN_BY_FOLDER.has(folderName) && isZip({ name }))) {
      const content = isBulk ? basename(lowerName, '.zip') : folderName;
      await this.addZip(path, displayPath, stats.size, content === 'companyfacts');
      return;
    }
    if (lowerName === TICKERS_FILE_NAME || lowerName === TICKERS_AND_EXCHANGE_FILE_NAME) {
      if (!this.#pathByTickerFile.has(lowerName)) this.#pathByTickerFile.set(lowerName, path);
      this.files.push({ name: displayPath, bytes: stats.size });
      return;
    }
    if (folderName === 'files') return;
    const file = { name, path, source: DISK_FILES };
    if (folderName !== 'submissions' && FACTS_FILE_NAME_PATTERN.test(name)) this.#addFactsFile(file, displayPath);
    else this.#addSubmissionsFile(file);
  }

  /** Adds the members of a zip of company facts, or of submissions. */
  async addZip(path: string, displayPath: string, bytes: number, hasFacts: boolean): Promise<void> {
    const archive = await openArchive(path);
    this.#archives.push(archive);
    this.files.push({ name: displayPath, bytes });
    this.rejected.push(...archive.rejected);
    this.#checkNames(displayPath, archive.names, hasFacts ? FACTS_FILE_NAME_PATTERN : SUBMISSIONS_FILE_NAME_PATTERN);
    for (const name of archive.names) {
      const file = { name, path: name, source: archive };
      if (hasFacts) this.#addFactsFile(file, `${basename(path)}: ${name}`);
      else this.#addSubmissionsFile(file);
    }
  }

  /** Adds the source to `unread` if none of its files has a name that matches. */
  #checkNames(displayPath: string, names: readonly string[], pattern: RegExp): void {
    if (names.some((name) => pattern.test(name))) return;
    this.unread.push({ name: displayPath, reason: describeWrongNames(names) });
  }

  /**
   * Adds a file of company facts. If a company has several files, the one without a day in its name is used, otherwise
   * the latest.
   */
  #addFactsFile(file: FoundFile, displayPath: string): void {
    const match = FACTS_FILE_NAME_PATTERN.exec(file.name);
    if (match === null) return;
    const cik = Number(match[1]);
    const dayInName = match[2] ?? '9999-12-31';
    const otherFile = this.factFileByCik.get(cik);
    if (otherFile === undefined || otherFile.dayInName < dayInName)
      this.factFileByCik.set(cik, { ...file, displayPath: displayPath, dayInName: dayInName });
  }

  #addSubmissionsFile(file: FoundFile): void {
    const match = SUBMISSIONS_FILE_NAME_PATTERN.exec(file.name);
    if (match === null) return;
    pushTo(this.submissionFilesByCik, Number(match[1]), { ...file, page: match[2] ?? MAIN_FILE_PAGE_NUMBER });
  }

  /** Returns the name of the company's facts file, including the name of its zip. Throws if the file is missing. */
  getFactsFileName(cik: number): string {
    const file = this.factFileByCik.get(cik);
    if (file === undefined) throw new Error(`the facts of CIK ${cik} are missing`);
    return file.displayPath;
  }

  /** Returns the company's facts as UTF-8 JSON; null if the company has no file of facts. */
  async readFacts(cik: number): Promise<Buffer | null> {
    const file = this.factFileByCik.get(cik);
    return file === undefined ? null : file.source.read(file.path);
  }

  /** Returns the filer's main file and its continuation pages, in order. */
  async readSubmissionFiles(cik: number): Promise<{ mainFile: string | null; pageFiles: readonly string[] }> {
    let text: string | null = null;
    const pages: string[] = [];
    const files = this.submissionFilesByCik.get(cik) ?? [];
    for (const file of [...files].sort((a, b) => (a.page < b.page ? -1 : 1))) {
      const content = await file.source.read(file.path);
      if (file.page === MAIN_FILE_PAGE_NUMBER) text ??= content.toString('utf8');
      else pages.push(content.toString('utf8'));
    }
    return { mainFile: text, pageFiles: pages };
  }

  /**
   * Returns one text for each file of the company (facts and submissions). The text changes if the content of the file
   * changes.
   */
  async identify(cik: number): Promise<readonly string[]> {
    const file = this.factFileByCik.get(cik);
    const files = [...(file === undefined ? [] : [file]), ...(this.submissionFilesByCik.get(cik) ?? [])];
    return Promise.all(files.map(async ({ name, path, source }) => `${name} ${await source.identify(path)}`));
  }

  /** Returns the content of a ticker list; null for a missing list. */
  async readTickerList(name: typeof TICKERS_FILE_NAME | typeof TICKERS_AND_EXCHANGE_FILE_NAME): Promise<string | null> {
    const path = this.#pathByTickerFile.get(name);
    return path === undefined ? null : (await DISK_FILES.read(path)).toString('utf8');
  }

  close(): void {
    for (const archive of this.#archives) archive.close();
  }
}

/** Returns the reason why nothing was read from a source in which no file has an expected name. */
function describeWrongNames(names: readonly string[]): string {
  const [name] = names;
  if (name === undefined) return 'nothing was read from this source, because it is empty; replace or remove it';
  const namesText =
    names.length === 1
      ? `its only file, ${name}, is not named as`
      : `none of its ${names.length} files, such as ${name}, is named as`;
  return `nothing was read from this source, because ${namesText} the SEC names them: CIK##########.json, with the ten digits of a CIK; rename the files, or remove the source`;
}
