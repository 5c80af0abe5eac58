/**
 * Reads all Form 13F reports in the public files: quarterly data sets (zips with INFOTABLE), complete submissions, and
 * pairs of cover page and information table; in zips or as separate files.
 */

import { readFile } from 'node:fs/promises';
import { getOrInsert } from '../../platform/collections.ts';
import { throwIfMachineFault } from '../../platform/files/system-error.ts';
import { useArchive } from '../files/archive.ts';
import { isZip, type ListedFile } from '../files/list-files.ts';
import { describeProblem, type SkippedRowCounts } from '../files/skipped-rows.ts';
import { isThirteenFDataSet, readThirteenFReports, readThirteenFRows } from './thirteen-f-data-set.ts';
import { readInformationTable, readThirteenFCover, readThirteenFSubmission } from './thirteen-f-documents.ts';
import type { TableRow, ThirteenFReport } from './thirteen-f-report.ts';

interface ThirteenFHandler {
  /** Called with each report before its rows. `key` identifies the report. */
  onReport(key: string, report: ThirteenFReport): void;
  onRow(key: string, row: TableRow): void;
  /** Called for each table of a report that has no rows. Data sets do not distinguish empty and missing tables. */
  onEmptyTable(key: string): void;
  /** Called with the name of a file for each document or report that was found in it. */
  onDocument?(fileName: string): void;
  /** Called with a sentence about each unreadable file, and each table without a cover page. */
  onProblem(text: string): void;
}

const MAX_TEXT_BYTES = 128 * 1024 * 1024;
const ACCESSION_PATTERN = /(\d{10})-?(\d{2})-?(\d{6})/;
/** Matches the part of a file name that states the kind of document, such as `primary_doc` or `infotable`. */
const DOCUMENT_KIND_PATTERN =
  /primary_?doc(?:ument)?|cover_?page|form_?13f|info(?:rmation)?_?table|inf_?table|trimmed|\.xml$/gi;

export const isThirteenFFile = ({ name }: ListedFile): boolean =>
  /13f/i.test(name) && /\.(?:zip|xml|txt|nc)$/i.test(name);

/** Whether the file is a quarterly data set; false for an unreadable file. */
export async function isThirteenFDataSetFile({ name, path }: ListedFile): Promise<boolean> {
  if (!isZip({ name })) return false;
  return useArchive(path, MAX_TEXT_BYTES, 'base', isThirteenFDataSet).catch((cause: unknown) => {
    throwIfMachineFault(name, cause);
    return false;
  });
}

/** Reads all files, and passes each report before its rows. */
export async function readThirteenFs(
  files: readonly ListedFile[],
  handler: ThirteenFHandler,
  skipped: SkippedRowCounts,
): Promise<void> {
  const joiner = new DocumentJoiner(handler, skipped);
  for (const file of files) {
    try {
      if (isZip(file)) await readZip(file, joiner, handler, skipped);
      else if (joiner.add(file.name, await readText(file))) handler.onDocument?.(file.name);
    } catch (cause) {
      skipped.add('a 13F file that cannot be read');
      handler.onProblem(describeProblem(file.name, cause));
    }
  }
  joiner.finish();
}

async function readText({ path, bytes }: ListedFile): Promise<string> {
  if (bytes > MAX_TEXT_BYTES) throw new Error(`it has ${bytes} bytes, more than the allowed ${MAX_TEXT_BYTES}`);
  return readFile(path, 'utf8');
}

async function readZip(file: ListedFile, joiner: DocumentJoiner, handler: ThirteenFHandler, skipped: SkippedRowCounts) {
  if (await isThirteenFDataSetFile(file)) {
    await useArchive(file.path, MAX_TEXT_BYTES, 'base', async (archive) => {
      for (const report of await readThirteenFReports(archive, skipped)) {
        handler.onDocument?.(file.name);
        handler.onReport(report.accession, report);
      }
      for await (const batch of readThirteenFRows(archive, skipped)) {
        for (const { accession, row } of batch) handler.onRow(accession, row);
      }
    });
    return;
  }
  // Lists members by path, because each filing's folder contains a document of the same name, primary_doc.xml.
  await useArchive(file.path, MAX_TEXT_BYTES, 'path', async (archive) => {
    for (const name of archive.names) {
      const text = (await archive.read(name)).toString('utf8');
      if (joiner.add(`${file.name}/${name}`, text)) handler.onDocument?.(file.name);
    }
  });
}

interface UnjoinedTable {
  readonly name: string;
  readonly rows: readonly TableRow[];
}

/** Joins the separate documents of each filing. */
class DocumentJoiner {
  readonly #filingByKey = new Map<string, { name: string; cover: string | null; table: string | null }>();
  readonly #passedKeys = new Set<string>();

  constructor(
    private readonly handler: ThirteenFHandler,
    private readonly skipped: SkippedRowCounts,
  ) {}

  /** Adds a document. Returns whether it belongs to a Form 13F. */
  add(name: string, text: string): boolean {
    const start = text.slice(0, 4096);
    if (/<(?:SEC-DOCUMENT|SEC-HEADER|SUBMISSION|DOCUMENT)>/.test(start)) {
      let isRead = false;
      this.#catchProblem(name, () => {
        const submission = readThirteenFSubmission(text, this.skipped);
        if (typeof submission === 'string') this.skipped.add(submission);
        else {
          isRead = true;
          this.#passReport(submission.report.accession ?? name, submission.report, submission.rows);
        }
      });
      return isRead;
    }
    const isCover = /<(?:[\w-]+:)?edgarSubmission[\s>]/.test(start);
    if (!isCover && !/<(?:[\w-]+:)?informationTable[\s>]/.test(start)) return false;
    const texts = getOrInsert(this.#filingByKey, makeFilingKey(name), () => ({ name, cover: null, table: null }));
    if (isCover) texts.cover ??= text;
    else texts.table ??= text;
    return true;
  }

  finish(): void {
    const covers: { key: string; report: ThirteenFReport }[] = [];
    const tables: UnjoinedTable[] = [];
    for (const [key, { name, cover, table }] of this.#filingByKey) {
      this.#catchProblem(name, () => {
        const rows = table === null ? null : readInformationTable(table, this.skipped);
        const report =
          cover === null ? null : readThirteenFCover(cover, { accession: findAccession(key), filed: null });
        if (typeof report === 'string') this.skipped.add(report);
        else if (report !== null && rows !== null) this.#passReport(key, report, rows);
        else if (report !== null) covers.push({ key, report });
        else if (rows !== null) tables.push({ name, rows });
      });
    }
    this.#filingByKey.clear();
    this.#joinByTotals(covers, tables);
  }

  /**
   * Joins covers and tables whose file names are unrelated. A table belongs to a cover if it is the only table with the
   * number of entries and the total value that the cover states.
   */
  #joinByTotals(covers: readonly { key: string; report: ThirteenFReport }[], tables: readonly UnjoinedTable[]): void {
    const unmatchedTables = new Set(tables);
    for (const { key, report } of covers) {
      const matches = [...unmatchedTables].filter(({ rows }) => matchesTotals(report, rows));
      const [table] = matches.length === 1 ? matches : [];
      if (table !== undefined) unmatchedTables.delete(table);
      this.#passReport(key, report, table?.rows ?? null);
    }
    for (const { name } of unmatchedTables) {
      const reason = 'a 13F information table without a cover page';
      this.skipped.add(reason);
      this.handler.onProblem(`${name}: ${reason}`);
    }
  }

  /** Passes a report once, although its complete submission and its separate documents may both be present. */
  #passReport(key: string, report: ThirteenFReport, rows: readonly TableRow[] | null): void {
    if (this.#passedKeys.has(key)) return;
    this.#passedKeys.add(key);
    this.handler.onReport(key, report);
    if (rows?.length === 0) this.handler.onEmptyTable(key);
    for (const row of rows ?? []) this.handler.onRow(key, row);
  }

  #catchProblem(name: string, action: () => void): void {
    try {
      action();
    } catch (cause) {
      this.skipped.add('a 13F file that cannot be read');
      this.handler.onProblem(describeProblem(name, cause));
    }
  }
}

/** Whether a table has the cover's number of entries and total value; false if any value is not a whole number. */
function matchesTotals({ entryTotal, valueTotal }: ThirteenFReport, rows: readonly TableRow[]): boolean {
  const values = rows.flatMap((row) => (row === 'unreadable' ? [] : row === 'placeholder' ? '0' : row.value));
  if (entryTotal !== values.length || valueTotal === null) return false;
  if (![valueTotal, ...values].every((value) => /^\d+$/.test(value))) return false;
  return values.reduce((sum, value) => sum + BigInt(value), 0n) === BigInt(valueTotal);
}

const findAccession = (key: string): string | null => ACCESSION_PATTERN.exec(key)?.slice(1).join('-') ?? null;

/**
 * Returns a key shared by the documents of a filing: the accession number in the path, or the folder and the common
 * part of the names.
 */
function makeFilingKey(name: string): string {
  const accession = findAccession(name);
  if (accession !== null) return accession;
  const start = name.lastIndexOf('/') + 1;
  const stem = name
    .slice(start)
    .replace(DOCUMENT_KIND_PATTERN, '')
    .replace(/[^a-z0-9]+/gi, ' ')
    .trim();
  return `${name.slice(0, start)}${stem.toLowerCase()}`;
}
