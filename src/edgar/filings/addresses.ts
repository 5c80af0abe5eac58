/** The addresses of filings in the SEC's archive, which do not change. */

const ARCHIVES = 'https://www.sec.gov/Archives/edgar/data';

/** Returns the filing's folder, with a trailing slash. */
export function folderOf(cik: number, accession: string): string {
  return `${ARCHIVES}/${cik}/${accession.replaceAll('-', '')}/`;
}

/** Returns the address of a document by its path below the folder, as lists of filings name it. */
export function documentUrl(cik: number, accession: string, document: string): string {
  return folderOf(cik, accession) + document.split('/').map(encodeURIComponent).join('/');
}

/** Returns the address of the page that lists the filing's documents. */
export function listingUrl(cik: number, accession: string): string {
  return `${folderOf(cik, accession)}${accession}-index.htm`;
}
