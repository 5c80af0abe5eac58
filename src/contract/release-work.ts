/**
 * Reports of the work on releases, during the work and at its end. The rooms that fetch, build and publish create
 * them; commands, which do not import these rooms, print them.
 */

export interface AnalyticsReport {
  readonly stamp: string;
  readonly directory: string;
  readonly publication: 'published' | 'already_there' | 'replaced';
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly bytes: number }[];
  readonly seconds: number;
}

export interface BuildReport {
  readonly stamp: string;
  readonly date: string;
  /** The directory of the release; null if failed checks prevented its publication. */
  readonly directory: string | null;
  readonly publication: 'published' | 'already_there' | 'replaced_damaged' | 'withheld';
  readonly checks: 'passed' | 'failed';
  readonly checkResults: readonly { readonly name: string; readonly passed: boolean; readonly detail: string }[];
  readonly companies: number;
  readonly rows: Readonly<Record<string, number>>;
  /** Number of rows of facts in the sources. */
  readonly factRows: number;
  /** Number of skipped rows, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Unreadable files, as sentences; the first hundred. */
  readonly problems: readonly string[];
  readonly seconds: number;
}

export interface FetchOutcome {
  readonly file: string;
  readonly url: string;
  /** `absent`: the site has no such file. `failed`: the response is not the file; `problem` has the reason. */
  readonly state: 'fetched' | 'unchanged' | 'absent' | 'failed';
  /** Size of the file on disk. */
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly problem: string | null;
}

export type FetchEvent =
  /** Number of additional files to fetch. */
  | { readonly type: 'planned'; readonly files: number }
  | { readonly type: 'requested' }
  /** A file's transfer has begun: bytes already on disk, and the total if known. */
  | { readonly type: 'started'; readonly file: string; readonly from: number; readonly total: number | null }
  | { readonly type: 'received'; readonly file: string; readonly bytes: number }
  /** An attempt failed and will be repeated. */
  | { readonly type: 'retrying'; readonly file: string; readonly why: string; readonly ms: number }
  | { readonly type: 'done'; readonly outcome: FetchOutcome };

export interface FetchReport {
  readonly outcomes: readonly FetchOutcome[];
  /** Requested companies that no list contains. */
  readonly unknown: readonly string[];
  /** Known tickers, for suggestions. */
  readonly tickers: readonly string[];
}

export interface PublishReport {
  readonly stamp: string;
  readonly state: 'published' | 'unchanged' | 'replaced_damaged';
  readonly root: string;
  readonly files: number;
  readonly bytes: number;
  /** Number of files that are hard links to those of the release. */
  readonly linked: number;
  /** The id of the key that signed the pointer. */
  readonly signedWith: string | null;
  /** The previously published release, if it is another one. */
  readonly before: { readonly stamp: string; readonly signedWith: string | null } | null;
  readonly pruned: readonly string[];
}

export interface PullReport {
  readonly stamp: string;
  readonly state: 'pulled' | 'up_to_date';
  readonly directory: string;
  /** The current release. */
  readonly current: string;
  readonly files: number;
  /** Total size of the files. */
  readonly bytes: number;
  /** Tables of the release that were not pulled. */
  readonly absent: readonly string[];
  /** The id of the key that verified the signature. */
  readonly signedWith: string | null;
}
