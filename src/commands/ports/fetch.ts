import type { FetchReport, FetchEvent as WorkEvent } from '../../contract/release-work.ts';

/** Fetches public files of the SEC. */
export interface FetchPort {
  /** Throws a Failure with what was kept and how to continue; files fetched before the failure are kept. */
  fetchFiles(order: FetchOrder, settings: FetchSettings): Promise<FetchReport>;
}

export type FileFamilyName = 'insiders' | 'holders' | 'fails' | 'funds' | 'indexes';

export interface FetchOrder {
  /** Tickers and CIKs, as typed. */
  readonly companies: readonly string[];
  readonly bulk: boolean;
  /** The number of newest periods to fetch, by family. */
  readonly families: readonly { readonly name: FileFamilyName; readonly count: number }[];
  /** Updates the files fetched before; nothing else can be requested together with it. */
  readonly refresh: boolean;
  /** The address of a copy of the SEC's site; null for the original. */
  readonly site: string | null;
  /** Maximum size of a zip in bytes; null for each kind's default. */
  readonly largestZip: number | null;
}

/** How files are fetched; times in milliseconds. */
export interface TransferSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly maxWait: number;
  readonly retries: number;
  /** Maximum time for a request with its whole body; null for none. */
  readonly timeout: number | null;
  /** Time in epoch milliseconds; `signal` aborts then. */
  readonly deadline: number | null;
  readonly signal: AbortSignal;
}

export interface FetchSettings extends TransferSettings {
  /** The directory for the files. */
  readonly directory: string;
  readonly userAgent: string;
  /** Maximum age of a file's last confirmation; older files are requested again. */
  readonly maxAge: number;
  readonly onEvent: (event: FetchEvent) => void;
}

export type FetchEvent =
  | WorkEvent
  | { readonly type: 'connecting'; readonly host: string }
  /** A whole sentence. */
  | { readonly type: 'notice'; readonly text: string };
