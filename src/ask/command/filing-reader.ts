import type { DocumentChoice, FiledDocument } from '../../client/request/documents.ts';
import type { FilingSource } from '../../contract/resources/filings.ts';

/** Reads filings and their documents, one after the other. */
export interface FilingReader {
  /** Asks the service where a filing and its documents are. */
  find(accession: string): Promise<FilingSource>;
  /** Throws a usage Failure for an address that may not be asked, and the Failures of requests. */
  read(filing: FilingSource, choice: DocumentChoice): Promise<FiledDocument>;
}
