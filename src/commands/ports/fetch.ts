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
  | { readonly type: 'connecting'; readonly host: string }
  /** So many more files are to be fetched. */
  | { readonly type: 'planned'; readonly files: number }
  /** A file's bytes have begun to come: how many are there already, and how many there will be, where that is known. */
  | { readonly type: 'started'; readonly file: string; readonly from: number; readonly total: number | null }
  | { readonly type: 'received'; readonly file: string; readonly bytes: number }
  | { readonly type: 'done'; readonly outcome: FetchOutcome }
  | { readonly type: 'retrying'; readonly file: string; readonly why: string; readonly ms: number }
  | { readonly type: 'requested' }
  /** A whole sentence. */
  | { readonly type: 'notice'; readonly text: string };

export interface FetchOutcome {
  readonly file: string;
  readonly url: string;
  /** `absent`: the site has no such file. `failed`: what came is not the file; `problem` says why. */
  readonly state: 'fetched' | 'unchanged' | 'absent' | 'failed';
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly problem: string | null;
}

export interface FetchReport {
  readonly outcomes: readonly FetchOutcome[];
  /** Of the companies ordered, those that no list knows. */
  readonly unknown: readonly string[];
  /** Tickers that are known, for suggestions. */
  readonly tickers: readonly string[];
}
