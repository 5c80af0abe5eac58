import type { FilingSource } from '../../contract/resources/filings.ts';
import type { Directories } from '../../platform/files/directories.ts';
import type { ClientOptions } from './client-options.ts';
import type { ClientEvent } from './events.ts';

/** A document of a filing: the form's own, an exhibit by its number (`99.1`), or a file of its folder. */
export type DocumentChoice =
  | { readonly kind: 'own' }
  | { readonly kind: 'exhibit'; readonly number: string }
  | { readonly kind: 'file'; readonly name: string };

export interface FiledDocument {
  readonly name: string;
  /** The form's type, or that of the exhibit, such as `EX-99.1`. */
  readonly type: string;
  /** The address at the SEC or in the allowed service, from which the document came, directly or by a copy. */
  readonly url: string;
  readonly bytes: Uint8Array;
}

/** Reads the documents of filings: public files on this machine, cached documents, and then the SEC's site. */
export interface DocumentSource {
  /**
   * Throws a usage Failure for an address that may not be asked or a missing contact, `not_found` for a document that
   * the filing lacks, and the Failures of requests.
   */
  read(filing: FilingSource, choice: DocumentChoice): Promise<FiledDocument>;
  /** Returns the number of requests that `read` would send at least. Throws as `read` for an address. */
  countRequests(filing: FilingSource, choice: DocumentChoice): number;
  close(): Promise<void>;
}

export interface DocumentSettings {
  readonly directories: Directories;
  readonly options: ClientOptions;
  /** Environment variables for proxies, certificates, the contact and the copy of the SEC's site. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly report: (event: ClientEvent) => void;
  /** The contact as the user gave it; null if none is set. */
  readonly contact: string | null;
  /** Address of a copy of the SEC's site; null for the site itself. */
  readonly site: string | null;
  /** An origin other than the SEC's from which the user allows documents, such as `https://filings.example`. */
  readonly allowedOrigin: string | null;
  /** Whether only files on this machine are read. */
  readonly localOnly: boolean;
}

/** Reads documents; the entry point passes it in, because the readers of the SEC's files belong to the service. */
export interface DocumentsPort {
  openDocuments(settings: DocumentSettings): DocumentSource;
}
