import type { FetchReport, FetchEvent as WorkEvent } from '../../contract/release-work.ts';

/** Fetches public files of the SEC. */
export interface FetchPort {
  /** Throws a Failure that says what is kept and how to go on; what was fetched until then is kept. */
  fetchFiles(order: FetchOrder, settings: FetchSettings): Promise<FetchReport>;
}

export type FileFamilyName = 'insiders' | 'holders' | 'fails' | 'funds' | 'indexes';

export interface FetchOrder {
  /** Tickers and CIKs, as typed. */
  readonly companies: readonly string[];
  readonly bulk: boolean;
  /** How many of the newest periods of which family. */
  readonly families: readonly { readonly name: FileFamilyName; readonly count: number }[];
  /** Brings what was fetched before up to date; nothing else is ordered then. */
  readonly refresh: boolean;
  /** The address of a copy of the SEC's site; null for the site itself. */
  readonly site: string | null;
  /** In bytes; null for what is usual of each. */
  readonly largestZip: number | null;
}

/** How files are fetched. Times are in milliseconds. */
export interface TransferSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly maxWait: number;
  readonly retries: number;
  /** For one request with its whole body (ms), or null. */
  readonly timeout: number | null;
  /** Epoch milliseconds; `signal` is aborted then. */
  readonly deadline: number | null;
  readonly signal: AbortSignal;
}

export interface FetchSettings extends TransferSettings {
  /** Where the files go. */
  readonly directory: string;
  readonly userAgent: string;
  /** A file that the site confirmed so recently is not requested again. */
  readonly maxAge: number;
  readonly onEvent: (event: FetchEvent) => void;
}

export type FetchEvent =
  | WorkEvent
  | { readonly type: 'connecting'; readonly host: string }
  /** A whole sentence. */
  | { readonly type: 'notice'; readonly text: string };
