/** Formats of identifiers of the SEC, XBRL and the HTTP API, such as tickers, CIKs, accession numbers and units. */

const ACCESSION_PATTERN = /^(\d{10})-?(\d{2})-?(\d{6})$/;
const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/;

/** Normalizes a ticker for lookups: BRK.B, brk/b and BRK-B become the same text. */
export const normalizeTicker = (text: string): string => text.trim().toUpperCase().replace(/[./ ]/g, '-');

/** Removes the separator of a share class from a normalized ticker, because some sources write BRK-B as BRKB. */
export const removeShareClassSeparator = (ticker: string): string => ticker.replaceAll('-', '');

/** Returns an accession number with dashes; null for other text. */
export function normalizeAccession(text: string): string | null {
  const match = ACCESSION_PATTERN.exec(text);
  return match === null ? null : `${match[1]}-${match[2]}-${match[3]}`;
}

/** Returns the permanent address of a filing's folder in the SEC's archive, with a trailing slash. */
export const makeFilingFolderUrl = (cik: number, accession: string): string =>
  `https://www.sec.gov/Archives/edgar/data/${cik}/${accession.replaceAll('-', '')}/`;

/** Returns the address of a filing's folder; null if the text is not an accession number. */
export const makeFolderUrlIfValid = (cik: number, accession: string): string | null =>
  normalizeAccession(accession) === null ? null : makeFilingFolderUrl(cik, accession);

/** Parses a CIK, with or without leading zeros; returns null for other text. */
export const parseCik = (text: string): number | null =>
  /^\d{1,10}$/.test(text) && Number(text) > 0 ? Number(text) : null;

const CIK_DIGITS = 10;

/** Returns the substitute for a ticker, such as CIK0000123456, for companies without a current ticker. */
export const toCikTicker = (cik: number): string => `CIK${String(cik).padStart(CIK_DIGITS, '0')}`;

/** Returns the CIK of a substitute such as CIK0000123456, with or without leading zeros; null for other text. */
export function parseCikTicker(text: string): number | null {
  const [, digits] = /^CIK(\d{1,10})$/i.exec(text.trim()) ?? [];
  return digits === undefined ? null : parseCik(digits);
}

export const isUuid = (text: string): boolean => UUID_PATTERN.test(text);

/** Whether the text is a valid date, YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!DAY_PATTERN.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  // `Date` converts February 30 to March 2, so the text is compared with the result.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/**
 * Matches addresses of the SEC's archive. The accession number is in the path, in the name of the displayed document,
 * or in a query parameter.
 */
const ARCHIVE_ADDRESS_PATTERN = /^(?:https?:\/\/)?(?:[\w-]+\.)?sec\.gov\/.*?(?<!\d)(\d{10}-?\d{2}-?\d{6})(?!\d)/i;

/** Returns the accession number in an address of the SEC's archive; returns other text unchanged. */
export function replaceArchiveAddress(text: string): string {
  const [, accession = ''] = ARCHIVE_ADDRESS_PATTERN.exec(text.trim()) ?? [];
  return normalizeAccession(accession) ?? text;
}

/** Whether a text names the concept, with or without its taxonomy, ignoring case. */
export function isNameOfConcept(text: string, { taxonomy, concept }: { taxonomy: string; concept: string }): boolean {
  const name = text.trim().toLowerCase();
  return name === concept.toLowerCase() || name === `${taxonomy}:${concept}`.toLowerCase();
}

/**
 * Returns the words of a name for prefix search, in lower case without accents and punctuation: "Nestlé S.A." becomes
 * `nestle`, `sa`.
 */
export const splitNameIntoWords = (name: string): string[] =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}.'\u2019]/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

export interface NamedTicker {
  readonly ticker: string;
  readonly name: string;
}

/** Returns the address of a document; `path` is its path in the filing's folder, as in lists of filings. */
export const makeDocumentUrl = (cik: number, accession: string, path: string): string =>
  makeFilingFolderUrl(cik, accession) + path.split('/').map(encodeURIComponent).join('/');

/** Returns the address of the page that lists the filing's documents. */
export const makeFilingIndexUrl = (cik: number, accession: string): string =>
  `${makeFilingFolderUrl(cik, accession)}${accession}-index.htm`;

/** Returns the currency of an amount (`USD`) or of an amount per share (`USD/shares`); null for any other unit. */
export function parseCurrency(unit: string): string | null {
  if (unit.length === 3) return unit;
  return unit.length === 10 && unit.endsWith('/shares') ? unit.slice(0, 3) : null;
}
