/** Reads the facts and labels of the reports found by `find-reports.ts`. */
import { throwIfMachineFault } from '../../platform/files/system-error.ts';
import { MAX_MEMBER_BYTES, openArchive } from '../files/archive.ts';
import { DISK_FILE_SOURCE, makeZipFileSource, type ReportFile, type ReportFileSource } from './find-reports.ts';
import type { TaggedReport } from './tagged-report.ts';
import { readLabels } from './xbrl-labels.ts';
import { readXbrlReports } from './xbrl-report.ts';

interface ReportWithLabels {
  readonly report: TaggedReport;
  /** Labels by prefix:Name. */
  readonly labels: ReadonlyMap<string, string>;
}

/** Reads reports, and keeps their zips open between reports. */
export class ReportReader {
  readonly #folderByZipPath = new Map<string, Promise<ReportFileSource & { close(): void }>>();

  /**
   * Returns a report with its labels, or without labels if they are unreadable. Throws if a file is missing, damaged or
   * not a report.
   */
  async read(file: ReportFile): Promise<ReportWithLabels> {
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

  #getFolder({ archive: path }: ReportFile): ReportFileSource | Promise<ReportFileSource> {
    if (path === null) return DISK_FILE_SOURCE;
    const cached = this.#folderByZipPath.get(path);
    if (cached !== undefined) return cached;
    const folder = openArchive(path, MAX_MEMBER_BYTES, 'path').then((archive) => ({
      ...makeZipFileSource(archive),
      close: () => archive.close(),
    }));
    this.#folderByZipPath.set(path, folder);
    return folder;
  }
}

async function readLabelsFile(path: string, folder: ReportFileSource): Promise<ReadonlyMap<string, string>> {
  try {
    return readLabels(await folder.read(path));
  } catch (cause) {
    throwIfMachineFault(path, cause);
    return new Map();
  }
}
