/**
 * Finds tagged reports and statement sets. Reports are in folders and zips named `instances`, `reports` or `filings`
 * (also `instances-2`), or in zips of single filings. Statement sets are zips with the tables `sub` and `num`. Finding
 * reads only the CIKs of the companies; `ReportReader` reads facts and labels.
 */
import { basename } from 'node:path';
import { getOrInsert } from '../../platform/collections.ts';
import { throwIfMachineFault } from '../../platform/files/system-error.ts';
import { readFilers, type StatementSetFilers } from '../facts/statement-set.ts';
import { type Archive, ArchiveError, DISK_FILES, type FileSource, openArchive, useArchive } from '../files/archive.ts';
import { isStatementSet } from '../files/delimited.ts';
import { isZip, type ListedFile } from '../files/list-files.ts';
import { describeProblem, SkippedRowCounts } from '../files/skipped-rows.ts';
import { hasXbrlNamespace } from './xbrl-document.ts';
import { readLabels } from './xbrl-labels.ts';
import { readXbrlReports } from './xbrl-report.ts';

/** A file with tagged facts, and the other files of its report. */
export interface ReportFile {
  readonly cik: number;
  /** Path of the zip; null for a separate file. */
  readonly archive: string | null;
  /** Path in the zip, or path of the separate file. */
  readonly path: string;
  /** Path of the label linkbase; null if missing. */
  readonly labels: string | null;
  /** Paths of the filing's other inline documents, in which contexts and units of this file's facts may be defined. */
  readonly companions: readonly string[];
  /** Accession number in the name of the report's folder or zip; null if neither name has an accession number. */
  readonly accession: string | null;
  /** A text that changes if any of the report's files changes. */
  readonly identity: string;
}

/** A quarterly statement set, with the companies and days of its reports. */
export interface StatementSetFile extends StatementSetFilers {
  readonly file: ListedFile;
}

export type FoundReports = Awaited<ReturnType<typeof findReports>>;

/** A zip of reports, or the zip of one filing as the SEC publishes it: 0000320193-25-000057-xbrl.zip. */
const REPORTS_ZIP_PATTERN = /^(?:(?:instances|reports|filings)(?:[._-].*)?|\d{10}-\d{2}-\d{6}-xbrl)\.zip$/i;
const SEPARATE_REPORT_PATTERN = /^(?:instances|reports|filings)(?:[._-][^/]*)?\//i;
/** Matches large zips that contain no reports; readers of other formats open these zips. */
const NON_REPORT_ZIP_PATTERN = /^(?:companyfacts|submissions)[^/]*\.zip$/i;
/** Matches names of statement sets. Used only for unreadable zips; readable sets are recognized by their tables. */
const STATEMENT_SET_PATTERN = /(?:financial[-_]statements|notes)[^/]*\.zip$|^\d{4}q[1-4]\.zip$/i;
const REPORT_FILE_PATTERN = /\.(?:html?|xml)$/i;
/** Matches names of linkbases, viewer pages and exhibits. */
const NOT_REPORT_PATTERN = /_(?:cal|def|lab|pre|ref)\.xml$|^R\d+\.html?$|^FilingSummary\.xml$|exhibit/i;
const LABELS_FILE_PATTERN = /_lab\.xml$/i;
const ACCESSION_FOLDER_PATTERN = /(?:^|[\\/])(\d{10})-?(\d{2})-?(\d{6})[\\/]/;
const ACCESSION_ZIP_PATTERN = /(?:^|[\\/])(\d{10}-\d{2}-\d{6})-xbrl\.zip$/i;

const mayBeReport = (path: string) => REPORT_FILE_PATTERN.test(path) && !NOT_REPORT_PATTERN.test(basename(path));

const isSeparateReportFile = (file: ListedFile): boolean => SEPARATE_REPORT_PATTERN.test(file.name) && !isZip(file);
/** Whether the file's name is that of a zip or folder of reports. */
export const isReportsFile = (file: ListedFile): boolean =>
  isZip(file) ? REPORTS_ZIP_PATTERN.test(basename(file.name)) : isSeparateReportFile(file);
const mayHaveReports = (file: ListedFile): boolean => isZip(file) && !NON_REPORT_ZIP_PATTERN.test(basename(file.name));

/**
 * Returns the files that may contain reports, grouped into units of work: each zip alone, and all separate files
 * together.
 */
export function groupReportSources(files: readonly ListedFile[]): readonly (readonly ListedFile[])[] {
  const separate = files.filter(isSeparateReportFile);
  return [...files.filter(mayHaveReports).map((file) => [file]), ...(separate.length === 0 ? [] : [separate])];
}

/** Finds the reports in the files. Counts unreadable files and adds them to `problems`. */
export async function findReports(files: readonly ListedFile[]) {
  const finder = new ReportFinder();
  for (const file of files.filter(mayHaveReports)) await finder.addZip(file);
  await finder.addSeparateFiles(files.filter(isSeparateReportFile));
  return finder.getResult();
}

/** A document that may be a report. */
interface ReportDocument {
  readonly path: string;
  readonly accession: string | null;
  /** Null for an exhibit, whose contexts are in the main document. */
  readonly cik: number | null;
  readonly isInline: boolean;
}

class ReportFinder {
  readonly #reports: ReportFile[] = [];
  readonly #sets: StatementSetFile[] = [];
  readonly #files: ListedFile[] = [];
  readonly #skipped = new SkippedRowCounts();
  readonly #problems: string[] = [];

  async addZip(file: ListedFile): Promise<void> {
    const zipName = basename(file.name);
    const isReports = REPORTS_ZIP_PATTERN.test(zipName);
    try {
      await useArchive(file.path, undefined, 'path', async (archive) => {
        const hasSet = isStatementSet(archive);
        if (hasSet) this.#sets.push({ file, ...(await readFilersIfReadable(file, archive)) });
        else if (isReports) await this.#addReports(archive.names, archive, archive.path, `${file.name}: `);
        if (hasSet || isReports) this.#files.push(file);
      });
    } catch (cause) {
      // Unreadable zips of other formats are reported by the readers of those formats.
      if (isReports) this.#skip('an unreadable zip of reports', file.name, cause);
      else if (STATEMENT_SET_PATTERN.test(zipName))
        this.#skip('a financial statement data set that cannot be read', file.name, cause);
      else if (!(cause instanceof ArchiveError)) throw cause;
    }
  }

  async addSeparateFiles(files: readonly ListedFile[]): Promise<void> {
    const paths = files.map(({ path }) => path);
    const count = this.#reports.length;
    await this.#addReports(paths, DISK_FILES, null, '');
    const usedPaths = new Set(this.#reports.slice(count).flatMap(({ path, labels }) => [path, labels]));
    this.#files.push(...files.filter(({ path }) => usedPaths.has(path)));
  }

  getResult() {
    const skipped = this.#skipped.getCounts();
    return { reports: this.#reports, sets: this.#sets, files: this.#files, skipped, problems: this.#problems };
  }

  async #addReports(paths: readonly string[], folder: FileSource, zip: string | null, prefix: string): Promise<void> {
    const byStem = new Map(
      paths.filter((path) => LABELS_FILE_PATTERN.test(path)).map((path) => [removeDocumentSuffix(path), path]),
    );
    const zipAccession = ACCESSION_ZIP_PATTERN.exec(zip ?? '')?.[1] ?? null;
    const documents: ReportDocument[] = [];
    for (const path of paths.filter(mayBeReport)) {
      try {
        const document = toReportDocument(path, await folder.read(path), zipAccession);
        if (document !== null) documents.push(document);
      } catch (cause) {
        this.#skip('a report file that cannot be read', `${prefix}${path}`, cause);
      }
    }
    for (const document of documents) {
      const { path, accession } = document;
      const otherDocuments = findCompanions(document, documents);
      const cik = document.cik ?? otherDocuments.find((companion) => companion.cik !== null)?.cik ?? null;
      if (cik === null) continue;
      const companions = otherDocuments.map((companion) => companion.path);
      const labels = byStem.get(removeDocumentSuffix(path)) ?? null;
      const paths = [path, ...companions, ...(labels === null ? [] : [labels])];
      const identities = await Promise.all(paths.map(async (path) => `${path} ${await folder.identify(path)}`));
      const identity = identities.join('\n');
      this.#reports.push({ cik, archive: zip, path, labels, companions, accession, identity });
    }
  }

  #skip(reason: string, name: string, cause: unknown): void {
    this.#skipped.add(reason);
    this.#problems.push(describeProblem(name, cause));
  }
}

/** Returns the filers of a set; none if the set is unreadable (which is reported later, when its facts are read). */
const readFilersIfReadable = ({ name }: ListedFile, archive: Archive): Promise<StatementSetFilers> =>
  readFilers(archive).catch((cause: unknown) => {
    throwIfMachineFault(name, cause);
    return { ciks: [], filingDays: [] };
  });

/** Returns the document; null for a file without tags. */
function toReportDocument(path: string, bytes: Buffer, accession: string | null): ReportDocument | null {
  const cik = readCik(bytes);
  const isInline = bytes.includes('/inlineXBRL');
  if (!isInline && (cik === null || !hasXbrlNamespace(bytes))) return null;
  return { path, accession: ACCESSION_FOLDER_PATTERN.exec(path)?.slice(1).join('-') ?? accession, cik, isInline };
}

/** Returns the other inline documents of the same filing. */
function findCompanions(document: ReportDocument, documents: readonly ReportDocument[]): readonly ReportDocument[] {
  if (!document.isInline || document.accession === null) return [];
  return documents.filter((other) => other !== document && other.isInline && other.accession === document.accession);
}

/** Returns the name that a report shares with its instance and linkbases: `aapl-20240928` for aapl-20240928_lab.xml. */
const removeDocumentSuffix = (name: string) => name.replace(/(?:_htm|_lab)?\.(?:xml|html?)$/i, '').toLowerCase();

/** Returns the CIK of the first context, without parsing the XML. */
function readCik(bytes: Buffer): number | null {
  const scheme = bytes.indexOf('www.sec.gov/CIK');
  if (scheme < 0) return null;
  const match = /^[^>]*>\s*(\d{1,10})\s*</.exec(bytes.toString('latin1', scheme, scheme + 200));
  return match === null ? null : Number(match[1]);
}

/** Reads reports, and keeps their zips open between reports. */
export class ReportReader {
  readonly #folderByZipPath = new Map<string, Promise<Archive>>();

  /**
   * Returns a report with its labels, or without labels if they are unreadable. Throws if a file is missing, damaged or
   * not a report.
   */
  async read(file: ReportFile) {
    const folder = await this.#getFolder(file);
    const buffers: Buffer[] = [];
    for (const path of [file.path, ...file.companions]) buffers.push(await folder.read(path));
    const [report] = readXbrlReports(buffers);
    if (report === undefined) throw new Error(`${file.path}: the file contains no report`);
    return { report, labels: file.labels === null ? new Map() : await readLabelsFile(file.labels, folder) };
  }

  async close(): Promise<void> {
    for (const folder of this.#folderByZipPath.values()) (await folder.catch(() => null))?.close();
    this.#folderByZipPath.clear();
  }

  #getFolder({ archive: path }: ReportFile): FileSource | Promise<FileSource> {
    if (path === null) return DISK_FILES;
    return getOrInsert(this.#folderByZipPath, path, () => openArchive(path, undefined, 'path'));
  }
}

async function readLabelsFile(path: string, folder: FileSource): Promise<ReadonlyMap<string, string>> {
  try {
    return readLabels(await folder.read(path));
  } catch (cause) {
    throwIfMachineFault(path, cause);
    return new Map();
  }
}
