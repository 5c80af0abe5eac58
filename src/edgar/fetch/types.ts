/** The shapes of fetching: what is to be fetched is data, and the network, the clock's waits and claims come from outside. */

/** One file to fetch. */
export interface RemoteFile {
  readonly url: string;
  /** Where it lands below the directory of sources, with slashes. */
  readonly file: string;
  /** A zip is large: it is taken as it lies there, and gone on with where it broke off. */
  readonly kind: 'json' | 'zip' | 'text';
  /** A file of more bytes is not taken. */
  readonly largest: number;
}

export interface DownloadResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Content codings are undone. Leaving it early lets go of the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** One GET, redirects not followed. Throws a Failure for what will not get better, anything else for what may. */
export type HttpGet = (asked: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}) => Promise<DownloadResponse>;

/** How long to wait, and whether at all. Milliseconds. */
export interface RetryPolicy {
  /** Before the next try after a broken connection (`error`) or a failed service; null where there is none. */
  delayBefore(
    outcome: { readonly error: unknown } | Pick<DownloadResponse, 'status' | 'headers'>,
    attempt: number,
  ): number | null;
  /** What `Retry-After` asks for, or null. */
  retryAfter(headers: Readonly<Record<string, string>>): number | null;
  /** A longer pause than this is not sat out. */
  readonly longestPause: number;
}

export interface FetchContext {
  /** Where the files go. */
  readonly directory: string;
  readonly get: HttpGet;
  /** Name and e-mail of who asks, and with what. */
  readonly userAgent: string;
  readonly spacing: RequestSpacing;
  readonly retries: RetryPolicy;
  /** A file that the site confirmed so recently (ms) is not asked for again: who was broken off goes on at once. */
  readonly maxAge: number;
  /** Waits until no other process works on the named file; gives back what ends the claim. */
  lock(name: string, signal: AbortSignal): Promise<() => void>;
  readonly signal: AbortSignal;
  report(event: FetchEvent): void;
}

export interface RequestSpacing {
  /** Resolves when one request may be sent, at once. Throws a `limit` Failure where a pause is too long to be sat out. */
  waitForSlot(signal: AbortSignal): Promise<void>;
  /** Nobody sends anything for so many milliseconds. */
  pause(milliseconds: number): void;
}

export type FetchEvent =
  /** So many more files are to be fetched. */
  | { readonly type: 'planned'; readonly files: number }
  /** A file's bytes have begun to come: how many are there already, and how many there will be, where that is known. */
  | { readonly type: 'begun'; readonly file: string; readonly from: number; readonly total: number | null }
  | { readonly type: 'received'; readonly file: string; readonly bytes: number }
  | { readonly type: 'done'; readonly outcome: Outcome }
  /** A try failed, and there will be another. */
  | { readonly type: 'retrying'; readonly file: string; readonly why: string; readonly ms: number }
  | { readonly type: 'asked' };

export interface Outcome {
  readonly file: string;
  readonly url: string;
  /** `absent`: the site has no such file. `failed`: what came is not the file; `problem` says why. */
  readonly state: 'fetched' | 'unchanged' | 'absent' | 'failed';
  /** Of the file as it lies there now. */
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly problem: string | null;
}
