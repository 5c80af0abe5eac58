import type { FetchReport, FetchEvent as WorkEvent } from '../../contract/release-work.ts';

/** Fetches public files of the SEC. */
export interface FetchPort {
  /**
   * Fetches files. If fetching fails, keeps the files fetched so far, and throws a Failure that states how to continue.
   */
  fetchFiles(options: FetchFilesOptions, settings: FetchSettings): Promise<FetchReport>;
}

export type SourceFileKind = 'insiders' | 'holders' | 'fails' | 'funds' | 'indexes';

export interface FetchFilesOptions {
  /** Tickers and CIKs as the user typed them. */
  readonly companies: readonly string[];
  readonly bulk: boolean;
  /** Number of newest periods to fetch per file family. */
  readonly families: readonly { readonly name: SourceFileKind; readonly count: number }[];
  /** Number of last days whose annual and interim reports are fetched; 0 for none. */
  readonly reportDays: number;
  /** Whether to update previously fetched files; cannot be combined with options that choose files to fetch. */
  readonly refresh: boolean;
  /** Base URL of a mirror of the SEC's site; null for the SEC's own site. */
  readonly site: string | null;
  /** Maximum size of a zip file in bytes; null for the default of each kind of file. */
  readonly largestZip: number | null;
}

/** Network settings of a transfer. Times are in milliseconds. */
export interface TransferSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly maxWait: number;
  readonly retries: number;
  /** Maximum time for a request including its body; null for no limit. */
  readonly timeout: number | null;
  /** Time (epoch milliseconds) at which `signal` aborts because of the deadline; null without a deadline. */
  readonly deadline: number | null;
  readonly signal: AbortSignal;
}

export interface FetchSettings extends TransferSettings {
  /** Directory in which the files are stored. */
  readonly directory: string;
  readonly userAgent: string;
  /**
   * A stored file is requested again if more milliseconds than this have passed since it was last confirmed as current.
   */
  readonly maxAge: number;
  readonly onEvent: (event: FetchEvent) => void;
}

export type FetchEvent =
  | WorkEvent
  | { readonly type: 'connecting'; readonly host: string }
  /** A notice for the user, as a full sentence. */
  | { readonly type: 'notice'; readonly text: string };
