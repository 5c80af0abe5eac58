/** Reads the two XML documents of a Form 13F: the cover page and the information table. */

import { parseDay } from '../files/parse-day.ts';
import type { SkippedRows } from '../files/skipped-rows.ts';
import { childOf, childText, parseXml } from '../files/xml.ts';
import { reportOf, rowOf } from './thirteen-f-fields.ts';
import type { HoldingLine, ThirteenFReport } from './thirteen-f-report.ts';

/** What the cover's own text does not say and its place does. */
export interface FilingPlace {
  readonly accession: string | null;
  readonly filed: string | null;
}

/** The report, or why there is none. Throws XmlError on text that is no XML. */
export function readThirteenFCover(xml: string, place: FilingPlace): ThirteenFReport | string {
  const root = parseXml(xml);
  if (root.name !== 'edgarSubmission') return 'a document that is no 13F cover page';
  const header = childOf(root, 'headerData');
  const cover = childOf(root, 'formData', 'coverPage');
  const summary = childOf(root, 'formData', 'summaryPage');
  const amendment = childOf(cover, 'amendmentInfo');
  const quarter = childText(cover, 'reportCalendarOrQuarter') ?? childText(header, 'filerInfo', 'periodOfReport');
  return reportOf({
    ...place,
    cik: childText(header, 'filerInfo', 'filer', 'credentials', 'cik') ?? '',
    managerName: childText(cover, 'filingManager', 'name') ?? '',
    form: childText(header, 'submissionType') ?? '',
    period: parseDay(quarter ?? ''),
    isAmendment: childText(cover, 'isAmendment') ?? '',
    amendmentNumber: childText(cover, 'amendmentNo') ?? '',
    amendmentType: childText(amendment, 'amendmentType') ?? '',
    otherManagers: childText(summary, 'otherIncludedManagersCount') ?? '',
    entryTotal: childText(summary, 'tableEntryTotal') ?? '',
    valueTotal: childText(summary, 'tableValueTotal') ?? '',
  });
}

/** Every line of the table, in its order; a line that cannot be read is counted. Throws XmlError on text that is no XML. */
export function readInformationTable(xml: string, tally: SkippedRows): HoldingLine[] {
  const rows: HoldingLine[] = [];
  parseXml(xml, (element) => {
    if (element.name !== 'infoTable') return false;
    const at = (...path: readonly string[]) => childText(element, ...path) ?? '';
    const row = rowOf({
      issuer: at('nameOfIssuer'),
      titleOfClass: at('titleOfClass'),
      cusip: at('cusip'),
      value: at('value'),
      amount: at('shrsOrPrnAmt', 'sshPrnamt'),
      amountType: at('shrsOrPrnAmt', 'sshPrnamtType'),
      putCall: at('putCall'),
    });
    if (typeof row === 'string') tally.add(row);
    else rows.push(row);
    return true;
  });
  return rows;
}
