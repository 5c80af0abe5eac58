/** Where the SEC keeps a filing. Addresses below its archive do not change. */

const ARCHIVES = 'https://www.sec.gov/Archives/edgar/data';

/** The filing's folder, with a slash at its end. */
export function folderOf(cik: number, accession: string): string {
  return `${ARCHIVES}/${cik}/${accession.replaceAll('-', '')}/`;
}

/** A document by its path below the folder, as the list of filings names it. */
export function documentUrl(cik: number, accession: string, document: string): string {
  return folderOf(cik, accession) + document.split('/').map(encodeURIComponent).join('/');
}

/** The page that lists the filing's documents. */
export function listingUrl(cik: number, accession: string): string {
  return `${folderOf(cik, accession)}${accession}-index.htm`;
}
