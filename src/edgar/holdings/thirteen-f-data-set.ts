/**
 * Reads the quarterly Form 13F data sets: joins SUBMISSION, COVERPAGE and SUMMARYPAGE, and streams the lines of
 * INFOTABLE.
 */

import type { Archive } from '../files/archive.ts';
import { type DelimitedRow, readTable } from '../files/delimited.ts';
import { parseDay } from '../files/parse-day.ts';
import type { SkippedRowCounts } from '../files/skipped-rows.ts';
import type { FiledThirteenF, HoldingLine } from './thirteen-f-report.ts';
import { parseLineCells, parseReportCells } from './thirteen-f-report.ts';

/** Whether the zip is a Form 13F data set. */
export function isThirteenFDataSet(archive: Archive): boolean {
  return archive.has('INFOTABLE.tsv') && archive.has('COVERPAGE.tsv') && archive.has('SUBMISSION.tsv');
}

const SUBMISSION_COLUMNS = ['ACCESSION_NUMBER', 'FILING_DATE', 'SUBMISSIONTYPE', 'CIK', 'PERIODOFREPORT'] as const;
const COVER_COLUMNS = ['ACCESSION_NUMBER', 'REPORTCALENDARORQUARTER', 'FILINGMANAGER_NAME'] as const;
const AMENDMENT_COLUMNS = ['ISAMENDMENT', 'AMENDMENTNO', 'AMENDMENTTYPE'] as const;
const SUMMARY_COLUMNS = [
  'ACCESSION_NUMBER',
  'OTHERINCLUDEDMANAGERSCOUNT',
  'TABLEENTRYTOTAL',
  'TABLEVALUETOTAL',
] as const;
const INFO_TABLE_COLUMNS = [
  'ACCESSION_NUMBER',
  'NAMEOFISSUER',
  'TITLEOFCLASS',
  'CUSIP',
  'VALUE',
  'SSHPRNAMT',
  'SSHPRNAMTTYPE',
] as const;

/** Returns all reports of the set; counts unreadable rows. Throws TableError if a table lacks a required column. */
export async function readThirteenFReports(
  archive: Archive,
  skipped: SkippedRowCounts,
): Promise<readonly FiledThirteenF[]> {
  const submissionByAccession = await indexByAccession(
    readTable(archive, 'SUBMISSION.tsv', { required: SUBMISSION_COLUMNS, skipped }),
  );
  const summaryByAccession = archive.has('SUMMARYPAGE.tsv')
    ? await indexByAccession(readTable(archive, 'SUMMARYPAGE.tsv', { required: SUMMARY_COLUMNS, skipped }))
    : new Map<string, DelimitedRow<(typeof SUMMARY_COLUMNS)[number]>>();
  const reports: FiledThirteenF[] = [];
  for await (const coverRowBatch of readTable(archive, 'COVERPAGE.tsv', {
    required: COVER_COLUMNS,
    optional: AMENDMENT_COLUMNS,
    skipped,
  })) {
    for (const cover of coverRowBatch) {
      const submission = submissionByAccession.get(cover.ACCESSION_NUMBER);
      if (submission === undefined) {
        skipped.add('a 13F cover page without a row in the table of submissions');
        continue;
      }
      const summary = summaryByAccession.get(cover.ACCESSION_NUMBER);
      const reportOrReason = parseReportCells({
        accession: cover.ACCESSION_NUMBER,
        filed: parseDay(submission.FILING_DATE),
        cik: submission.CIK,
        managerName: cover.FILINGMANAGER_NAME,
        form: submission.SUBMISSIONTYPE,
        period: parseDay(cover.REPORTCALENDARORQUARTER) ?? parseDay(submission.PERIODOFREPORT),
        isAmendment: cover.ISAMENDMENT,
        amendmentNumber: cover.AMENDMENTNO,
        amendmentType: cover.AMENDMENTTYPE,
        otherManagerCount: summary?.OTHERINCLUDEDMANAGERSCOUNT,
        entryTotal: summary?.TABLEENTRYTOTAL,
        valueTotal: summary?.TABLEVALUETOTAL,
      });
      const { ACCESSION_NUMBER: accession } = cover;
      if (typeof reportOrReason === 'string') skipped.add(reportOrReason);
      else if (reportOrReason.filed === null) skipped.add('a 13F report without a valid filing date');
      else reports.push({ ...reportOrReason, accession, filed: reportOrReason.filed });
    }
  }
  return reports;
}

export interface ThirteenFLine {
  readonly accession: string;
  readonly row: HoldingLine;
}

/** Yields the lines of all information tables with their accession numbers, in the order of the file. */
export async function* readThirteenFLines(
  archive: Archive,
  skipped: SkippedRowCounts,
): AsyncGenerator<readonly ThirteenFLine[]> {
  for await (const tableRows of readTable(archive, 'INFOTABLE.tsv', {
    required: INFO_TABLE_COLUMNS,
    optional: ['PUTCALL'],
    skipped,
  })) {
    const batch: ThirteenFLine[] = [];
    for (const tableRow of tableRows) {
      const holdingLine = parseLineCells({
        issuer: tableRow.NAMEOFISSUER,
        titleOfClass: tableRow.TITLEOFCLASS,
        cusip: tableRow.CUSIP,
        value: tableRow.VALUE,
        amount: tableRow.SSHPRNAMT,
        amountType: tableRow.SSHPRNAMTTYPE,
        putCall: tableRow.PUTCALL,
      });
      if (typeof holdingLine === 'string') skipped.add(holdingLine);
      else batch.push({ accession: tableRow.ACCESSION_NUMBER, row: holdingLine });
    }
    yield batch;
  }
}

async function indexByAccession<Row extends DelimitedRow<'ACCESSION_NUMBER'>>(
  batches: AsyncIterable<readonly Row[]>,
): Promise<ReadonlyMap<string, Row>> {
  const rowByAccession = new Map<string, Row>();
  for await (const batch of batches) for (const row of batch) rowByAccession.set(row.ACCESSION_NUMBER, row);
  return rowByAccession;
}
