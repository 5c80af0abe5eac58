/** The forms of identifiers and names that the SEC and the interface use. */

const ACCESSION = /^(\d{10})-?(\d{2})-?(\d{6})$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The form in which a ticker is looked up: BRK.B, brk/b and BRK-B are one. */
export function normalizeTicker(text: string): string {
  return text.trim().toUpperCase().replace(/[./ ]/g, '-');
}

/** The accession number with its dashes, or null for any other text. */
export function normalizeAccession(text: string): string | null {
  const match = ACCESSION.exec(text);
  return match === null ? null : `${match[1]}-${match[2]}-${match[3]}`;
}

/** The folder of a filing at the SEC; null for a text that is no accession number. */
export function filingFolder(cik: number, accession: string): string | null {
  const number = normalizeAccession(accession)?.replaceAll('-', '');
  return number === undefined ? null : `https://www.sec.gov/Archives/edgar/data/${cik}/${number}/`;
}

/** A CIK without its padding, or null. */
export function parseCik(text: string): number | null {
  return /^\d{1,10}$/.test(text) && Number(text) > 0 ? Number(text) : null;
}

const CIK_DIGITS = 10;

/** What stands for the ticker of a company without one of today: CIK0000123456. */
export function cikTicker(cik: number): string {
  return `CIK${String(cik).padStart(CIK_DIGITS, '0')}`;
}

/** Returns the CIK that such a text names, with zeros before it or without; null for any other text. */
export function parseCikTicker(text: string): number | null {
  const [, digits] = /^CIK(\d{1,10})$/i.exec(text.trim()) ?? [];
  return digits === undefined ? null : parseCik(digits);
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Whether the text is a day of the calendar, YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  // A day past the end of its month is read as one of the next.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Addresses of the archive have it in their path, in the document that the viewer shows, or in a parameter. */
const ARCHIVE_ADDRESS = /^(?:https?:\/\/)?(?:[\w-]+\.)?sec\.gov\/.*?(?<!\d)(\d{10}-?\d{2}-?\d{6})(?!\d)/i;

/** The accession number in an address of the SEC's archive; any other text as it is. */
export function accessionIn(text: string): string {
  const [, accession = ''] = ARCHIVE_ADDRESS.exec(text.trim()) ?? [];
  return normalizeAccession(accession) ?? text;
}

/** The words of a name, by whose beginnings it is found: without case, accents and punctuation: "Nestlé S.A." is nestle, sa. */
export function nameWords(name: string): string[] {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}.'\u2019]/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
