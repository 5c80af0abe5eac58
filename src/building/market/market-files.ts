/** Defines the task that reads the symbols and issuer names of CUSIPs, and managers' reports on Form 13F. */

import { readFile } from 'node:fs/promises';
import { useArchive } from '../../edgar/files/archive.ts';
import { isZip, type ListedFile } from '../../edgar/files/list-files.ts';
import { SkippedRowCounts } from '../../edgar/files/skipped-rows.ts';
import { readThirteenFs } from '../../edgar/holdings/thirteen-f-files.ts';
import type { HoldingLine, TableRow, ThirteenFReport } from '../../edgar/holdings/thirteen-f-report.ts';
import { hasFailsToDeliverHeader, readFails } from '../../edgar/prices/fails-to-deliver.ts';
import { isQuarterEnd } from '../../ownership/holders/quarters.ts';
import { CusipEvidence, type MentionsByCusip } from '../../ownership/issuers/cusip-map.ts';
import { joinCells, type LineCodec, splitCells } from '../../store/keyed-lines.ts';
import { type ReadingReport, readOrReport } from '../tasks/reading.ts';
import type { SliceWriter, TaskOutput } from '../tasks/slices.ts';
import type { Task } from '../tasks/task.ts';

/** Fields common to the results of `readMarketFiles` and `readFilePrices`. */
export interface FileReading extends ReadingReport {
  /** Names of files that were read, for the sources in the manifest. */
  readonly readFileNames: readonly string[];
  /** Number of rows or documents by file, including those that are not used. */
  readonly recordCounts: Readonly<Record<string, number>>;
}

export interface MarketFilesTask extends Task<MarketFilesResult> {
  readonly kind: 'market files';
  readonly contents: 'fails' | 'holdings';
  /** One file, or all separate documents of Form 13F, because a filing consists of several documents. */
  readonly files: readonly ListedFile[];
}

export interface MarketFilesResult extends FileReading {
  readonly sightings: MentionsByCusip;
  readonly reports: readonly KeyedReport[];
  /** The reports' lines, by group of managers. */
  readonly output: TaskOutput;
}

/** A manager's report, and what its information table has. */
export interface KeyedReport {
  readonly key: string;
  readonly report: ThirteenFReport;
  readonly table: TableCounts;
}

export interface TableCounts {
  /** Number of rows that are positions. */
  readonly lines: number;
  /** Number of rows that state that nothing is held. */
  readonly placeholders: number;
  readonly unreadable: number;
  /** Whether the report has a table without rows; false if it is unknown whether it has a table. */
  readonly isEmpty: boolean;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

export const NO_TABLE: TableCounts = { lines: 0, placeholders: 0, unreadable: 0, isEmpty: false };

export const UNREADABLE_PRICES = 'an unreadable file of prices';

const CIKS_PER_GROUP = 8192;

/** Returns the name of a manager's group, which is a range of CIKs. */
export const makeManagerGroupName = (cik: number): string => String(Math.floor(cik / CIKS_PER_GROUP));

/** A line of a 13F table, with the key of its report. */
interface KeyedLine {
  readonly key: string;
  readonly line: HoldingLine;
}

const LINE_FIELDS = ['key', 'issuer', 'titleOfClass', 'cusip', 'value', 'amount', 'amountType', 'putCall'] as const;
export const KEYED_LINE_CODEC: LineCodec<KeyedLine> = {
  write: ({ key, line: { issuer, titleOfClass, cusip, value, amount, amountType, putCall } }) =>
    joinCells([key, issuer, titleOfClass, cusip, value, amount, amountType, putCall]),
  read: (text) => {
    const [key, issuer, title, cusip, value, amount, typeCell, optionCell] = splitCells(text, LINE_FIELDS);
    const amountType = typeCell === 'PRN' ? 'PRN' : 'SH';
    const putCall = optionCell === 'Put' || optionCell === 'Call' ? optionCell : '';
    return { key, line: { issuer, titleOfClass: title, cusip, value, amount, amountType, putCall } };
  },
};

export async function readMarketFiles(task: MarketFilesTask, output: SliceWriter): Promise<MarketFilesResult> {
  const { contents, files } = task;
  const skipped = new SkippedRowCounts();
  const problems: string[] = [];
  const evidence = new CusipEvidence(Number.POSITIVE_INFINITY);
  const entries = new Map<string, Omit<KeyedReport, 'table'> & { readonly table: Writable<TableCounts> }>();
  const names: string[] = [];
  const counts: Record<string, number> = {};
  const count = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  if (contents === 'fails') {
    for (const file of files) {
      const isRead = await readOrReport(file.name, UNREADABLE_PRICES, { skipped, problems }, async () => {
        for (const text of await readFailsTexts(file)) {
          if (!hasFailsToDeliverHeader(text))
            skipped.add('a file without fails-to-deliver data, although its name suggests such data');
          else {
            for (const { cusip, symbol, settlementDay, description } of readFails(text, skipped)) {
              count(file.name);
              evidence.addSymbol(cusip, symbol, settlementDay, description);
            }
          }
        }
      });
      if (isRead) names.push(file.name);
    }
  } else {
    names.push(...files.map(({ name }) => name));
    const handler = {
      onReport: (key: string, report: ThirteenFReport) => {
        if (!isQuarterEnd(report.period)) skipped.add('a 13F report for a period that does not end with a quarter');
        else if (!entries.has(key)) entries.set(key, { key, report, table: { ...NO_TABLE } });
      },
      onEmptyTable: (key: string) => {
        const entry = entries.get(key);
        if (entry !== undefined) entry.table.isEmpty = true;
      },
      onRow: (key: string, row: TableRow) => {
        const entry = entries.get(key);
        const period = entry?.report.period ?? null;
        if (typeof row !== 'string') evidence.addIssuer(row.cusip, row.issuer, row.titleOfClass, period);
        if (entry === undefined) return;
        if (row === 'placeholder') entry.table.placeholders += 1;
        else if (row === 'unreadable') entry.table.unreadable += 1;
        else {
          entry.table.lines += 1;
          const { cik } = entry.report;
          output.add(makeManagerGroupName(cik), `${cik}\t${KEYED_LINE_CODEC.write({ key, line: row })}\n`);
        }
      },
      onDocument: count,
      onProblem: (text: string) => problems.push(text),
    };
    await readThirteenFs(files, handler, skipped);
  }
  return {
    readFileNames: names,
    recordCounts: counts,
    skipped: skipped.getCounts(),
    problems,
    sightings: evidence.mentions,
    reports: [...entries.values()],
    output: output.finish(),
  };
}

/** Returns the texts in a fails-to-deliver file, zipped or not. */
export async function readFailsTexts(file: ListedFile): Promise<string[]> {
  if (!isZip(file)) return [await readFile(file.path, 'utf8')];
  return useArchive(file.path, undefined, 'base', async (archive) => {
    const texts: string[] = [];
    for (const name of archive.names) texts.push((await archive.read(name)).toString('utf8'));
    return texts;
  });
}
