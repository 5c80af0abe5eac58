/** Where the filing system keeps a filing, in addresses that stay. */

const ARCHIVES = 'https://www.sec.gov/Archives/edgar/data';

/** The filing's folder, with a slash at its end. */
export function folderOf(cik: number, accession: string): string {
  return `${ARCHIVES}/${cik}/${accession.replaceAll('-', '')}/`;
}

/** A document in the folder, as the list of filings names it: it may stand in a folder of its own. */
export function documentUrl(cik: number, accession: string, document: string): string {
  return folderOf(cik, accession) + document.split('/').map(encodeURIComponent).join('/');
}

/** The page that lists the filing's documents. */
export function listingUrl(cik: number, accession: string): string {
  return `${folderOf(cik, accession)}${accession}-index.htm`;
}
