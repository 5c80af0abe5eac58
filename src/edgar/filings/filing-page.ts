/** Reads a filing's index page (`{accession}-index.htm`): the list of documents, and the acceptance time. */
import { normalizeAccession } from '../../contract/identifiers.ts';
import { parseDateTime, parseDay, toCik } from '../files/fields.ts';

interface ListedDocument {
  /** The file name in the filing's folder. */
  readonly name: string;
  /** Form type or exhibit number from the page; empty for the complete submission. */
  readonly kind: string;
}

export type FilingPage = Exclude<ReturnType<typeof readFilingPage>, string>;

/** Matches a plain file name, without folder, query or leading dot. */
const FILE_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,254}$/;
const MAX_DOCUMENTS = 10_000;

/** Whether the name is valid for a file in a filing's folder. */
export const isFileName = (name: string): boolean => FILE_NAME_PATTERN.test(name);

const ITEMS_PATTERN = /<div class="infoHead">Items<\/div>\s*<div class="info">([^<]*(?:<br\s*\/?>[^<]*)*)/;

/** Returns the filing's data from its index page, or the reason why the HTML is not an index page. */
export function readFilingPage(html: string) {
  const headHtml = html.slice(0, html.indexOf('class="tableFile"') + 1 || html.length);
  const accession = normalizeAccession(/\b(\d{10}-\d{2}-\d{6})\b/.exec(headHtml)?.[1] ?? '');
  const form = extractText(/id="formName">\s*<strong>([^<]*)</i.exec(html)?.[1] ?? '').replace(/^Form(?: |$)/i, '');
  if (accession === null || form === '') return 'a filing page without an accession number or form type';
  const info = html.matchAll(/<div class="infoHead">([^<]*)<\/div>\s*<div class="info">([^<]*)</g);
  const byLabel = new Map(Array.from(info, ([, label = '', text = '']) => [extractText(label), extractText(text)]));
  return {
    accession,
    form,
    filed: parseDay(byLabel.get('Filing Date')),
    /** New York time, YYYY-MM-DDTHH:MM:SS; null if missing. */
    acceptedEastern: parseDateTime(byLabel.get('Accepted')),
    period: parseDay(byLabel.get('Period of Report')),
    /** Item numbers of a current report. */
    items: [...(ITEMS_PATTERN.exec(html)?.[1] ?? '').matchAll(/\bItem (\d\.\d{2})\b/g)].map((item) => item[1] ?? ''),
    ciks: [...new Set([...html.matchAll(/[?&;]CIK=(\d{10})\b/g)].flatMap((match) => toCik(match[1]) ?? []))],
    documents: html
      .split(/<table class="tableFile"[^<>]*>/)
      .slice(1)
      .flatMap((html) => parseDocuments(html.slice(0, Math.max(0, html.indexOf('</table>'))))),
  };
}

/**
 * Parses a table with the columns Seq, Description, Document, Type and Size. Patterns of tags exclude `<`, so that many
 * tags without an end take linear time.
 */
function parseDocuments(html: string): ListedDocument[] {
  const documents: ListedDocument[] = [];
  for (const rowHtml of html.split(/<tr\b[^<>]*>/).slice(1, MAX_DOCUMENTS)) {
    const cells = rowHtml.split(/<td\b[^<>]*>/).slice(1);
    const [, , document = '', kind = ''] = cells.map((cell) => extractText(cell));
    const [documentCell = ''] = cells.slice(2);
    // Skips links to form4.html: a style sheet (in a folder such as xslF345X03) makes it from form4.xml, listed next.
    const [, address = ''] = /<a\b[^<>]*?\bhref="([^"<>]*)"/.exec(documentCell) ?? [];
    if (address.split('/').at(-2)?.startsWith('xsl')) continue;
    // The cell may contain more than the file name: "a10-q.htm iXBRL".
    const name = extractText(/<a\b[^<>]*>([^<]*)<\/a>/.exec(documentCell)?.[1] ?? document);
    if (isFileName(name)) documents.push({ name, kind });
  }
  return documents;
}

const HTML_ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Returns the text of an HTML fragment, on one line. */
const extractText = (html: string): string =>
  html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:#(\d{1,6})|([a-z]{2,5}));/gi, (entity, code: string | undefined, name: string | undefined) =>
      code === undefined ? (HTML_ENTITIES[name?.toLowerCase() ?? ''] ?? entity) : String.fromCodePoint(Number(code)),
    )
    .replace(/\s+/g, ' ')
    .trim();
