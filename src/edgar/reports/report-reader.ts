/** Reads listed reports, keeping the zips they lie in open between them. */

import type { Archive } from '../files/archive.ts';
import { LARGEST_MEMBER, openArchive } from '../files/archive.ts';
import { type ReportFile, readLoose } from './report-files.ts';
import type { TaggedReport } from './tagged-report.ts';
import { readLabels } from './xbrl-labels.ts';
import { readXbrlReports } from './xbrl-report.ts';

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
