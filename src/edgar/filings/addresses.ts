/** Addresses of filings' documents and index pages in the SEC's archive. */

import { filingFolderUrl } from '../../contract/identifiers.ts';

/** Returns the address of a document; `document` is its path in the filing's folder, as in lists of filings. */
export function documentUrl(cik: number, accession: string, document: string): string {
  return filingFolderUrl(cik, accession) + document.split('/').map(encodeURIComponent).join('/');
}

/** Returns the address of the page that lists the filing's documents. */
export function filingIndexUrl(cik: number, accession: string): string {
  return `${filingFolderUrl(cik, accession)}${accession}-index.htm`;
}
