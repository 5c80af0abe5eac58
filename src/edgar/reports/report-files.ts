/**
 * The tagged reports among the public files, and whose they are.
 *
 * Reports lie in `instances` or `filings`, as folders or zips, loose or one folder to a filing (its accession
 * is then the folder's name). A zip that holds the tables of a quarterly statement set is one, whatever its
 * name. Listing looks into each report for the CIK it names; contents are read later, company by company.
 */
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { isStatementSet } from '../facts/statement-set.ts';
import type { Archive } from '../files/archive.ts';
import { LARGEST_MEMBER, openArchive } from '../files/archive.ts';
import type { ListedFile } from '../files/list-files.ts';
import { SkippedRows } from '../files/skipped-rows.ts';
import type { TaggedReport } from './tagged-report.ts';
import { namesTaggedData } from './xbrl-document.ts';
import { readLabels } from './xbrl-labels.ts';
import { readXbrlReports } from './xbrl-report.ts';

/** One file that states facts, and the one that labels its names, if that lies beside it. */
export interface ReportFile {
  readonly cik: number;
  /** A zip, or null for a loose file. */
  readonly archive: string | null;
  /** The path in the zip, or of the loose file. */
  readonly path: string;
  readonly labels: string | null;
  /** Other documents of the same filing that may share its set of tags. */
  readonly companions: readonly string[];
  /** From the name of the folder it lies in. */
  readonly accession: string | null;
}

export interface ReportListing {
  readonly reports: readonly ReportFile[];
  /** Paths of quarterly statement sets. */
  readonly sets: readonly string[];
  /** The files that reports and sets were found in. */
  readonly files: readonly ListedFile[];
  readonly skipped: Readonly<Record<string, number>>;
}

/** A file as a look into it shows it. */
interface Seen {
  readonly path: string;
  readonly accession: string | null;
  /** Null in an exhibit, whose contexts stand in the report. */
  readonly cik: number | null;
  readonly inline: boolean;
}

const ZIP_OF_REPORTS = /^(?:instances|filings)\.zip$/i;
const LOOSE_REPORT = /^(?:instances|filings)\//i;
/** Large, read elsewhere, and no place for reports. */
const OTHER_ZIP = /^(?:companyfacts|submissions)[^/]*\.zip$/i;
const REPORT = /\.(?:html?|xml)$/i;
/** Beside the reports: linkbases, the viewer's pages, exhibits that say so. */
const NO_REPORT = /_(?:cal|def|lab|pre|ref)\.xml$|^R\d+\.html?$|^FilingSummary\.xml$|exhibit/i;
const ACCESSION = /(?:^|[\\/])(\d{10})-?(\d{2})-?(\d{6})[\\/]/;

/** A file that cannot be read is counted. */
export async function listReportFiles(files: readonly ListedFile[], signal?: AbortSignal): Promise<ReportListing> {
  const reports: ReportFile[] = [];
  const sets: string[] = [];
  const skipped = new SkippedRows();
  const addReports = async (names: readonly string[], archive: Archive | null) => {
    const labels = new Map(names.filter((name) => /_lab\.xml$/i.test(name)).map((name) => [stem(name), name]));
    const found: Seen[] = [];
    for (const path of names.filter((name) => REPORT.test(name) && !NO_REPORT.test(basename(name)))) {
      signal?.throwIfAborted();
      try {
        const bytes = archive === null ? await readLoose(path) : await archive.read(path);
        if (bytes === null) continue;
        const accession = ACCESSION.exec(path)?.slice(1).join('-') ?? null;
        const seen = { path, accession, cik: namedCik(bytes), inline: bytes.includes('/inlineXBRL') };
        if (seen.inline || (seen.cik !== null && namesTaggedData(bytes))) found.push(seen);
      } catch {
        skipped.add('a file of reports that cannot be read');
      }
    }
    for (const { path, accession, cik, inline } of found) {
      const others = found.filter((one) => inline && one.inline && accession !== null && one.accession === accession);
      const companions = others.map((one) => one.path).filter((one) => one !== path);
      const whose = cik ?? others.find((one) => one.cik !== null)?.cik ?? null;
      if (whose === null) continue;
      const files = { archive: archive?.path ?? null, path, labels: labels.get(stem(path)) ?? null, companions };
      reports.push({ cik: whose, ...files, accession });
    }
  };
  const used: ListedFile[] = [];
  for (const file of files) {
    const { path, name } = file;
    const base = basename(name);
    if (!/\.zip$/i.test(base) || OTHER_ZIP.test(base)) continue;
    signal?.throwIfAborted();
    try {
      const archive = await openArchive(path, LARGEST_MEMBER, 'path');
      const isSet = isStatementSet(archive);
      if (isSet) sets.push(path);
      else if (ZIP_OF_REPORTS.test(base)) await addReports(archive.names, archive);
      if (isSet || ZIP_OF_REPORTS.test(base)) used.push(file);
      archive.close();
    } catch (cause) {
      signal?.throwIfAborted();
      if (ZIP_OF_REPORTS.test(base)) skipped.add('a zip of reports that cannot be read');
      else if (!(cause instanceof Error)) throw cause;
    }
  }
  const loose = files.filter(({ name }) => LOOSE_REPORT.test(name) && !/\.zip$/i.test(name));
  await addReports(
    loose.map(({ path }) => path),
    null,
  );
  const read = new Set(reports.flatMap(({ archive, path, labels }) => (archive === null ? [path, labels] : [])));
  used.push(...loose.filter(({ path }) => read.has(path)));
  return { reports, sets, files: used, skipped: skipped.counts() };
}

export async function readLoose(path: string): Promise<Buffer> {
  const { size } = await stat(path);
  if (size > LARGEST_MEMBER) throw new Error(`${path}: ${size} bytes are more than are read`);
  return readFile(path);
}

/** What a report, the instance made from it, and its linkbases have in common in their names. */
function stem(name: string): string {
  return name.replace(/(?:_htm|_lab)?\.(?:xml|html?)$/i, '').toLowerCase();
}

/** The CIK of the first context: found without reading the document. */
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

export class ReportReader {
  readonly #archives = new Map<string, Promise<Archive>>();

  /** Throws on a file that is missing, damaged, or no report. Labels that cannot be read are none. */
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
    } catch {
      return new Map();
    }
  }

  async #bytes(archive: string | null, path: string): Promise<Buffer> {
    if (archive === null) return readLoose(path);
    const open = this.#archives.get(archive) ?? openArchive(archive, LARGEST_MEMBER, 'path');
    this.#archives.set(archive, open);
    const bytes = await (await open).read(path);
    if (bytes === null) throw new Error(`${archive}: no member ${path}`);
    return bytes;
  }
}
