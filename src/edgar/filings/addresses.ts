/** Base address of filings in the SEC's archive, which is permanent. */

const ARCHIVES_URL = 'https://www.sec.gov/Archives/edgar/data';

/** Returns the address of the filing's folder, with a trailing slash. */
export function filingFolderUrl(cik: number, accession: string): string {
  return `${ARCHIVES_URL}/${cik}/${accession.replaceAll('-', '')}/`;
}

/** Returns the address of a document; `document` is its path in the filing's folder, as in lists of filings. */
export function documentUrl(cik: number, accession: string, document: string): string {
  return filingFolderUrl(cik, accession) + document.split('/').map(encodeURIComponent).join('/');
}

/** Returns the address of the page that lists the filing's documents. */
export function filingIndexUrl(cik: number, accession: string): string {
  return `${filingFolderUrl(cik, accession)}${accession}-index.htm`;
}
