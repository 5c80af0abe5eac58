/**
 * Finds the tagged reports and statement sets among the public files. Reports are in `instances` or `filings`, folders or
 * zips, loose or in a folder per filing that is named by its accession number. A zip with the tables of a statement set
 * is one, whatever its name. Listing reads only the CIK of each report; the rest is read company by company.
 */
import { hash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { throwMachineFault } from '../../platform/system-error.ts';
import { isStatementSet } from '../facts/statement-set.ts';
import type { Archive } from '../files/archive.ts';
import { ArchiveError, LARGEST_MEMBER, openArchive } from '../files/archive.ts';
import { isZip, type ListedFile } from '../files/list-files.ts';
import { problemOf, SkippedRows } from '../files/skipped-rows.ts';
import type { TaggedReport } from './tagged-report.ts';
import { namesTaggedData } from './xbrl-document.ts';
import { readLabels } from './xbrl-labels.ts';
import { readXbrlReports } from './xbrl-report.ts';

/** A file with tagged facts, and its label linkbase, if there is one beside it. */
export interface ReportFile {
  readonly cik: number;
  /** A zip, or null for a loose file. */
  readonly archive: string | null;
  /** The path in the zip, or of the loose file. */
  readonly path: string;
  readonly labels: string | null;
  /** Other documents of the filing, which may share its contexts and units. */
  readonly companions: readonly string[];
  /** From the name of its folder. */
  readonly accession: string | null;
  /** What tells the file and those read with it from others of their names. */
  readonly identity: string;
}

export interface ReportListing {
  readonly reports: readonly ReportFile[];
  /** Quarterly statement sets. */
  readonly sets: readonly ListedFile[];
  /** The files that reports and sets were found in. */
  readonly files: readonly ListedFile[];
  readonly skipped: Readonly<Record<string, number>>;
  /** Each file that cannot be read, with the cause. */
  readonly problems: readonly string[];
}

/** What a look into a file shows. */
interface Candidate {
  readonly path: string;
  readonly accession: string | null;
  /** Null in an exhibit, whose contexts are in the report. */
  readonly cik: number | null;
  readonly inline: boolean;
}

const ZIP_OF_REPORTS = /^(?:instances|filings)\.zip$/i;
const LOOSE_REPORT = /^(?:instances|filings)\//i;
/** Large, read elsewhere, and without reports. */
const OTHER_ZIP = /^(?:companyfacts|submissions)[^/]*\.zip$/i;
/** Sets are recognised by their members; the name counts only where these cannot be read. */
const NAMED_AS_SET = /(?:financial[-_]statements|notes)[^/]*\.zip$|^\d{4}q[1-4]\.zip$/i;
const REPORT = /\.(?:html?|xml)$/i;
/** Linkbases, the viewer's pages, and exhibits by name. */
const NO_REPORT = /_(?:cal|def|lab|pre|ref)\.xml$|^R\d+\.html?$|^FilingSummary\.xml$|exhibit/i;
const ACCESSION = /(?:^|[\\/])(\d{10})-?(\d{2})-?(\d{6})[\\/]/;

/** The files that may hold reports, in groups that are listed apart: each zip, and all loose files. */
export function reportSources(files: readonly ListedFile[]): readonly (readonly ListedFile[])[] {
  const zips = files.filter((file) => isZip(file) && !OTHER_ZIP.test(basename(file.name)));
  const loose = files.filter(isLoose);
  return [...zips.map((file) => [file]), ...(loose.length === 0 ? [] : [loose])];
}

const isLoose = (file: ListedFile): boolean => LOOSE_REPORT.test(file.name) && !isZip(file);

/** A file that cannot be read is counted and named in `problems`; it stops nothing. */
export async function listReportFiles(files: readonly ListedFile[]): Promise<ReportListing> {
  const reports: ReportFile[] = [];
  const sets: ListedFile[] = [];
  const used: ListedFile[] = [];
  const skipped = new SkippedRows();
  const problems: string[] = [];
  const skip = (reason: string, name: string, cause: unknown) => {
    skipped.add(reason);
    problems.push(problemOf(name, cause));
  };
  const addReports = async (names: readonly string[], zip: { name: string; archive: Archive } | null) => {
    const archive = zip?.archive ?? null;
    const labels = new Map(names.filter((name) => /_lab\.xml$/i.test(name)).map((name) => [stem(name), name]));
    const found: Candidate[] = [];
    for (const path of names.filter((name) => REPORT.test(name) && !NO_REPORT.test(basename(name)))) {
      try {
        const bytes = archive === null ? await readLoose(path) : await archive.read(path);
        const accession = ACCESSION.exec(path)?.slice(1).join('-') ?? null;
        const candidate = { path, accession, cik: namedCik(bytes), inline: bytes.includes('/inlineXBRL') };
        if (candidate.inline || (candidate.cik !== null && namesTaggedData(bytes))) found.push(candidate);
      } catch (cause) {
        skip('a file of reports that cannot be read', zip === null ? path : `${zip.name}: ${path}`, cause);
      }
    }
    for (const { path, accession, cik, inline } of found) {
      const others = found.filter((one) => inline && one.inline && accession !== null && one.accession === accession);
      const companions = others.map((one) => one.path).filter((one) => one !== path);
      const filer = cik ?? others.find((one) => one.cik !== null)?.cik ?? null;
      if (filer === null) continue;
      const place = { archive: archive?.path ?? null, path, labels: labels.get(stem(path)) ?? null, companions };
      const read = [path, ...companions, ...(place.labels === null ? [] : [place.labels])];
      const identity = (await Promise.all(read.map((one) => identify(one, archive)))).join('\n');
      reports.push({ cik: filer, ...place, accession, identity });
    }
  };
  for (const file of files) {
    const { path, name } = file;
    const base = basename(name);
    if (!isZip(file) || OTHER_ZIP.test(base)) continue;
    const hasReports = ZIP_OF_REPORTS.test(base);
    try {
      const archive = await openArchive(path, LARGEST_MEMBER, 'path');
      try {
        const isSet = isStatementSet(archive);
        if (isSet) sets.push(file);
        else if (hasReports) await addReports(archive.names, { name, archive });
        if (isSet || hasReports) used.push(file);
      } finally {
        archive.close();
      }
    } catch (cause) {
      // Other zips are opened by the readers of their own formats, which report them.
      if (hasReports) skip('a zip of reports that cannot be read', name, cause);
      else if (NAMED_AS_SET.test(base)) skip('a statement set that cannot be read', name, cause);
      else if (!(cause instanceof ArchiveError)) throw cause;
    }
  }
  const loose = files.filter(isLoose);
  await addReports(
    loose.map(({ path }) => path),
    null,
  );
  const read = new Set(reports.flatMap(({ archive, path, labels }) => (archive === null ? [path, labels] : [])));
  used.push(...loose.filter(({ path }) => read.has(path)));
  return { reports, sets, files: used, skipped: skipped.counts(), problems };
}

async function identify(path: string, archive: Archive | null): Promise<string> {
  return `${path} ${archive === null ? hash('sha256', await readLoose(path), 'hex') : archive.identify(path)}`;
}

async function readLoose(path: string): Promise<Buffer> {
  const { size } = await stat(path);
  if (size > LARGEST_MEMBER) throw new Error(`${path}: ${size} bytes are more than are read`);
  return readFile(path);
}

/** The part of its name that a report shares with its instance and its linkbases. */
function stem(name: string): string {
  return name.replace(/(?:_htm|_lab)?\.(?:xml|html?)$/i, '').toLowerCase();
}

/** The CIK of the first context, found without parsing the document. */
function namedCik(bytes: Buffer): number | null {
  const at = bytes.indexOf('www.sec.gov/CIK');
  if (at < 0) return null;
  const match = /^[^>]*>\s*(\d{1,10})\s*</.exec(bytes.toString('latin1', at, at + 200));
  return match === null ? null : Number(match[1]);
}

export interface ReadReport {
  readonly report: TaggedReport;
  readonly labels: ReadonlyMap<string, string>;
}

/** Reads listed reports and keeps the zips open between them. */
export class ReportReader {
  readonly #archives = new Map<string, Promise<Archive>>();

  /** Throws on a file that is missing, damaged or no report. Labels that cannot be read are left out. */
  async read(file: ReportFile): Promise<ReadReport> {
    const documents: Buffer[] = [];
    for (const path of [file.path, ...file.companions]) documents.push(await this.#bytes(file.archive, path));
    const [report] = readXbrlReports(documents);
    if (report === undefined) throw new Error(`${file.path}: no report`);
    return { report, labels: file.labels === null ? new Map() : await this.#labels(file.archive, file.labels) };
  }

  async close(): Promise<void> {
    for (const archive of this.#archives.values()) (await archive.catch(() => null))?.close();
    this.#archives.clear();
  }

  async #labels(archive: string | null, path: string): Promise<ReadonlyMap<string, string>> {
    try {
      return readLabels(await this.#bytes(archive, path));
    } catch (cause) {
      throwMachineFault(path, cause);
      return new Map();
    }
  }

  async #bytes(archive: string | null, path: string): Promise<Buffer> {
    if (archive === null) return readLoose(path);
    const open = this.#archives.get(archive) ?? openArchive(archive, LARGEST_MEMBER, 'path');
    this.#archives.set(archive, open);
    return (await open).read(path);
  }
}
