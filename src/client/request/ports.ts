/**
 * Types of what the entry point passes to the client, which must not import the service: the in-process service,
 * releases on static hosts, and documents of filings.
 */
import type { LocalService, Question } from '../../contract/question.ts';
import type { FilingSource } from '../../contract/resources/filings.ts';
import type { Directories } from '../../platform/files/directories.ts';
import type { ClientContext, ClientOptions } from './client-options.ts';

/** The ports; each loads its code on first use. */
export interface Ports {
  readonly localService: () => Promise<LocalServicePort>;
  readonly published: () => Promise<PublishedPort>;
  readonly documents?: () => Promise<DocumentsPort>;
}

/** Opens the in-process service for the base URL `local:`. */
export interface LocalServicePort {
  /**
   * Opens the service. Throws a data Failure if no release may be used.
   * @param dataDirectory null if no home directory exists, so that only the built-in sample can answer
   * @param isSampleAllowed false if a service or a profile is configured, because the sample must not hide a missing
   * release
   */
  openLocalService(dataDirectory: string | null, isSampleAllowed: boolean): OpenedService;
}

export interface OpenedService {
  readonly service: LocalService;
  readonly stamp: string;
  /** Returns whether opening the service now would open the same release. */
  readonly isCurrent: () => boolean;
  /**
   * Size and date of the built-in sample if the sample answers; otherwise null. `screened`: number of the sample's
   * companies that are in the screener.
   */
  readonly sample: { readonly companies: number; readonly screened: number; readonly date: string } | null;
}

/** A document of a filing: the form's own, an exhibit by its number (`99.1`), or a file of the filing's folder. */
export type DocumentChoice =
  | { readonly kind: 'own' }
  | { readonly kind: 'exhibit'; readonly number: string }
  | { readonly kind: 'file'; readonly name: string };

export interface FiledDocument {
  readonly name: string;
  /** Type of the form or of the exhibit, such as `10-K` or `EX-99.1`. */
  readonly type: string;
  /** Address of the document at the SEC or at the allowed origin, even if it was read from a copy. */
  readonly url: string;
  readonly bytes: Uint8Array;
}

/** Reads the documents of filings: public files on this machine, cached documents, and then the SEC's site. */
export interface DocumentSource {
  /**
   * Throws a usage Failure for an address that may not be requested or a missing contact, `not_found` for a document
   * that the filing lacks, and the Failures of requests.
   */
  read(filing: FilingSource, choice: DocumentChoice): Promise<FiledDocument>;
  /** Returns the number of requests that `read` would send at least. Throws as `read` for an address. */
  countRequests(filing: FilingSource, choice: DocumentChoice): number;
  close(): Promise<void>;
}

export interface DocumentSettings extends Omit<ClientContext, 'baseUrl'> {
  readonly directories: Directories;
  /** The contact as the user gave it; null if none is set. */
  readonly contact: string | null;
  /** Address of a copy of the SEC's site; null for the site itself. */
  readonly site: string | null;
  /** An origin other than the SEC's from which the user allows documents, such as `https://filings.example`. */
  readonly allowedOrigin: string | null;
  /** Whether only files on this machine are read. */
  readonly localOnly: boolean;
}

/** @param overrides contact and copy of the SEC's site; null for the values of the environment and the profile */
export type OpenDocuments = (overrides: Pick<DocumentSettings, 'contact' | 'site'>) => Promise<DocumentSource>;

/** Reads documents; the entry point passes it in, because the readers of the SEC's files belong to the service. */
export type DocumentsPort = { openDocuments(settings: DocumentSettings): DocumentSource };

/** Answers questions in this process from releases on a static host, by reading ranges of their files. */
export interface PublishedPort {
  /** Returns whether the address has a pointer to a release; null if that cannot be determined. */
  isPublished(settings: PublishedSettings): Promise<boolean | null>;
  openPublishedService(settings: PublishedSettings): PublishedService;
}

export interface PublishedSettings extends Omit<ClientContext, 'options'> {
  /**
   * Public key by which the pointer must be signed, as `fin data keygen` prints it; null if no signature is required.
   */
  readonly publicKey: string | null;
  readonly directories: Directories;
  readonly options: Partial<ClientOptions>;
}

export interface PublishedService {
  readonly service: LocalService;
  /** Estimates what an answer would load, without sending a request. */
  plan(question: Question): Promise<LoadPlan>;
}

export interface LoadPlan {
  readonly requests: number;
  /** Number of bytes to load from published files; null if not even the list of files is cached. */
  readonly bytes: number | null;
  /** Whether more bytes may be needed, which is known only after these bytes are loaded. */
  readonly mayNeedMore: boolean;
}

/** A finding about a static host, for `fin doctor --network`. */
export interface HostFinding {
  readonly check: string;
  readonly state: 'ok' | 'note' | 'wrong';
  readonly detail: string;
}
