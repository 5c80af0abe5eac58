/** Reads a Form 13F as the filing system hands it out whole: an SGML header, then its documents one after the other. */

import { parseDay } from '../files/parse-day.ts';
import type { SkippedRows } from '../files/skipped-rows.ts';
import { readInformationTable, readThirteenFCover } from './thirteen-f-documents.ts';
import type { HoldingLine, ThirteenFReport } from './thirteen-f-report.ts';

export interface WholeThirteenF {
  readonly report: ThirteenFReport;
  readonly rows: readonly HoldingLine[];
}

/** Both headers in use: the readable one of `.txt`, and the bare tags of the older feed. */
const ACCESSION = /ACCESSION[ -]NUMBER[:>]\s*(\d{10}-\d{2}-\d{6})/;
const FILED = /(?:FILED AS OF DATE:|<FILING-DATE>)\s*(\d{8})/;
const DOCUMENT = /<DOCUMENT>([\s\S]*?)<\/DOCUMENT>/g;
const XML = /<XML>([\s\S]*?)<\/XML>/;

/** The report and its table, or why there is none. Throws XmlError where a document is no XML. */
export function readThirteenFSubmission(text: string, tally: SkippedRows): WholeThirteenF | string {
  const head = text.slice(0, 4096);
  const place = { accession: ACCESSION.exec(head)?.[1] ?? null, filed: parseDay(FILED.exec(head)?.[1] ?? '') };
  let report: ThirteenFReport | string = 'a 13F submission without a cover page';
  let rows: readonly HoldingLine[] = [];
  for (const [, document = ''] of text.matchAll(DOCUMENT)) {
    const xml = XML.exec(document)?.[1];
    if (xml === undefined) continue;
    if (/<(?:\w+:)?edgarSubmission[\s>]/.test(xml.slice(0, 1024))) report = readThirteenFCover(xml, place);
    else if (/<(?:\w+:)?informationTable[\s>]/.test(xml.slice(0, 2048))) rows = readInformationTable(xml, tally);
  }
  return typeof report === 'string' ? report : { report, rows };
}
