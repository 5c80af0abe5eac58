/**
 * Reads the quarterly Form 13F data sets: joins SUBMISSION, COVERPAGE and SUMMARYPAGE, and streams the lines of
 * INFOTABLE.
 */

import { pushTo } from '../../platform/collections.ts';
import type { Archive } from '../files/archive.ts';
import { type DelimitedRow, readTable } from '../files/delimited.ts';
import { parseDay } from '../files/fields.ts';
import type { SkippedRowCounts } from '../files/skipped-rows.ts';
import { type FiledThirteenF, parseReportCells, readTableRow, type TableRow } from './thirteen-f-report.ts';

/** Whether the zip is a Form 13F data set. */
export const isThirteenFDataSet = (archive: Archive): boolean =>
  archive.has('INFOTABLE.tsv') && archive.has('COVERPAGE.tsv') && archive.has('SUBMISSION.tsv');

const SUBMISSION_COLUMNS = ['ACCESSION_NUMBER', 'FILING_DATE', 'SUBMISSIONTYPE', 'CIK', 'PERIODOFREPORT'] as const;
const COVER_COLUMNS = ['ACCESSION_NUMBER', 'REPORTCALENDARORQUARTER', 'FILINGMANAGER_NAME'] as const;
const AMENDMENT_COLUMNS = ['ISAMENDMENT', 'AMENDMENTNO', 'AMENDMENTTYPE'] as const;
const SUM_COLUMNS = ['ACCESSION_NUMBER', 'OTHERINCLUDEDMANAGERSCOUNT', 'TABLEENTRYTOTAL', 'TABLEVALUETOTAL'] as const;
const OTHER_MANAGER_COLUMNS = ['ACCESSION_NUMBER', 'NAME'] as const;
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
export async function readThirteenFReports(archive: Archive, skipped: SkippedRowCounts): Promise<FiledThirteenF[]> {
  const required = SUBMISSION_COLUMNS;
  const submissions = await indexByAccession(readTable(archive, 'SUBMISSION.tsv', { required, skipped }));
  const summaries = archive.has('SUMMARYPAGE.tsv')
    ? await indexByAccession(readTable(archive, 'SUMMARYPAGE.tsv', { required: SUM_COLUMNS, skipped }))
    : new Map<string, DelimitedRow<(typeof SUM_COLUMNS)[number]>>();
  const otherManagers = await readOtherManagers(archive, skipped);
  const reports: FiledThirteenF[] = [];
  const columns = { required: COVER_COLUMNS, optional: AMENDMENT_COLUMNS };
  for await (const batch of readTable(archive, 'COVERPAGE.tsv', { ...columns, skipped })) {
    for (const cover of batch) {
      const submission = submissions.get(cover.ACCESSION_NUMBER);
      if (submission === undefined) {
        skipped.add('a 13F cover page without a row in the table of submissions');
        continue;
      }
      const summary = summaries.get(cover.ACCESSION_NUMBER);
      const report = parseReportCells({
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
        reportedBy: otherManagers.get(cover.ACCESSION_NUMBER) ?? [],
        entryTotal: summary?.TABLEENTRYTOTAL,
        valueTotal: summary?.TABLEVALUETOTAL,
      });
      const { ACCESSION_NUMBER: accession } = cover;
      if (typeof report === 'string') skipped.add(report);
      else if (report.filed === null) skipped.add('a 13F report without a valid filing date');
      else reports.push({ ...report, accession, filed: report.filed });
    }
  }
  return reports;
}

/** Returns the managers that report for the manager of each report, by accession number. */
async function readOtherManagers(archive: Archive, skipped: SkippedRowCounts) {
  const byAccession = new Map<string, { cik: string; name: string }[]>();
  if (!archive.has('OTHERMANAGER.tsv')) return byAccession;
  const columns = { required: OTHER_MANAGER_COLUMNS, optional: ['CIK'] as const };
  for await (const batch of readTable(archive, 'OTHERMANAGER.tsv', { ...columns, skipped }))
    for (const { ACCESSION_NUMBER: accession, CIK: cik, NAME: name } of batch)
      pushTo(byAccession, accession, { cik, name });
  return byAccession;
}

export interface ThirteenFRow {
  readonly accession: string;
  readonly row: TableRow;
}

/** Yields the rows of all information tables with their accession numbers, in the order of the file. */
export async function* readThirteenFRows(archive: Archive, skipped: SkippedRowCounts): AsyncGenerator<ThirteenFRow[]> {
  const columns = { required: INFO_TABLE_COLUMNS, optional: ['PUTCALL'] as const };
  for await (const rows of readTable(archive, 'INFOTABLE.tsv', { ...columns, skipped })) {
    yield rows.map((row) => {
      const cells = {
        issuer: row.NAMEOFISSUER,
        titleOfClass: row.TITLEOFCLASS,
        cusip: row.CUSIP,
        value: row.VALUE,
        amount: row.SSHPRNAMT,
        amountType: row.SSHPRNAMTTYPE,
        putCall: row.PUTCALL,
      };
      return { accession: row.ACCESSION_NUMBER, row: readTableRow(cells, skipped) };
    });
  }
}

async function indexByAccession<Row extends DelimitedRow<'ACCESSION_NUMBER'>>(batches: AsyncIterable<readonly Row[]>) {
  const rows = new Map<string, Row>();
  for await (const batch of batches) for (const row of batch) rows.set(row.ACCESSION_NUMBER, row);
  return rows;
}
