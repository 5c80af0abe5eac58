/**
 * Reads the documents of a Form 13F: its cover page, its information table, and the complete submission, which contains
 * both.
 */
import { parseDay } from '../files/fields.ts';
import type { SkippedRowCounts } from '../files/skipped-rows.ts';
import { findChildren, findDescendant, parseXml, readTextAt } from '../files/xml.ts';
import { parseReportCells, readTableRow, type TableRow, type ThirteenFReport } from './thirteen-f-report.ts';

/** Fields that a cover page lacks, from the submission header or the file path; null if unknown. */
interface ThirteenFIdentity {
  readonly accession: string | null;
  readonly filed: string | null;
}

/** Returns the report, or the reason why the cover page is invalid. Throws XmlError if the text is not XML. */
export function readThirteenFCover(xml: string, identity: ThirteenFIdentity): ThirteenFReport | string {
  const root = parseXml(xml);
  if (root.name !== 'edgarSubmission') return 'a document that is not a 13F cover page';
  const header = findDescendant(root, 'headerData');
  const cover = findDescendant(root, 'formData', 'coverPage');
  const summary = findDescendant(root, 'formData', 'summaryPage');
  const amendment = findDescendant(cover, 'amendmentInfo');
  const text = readTextAt(cover, 'reportCalendarOrQuarter') ?? readTextAt(header, 'filerInfo', 'periodOfReport');
  return parseReportCells({
    ...identity,
    cik: readTextAt(header, 'filerInfo', 'filer', 'credentials', 'cik'),
    managerName: readTextAt(cover, 'filingManager', 'name'),
    form: readTextAt(header, 'submissionType'),
    period: parseDay(text),
    isAmendment: readTextAt(cover, 'isAmendment'),
    amendmentNumber: readTextAt(cover, 'amendmentNo'),
    amendmentType: readTextAt(amendment, 'amendmentType'),
    otherManagerCount: readTextAt(summary, 'otherIncludedManagersCount'),
    reportedBy: findChildren(findDescendant(cover, 'otherManagersInfo'), 'otherManager').map((manager) => ({
      cik: readTextAt(manager, 'cik'),
      name: readTextAt(manager, 'name'),
    })),
    entryTotal: readTextAt(summary, 'tableEntryTotal'),
    valueTotal: readTextAt(summary, 'tableValueTotal'),
  });
}

/** Returns the rows of the table, in order; counts unreadable rows. Throws XmlError if the text is not XML. */
export function readInformationTable(xml: string, skipped: SkippedRowCounts): TableRow[] {
  const rows: TableRow[] = [];
  parseXml(xml, (element) => {
    if (element.name !== 'infoTable') return false;
    const readCell = (...path: readonly string[]) => readTextAt(element, ...path) ?? '';
    const cells = {
      issuer: readCell('nameOfIssuer'),
      titleOfClass: readCell('titleOfClass'),
      cusip: readCell('cusip'),
      value: readCell('value'),
      amount: readCell('shrsOrPrnAmt', 'sshPrnamt'),
      amountType: readCell('shrsOrPrnAmt', 'sshPrnamtType'),
      putCall: readCell('putCall'),
    };
    rows.push(readTableRow(cells, skipped));
    return true;
  });
  return rows;
}

/** The header patterns match labelled lines, as in `.txt` files, and bare tags, as in `.nc` files of the feed. */
const ACCESSION_PATTERN = /ACCESSION[ -]NUMBER[:>]\s*(\d{10}-\d{2}-\d{6})/;
const FILING_DATE_PATTERN = /(?:FILED AS OF DATE:|<FILING-DATE>)\s*(\d{8})/;
const DOCUMENT_PATTERN = /<DOCUMENT>([\s\S]*?)<\/DOCUMENT>/g;
const XML_PATTERN = /<XML>([\s\S]*?)<\/XML>/;

/**
 * Returns the report and its table, or the reason why the submission is invalid. Throws XmlError if a document is not
 * XML.
 */
export function readThirteenFSubmission(text: string, skipped: SkippedRowCounts) {
  const header = text.slice(0, 4096);
  const accession = ACCESSION_PATTERN.exec(header)?.[1] ?? null;
  const identity = { accession, filed: parseDay(FILING_DATE_PATTERN.exec(header)?.[1]) };
  let report: ThirteenFReport | string = 'a 13F submission without a cover page';
  let rows: readonly TableRow[] | null = null;
  for (const [, document = ''] of text.matchAll(DOCUMENT_PATTERN)) {
    const xml = XML_PATTERN.exec(document)?.[1];
    if (xml === undefined) continue;
    if (/<(?:\w+:)?edgarSubmission[\s>]/.test(xml.slice(0, 1024))) report = readThirteenFCover(xml, identity);
    else if (/<(?:\w+:)?informationTable[\s>]/.test(xml.slice(0, 2048))) rows = readInformationTable(xml, skipped);
  }
  return typeof report === 'string' ? report : { report, rows };
}
