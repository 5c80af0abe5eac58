/**
 * Splits a complete submission into its header and its documents. The header has labelled lines (`.txt` in a filing's
 * folder) or bare tags (`.nc` in the feed). The header's time is always New York time.
 */
import { normalizeAccession } from '../../contract/identifiers.ts';
import { parseDateTime, parseDay, toCik } from '../files/fields.ts';

interface SgmlDocument {
  readonly type: string;
  readonly fileName: string;
  /** Content of the TEXT element, without an XML wrapper. */
  readonly body: string;
}

export type SgmlSubmission = Exclude<ReturnType<typeof readSgmlSubmission>, string>;

/** Maximum number of characters of a header; the longest headers list thousands of co-registrants. */
const MAX_HEADER_LENGTH = 1024 * 1024;
const MAX_DOCUMENTS = 10_000;

/** Returns the submission, or the reason why the text is not a complete submission. */
export function readSgmlSubmission(text: string) {
  const offset = text.indexOf('<DOCUMENT>');
  const header = text.slice(0, offset === -1 ? MAX_HEADER_LENGTH : Math.min(offset, MAX_HEADER_LENGTH));
  const accession = normalizeAccession(readLabelledField(header, 'ACCESSION NUMBER') ?? '');
  const form = readLabelledField(header, 'CONFORMED SUBMISSION TYPE') ?? readTaggedField(header, 'TYPE');
  if (accession === null || form === null) return 'a submission file without a valid accession number or form type';
  return {
    accession,
    form,
    filed: parseDay(readLabelledField(header, 'FILED AS OF DATE') ?? readTaggedField(header, 'FILING-DATE')),
    /** New York time, YYYY-MM-DDTHH:MM:SS; null if missing in the header. */
    acceptedEastern: parseDateTime(readTaggedField(header, 'ACCEPTANCE-DATETIME')),
    period: parseDay(readLabelledField(header, 'CONFORMED PERIOD OF REPORT') ?? readTaggedField(header, 'PERIOD')),
    /** CIKs of all parties in the header: filers, issuers, reporting owners. */
    ciks: [...header.matchAll(/^[ \t]*(?:CENTRAL INDEX KEY:|<CIK>)[ \t]*(\d{1,10})[ \t]*$/gm)].flatMap(
      (match) => toCik(match[1]) ?? [],
    ),
    documents: offset === -1 ? [] : parseDocuments(text.slice(offset)),
  };
}

/**
 * Returns a header field from its line (`ACCESSION NUMBER: …`), or else from its tag (`<ACCESSION-NUMBER>…`). No part
 * of the pattern matches line ends, because many blank lines would then take quadratic time.
 */
function readLabelledField(header: string, label: string): string | null {
  const match = new RegExp(`^[ \\t]*${label}:[ \\t]*(\\S.*)$`, 'm').exec(header);
  return match?.[1]?.trimEnd() ?? readTaggedField(header, label.replaceAll(' ', '-'));
}

const readTaggedField = (header: string, name: string): string | null =>
  new RegExp(`^<${name}>[ \\t]*(\\S.*)$`, 'm').exec(header)?.[1]?.trimEnd() ?? null;

function parseDocuments(text: string): SgmlDocument[] {
  const documents: SgmlDocument[] = [];
  for (const documentText of text.split(/^<DOCUMENT>[ \t]*$/m).slice(1, MAX_DOCUMENTS)) {
    const offset = documentText.indexOf('<TEXT>');
    const header = offset === -1 ? documentText.slice(0, MAX_HEADER_LENGTH) : documentText.slice(0, offset);
    const type = readTaggedField(header, 'TYPE');
    const fileName = readTaggedField(header, 'FILENAME');
    if (type === null || fileName === null) continue;
    const body = offset === -1 ? '' : extractBody(documentText.slice(offset + '<TEXT>'.length));
    documents.push({ type, fileName, body });
  }
  return documents;
}

function extractBody(text: string): string {
  const end = text.lastIndexOf('</TEXT>');
  const body = (end === -1 ? text : text.slice(0, end)).trim();
  return /^<XML>[\s\S]*<\/XML>$/i.test(body) ? body.slice('<XML>'.length, -'</XML>'.length).trim() : body;
}
