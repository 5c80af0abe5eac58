/** Reads a filer's submissions: names, tickers and all filings, from the main file and its continuation pages. */
import { isObject, type JsonObject, parseJson, toNonEmptyText } from '../../platform/json-object.ts';
import { parseDay, parseSic, toName } from '../files/fields.ts';
import { SkippedRowCounts } from '../files/skipped-rows.ts';

/** A filing in a filer's submissions. */
export interface FilingRecord {
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  readonly reportDate: string | null;
  /** Acceptance time as in the file: UTC in most files, New York time in some. */
  readonly accepted: string | null;
  /** The continuation page that lists the filing, from 1; absent for the main file. */
  readonly page?: number;
  readonly primaryDocument: string | null;
  /** Item numbers of a current report. */
  readonly items: readonly string[];
}

export type Filer = ReturnType<typeof readFiler>;

/** A former name of a filer, with the first and last filing date under this name. */
export interface FormerName {
  readonly name: string;
  readonly from: string | null;
  readonly to: string | null;
}

export type Submissions = ReturnType<typeof readSubmissions>;

const COLUMN_NAMES = 'accessionNumber filingDate form reportDate acceptanceDateTime primaryDocument items'.split(' ');
const NO_ITEMS: readonly string[] = [];
const DAY_PREFIX_PATTERN = /^\d{4}-\d{2}-\d{2}/;
/** Matches dates with a day from 1 to 28, which exists in every month. */
const DAY_1_TO_28_PREFIX_PATTERN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])/;
const ISO_DATE_LENGTH = 10;
const ACCESSION_PATTERN = /^\d{10}-\d{2}-\d{6}$/;
/** Matches accession numbers with or without dashes, because some copies omit the dashes. */
const LENIENT_ACCESSION_PATTERN = /^(\d{10})-?(\d{2})-?(\d{6})$/;

/**
 * Reads a filer's submissions; skips bad rows. Throws SyntaxError if a text is not JSON.
 * @param pages the continuation pages
 */
export function readSubmissions(mainFile: string | null, pages: readonly string[] = []) {
  const skipped = new SkippedRowCounts();
  const filings = new Map<string, FilingRecord>();
  const document = unwrapDocument(mainFile === null ? {} : parseJson(mainFile));
  const fields = isObject(document) ? document : {};
  const documents = [fields, ...pages.map((page) => unwrapDocument(parseJson(page)))];
  for (const [page, document] of documents.entries()) {
    for (const cells of readRows(findFilingTable(document), skipped)) {
      const filing = readFiling(cells);
      if (typeof filing === 'string') skipped.add(filing);
      else if (!filings.has(filing.accession)) filings.set(filing.accession, page === 0 ? filing : { ...filing, page });
    }
  }
  const latestFirst = [...filings.values()].sort(compareLatestFirst);
  // Each filing is listed once, latest first.
  return { filer: readFiler(fields), filings: latestFirst, skipped: skipped.getCounts() };
}

function compareLatestFirst(a: FilingRecord, b: FilingRecord): number {
  if (a.filed !== b.filed) return a.filed < b.filed ? 1 : -1;
  return a.accession < b.accession ? 1 : -1;
}

function readFiler(fields: JsonObject) {
  const readField = (name: string) => getFieldIgnoringCase(fields, name);
  const exchanges = readField('exchanges');
  const tickers = readField('tickers');
  return {
    name: toName(readField('name')),
    /** Standard Industrial Classification, four digits. */
    sic: parseSic(toNonEmptyText(readField('sic'))),
    sicDescription: toName(readField('sicDescription')),
    /** Tickers in the order of the file; the first ticker is the primary ticker. */
    tickers: (Array.isArray(tickers) ? tickers : []).flatMap((ticker: unknown, index) => {
      const tickerText = toName(ticker);
      return tickerText === null
        ? []
        : [{ ticker: tickerText, exchange: toName(Array.isArray(exchanges) ? exchanges[index] : null) }];
    }),
    /** Former names in the order of the file, latest first; some files include the current name. */
    formerNames: readFormerNames(readField('formerNames')),
  };
}

const readFormerNames = (entries: unknown): FormerName[] =>
  (Array.isArray(entries) ? entries : []).flatMap((entry: unknown) => {
    const name = isObject(entry) ? toName(getFieldIgnoringCase(entry, 'name')) : null;
    if (!isObject(entry) || name === null) return [];
    const readDay = (field: string) => extractDayPrefix(toNonEmptyText(getFieldIgnoringCase(entry, field)));
    return [{ name, from: readDay('from'), to: readDay('to') }];
  });

/** Returns the document without the wrapper (`data` or `submissions`) that some copies add. */
function unwrapDocument(document: unknown): unknown {
  if (!isObject(document) || getFieldIgnoringCase(document, 'filings') !== undefined) return document;
  const wrapped = document.data ?? document.submissions;
  return isObject(wrapped) ? wrapped : document;
}

/** Returns the table of filings: `filings.recent` in a main file, the document itself in a continuation page. */
function findFilingTable(document: unknown): unknown {
  if (!isObject(document)) return document;
  const field = getFieldIgnoringCase(document, 'filings');
  if (Array.isArray(field)) return field;
  if (!isObject(field)) return getFieldIgnoringCase(document, 'accessionNumber') === undefined ? null : document;
  return field.recent ?? (getFieldIgnoringCase(field, 'accessionNumber') === undefined ? null : field);
}

/** Returns a field of the current row by its name in the SEC's files. */
type CellReader = (name: string) => string | null;

/** Yields the rows of a columnar table, or of a list of row objects as in some copies. */
function* readRows(table: unknown, skipped: SkippedRowCounts): Generator<CellReader> {
  if (Array.isArray(table)) {
    for (const row of table) {
      if (isObject(row)) yield (name) => toNonEmptyText(getFieldIgnoringCase(row, name));
      else skipped.add('a listed filing that is not a JSON object');
    }
  } else if (isObject(table)) {
    const byName = new Map<string, readonly unknown[]>();
    for (const name of COLUMN_NAMES) {
      const column = getFieldIgnoringCase(table, name);
      if (Array.isArray(column)) byName.set(name, column);
    }
    const count = byName.get('accessionNumber')?.length ?? 0;
    let index = 0;
    // All rows share this function, which reads the current row. That is safe: each row is read before the next is
    // yielded.
    const readCell: CellReader = (name) => toNonEmptyText(byName.get(name)?.[index]);
    for (; index < count; index++) yield readCell;
  }
}

function readFiling(readCell: CellReader): FilingRecord | string {
  const accession = parseAccession(readCell('accessionNumber') ?? '');
  if (accession === null) return 'a listed filing without a valid accession number';
  const day = readValidDay(readCell('filingDate'));
  if (day === null) return 'a listed filing without a valid filing date';
  const form = readCell('form');
  if (form === null) return 'a listed filing without a form type';
  const items = readCell('items')?.split(',') ?? NO_ITEMS;
  return {
    accession,
    form,
    filed: day,
    reportDate: extractDayPrefix(readCell('reportDate')),
    accepted: readCell('acceptanceDateTime'),
    primaryDocument: readCell('primaryDocument'),
    items: items === NO_ITEMS ? items : items.map((item) => item.trim()).filter((item) => item !== ''),
  };
}

/**
 * Returns the accession number with dashes; null if invalid. The first pattern is fast and suffices for nearly all
 * numbers, which have dashes.
 */
const parseAccession = (text: string): string | null =>
  ACCESSION_PATTERN.test(text) ? text : (LENIENT_ACCESSION_PATTERN.exec(text)?.slice(1).join('-') ?? null);

/** Returns the date at the beginning of the text; null if the text does not begin with a valid date. */
const readValidDay = (text: string | null): string | null =>
  text !== null && DAY_1_TO_28_PREFIX_PATTERN.test(text)
    ? text.slice(0, ISO_DATE_LENGTH)
    : parseDay(extractDayPrefix(text));

const extractDayPrefix = (text: string | null): string | null =>
  text !== null && DAY_PREFIX_PATTERN.test(text) ? text.slice(0, ISO_DATE_LENGTH) : null;

/** Returns a field by its name in the SEC's files. Ignores case and underscores, which differ in some copies. */
function getFieldIgnoringCase(object: JsonObject, name: string): unknown {
  if (name in object) return object[name];
  const lowerCaseName = name.toLowerCase();
  for (const key of Object.keys(object)) {
    if (key.replaceAll('_', '').toLowerCase() === lowerCaseName) return object[key];
  }
  return undefined;
}
