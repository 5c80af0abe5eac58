/** Addresses of filings' documents and index pages in the SEC's archive. */

import { makeFilingFolderUrl } from '../../contract/identifiers.ts';

/** Returns the address of a document; `path` is its path in the filing's folder, as in lists of filings. */
export const makeDocumentUrl = (cik: number, accession: string, path: string): string =>
  makeFilingFolderUrl(cik, accession) + path.split('/').map(encodeURIComponent).join('/');

/** Returns the address of the page that lists the filing's documents. */
export const makeFilingIndexUrl = (cik: number, accession: string): string =>
  `${makeFilingFolderUrl(cik, accession)}${accession}-index.htm`;
