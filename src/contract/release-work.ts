/**
 * What the work on releases reports while it goes on and at its end. The rooms that fetch, build and publish make these; the
 * commands, which know nothing of those rooms, print them.
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
  /** Where the release is; null when failed checks kept it from being published. */
  readonly directory: string | null;
  readonly publication: 'published' | 'already_there' | 'replaced_damaged' | 'withheld';
  readonly checks: 'passed' | 'failed';
  readonly checkResults: readonly { readonly name: string; readonly passed: boolean; readonly detail: string }[];
  readonly companies: number;
  readonly rows: Readonly<Record<string, number>>;
  /** Rows of facts in the sources. */
  readonly factRows: number;
  /** Rows of input that were not used, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** What could not be read, as sentences; the first hundred. */
  readonly problems: readonly string[];
  readonly seconds: number;
}

export interface FetchOutcome {
  readonly file: string;
  readonly url: string;
  /** `absent`: the site has no such file. `failed`: what came is not the file; `problem` says why. */
  readonly state: 'fetched' | 'unchanged' | 'absent' | 'failed';
  /** Of the file as it is on the disk now. */
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly problem: string | null;
}

export type FetchEvent =
  /** Number of files that are to be fetched in addition. */
  | { readonly type: 'planned'; readonly files: number }
  | { readonly type: 'requested' }
  /** The first bytes of a file came: how many are on the disk already, and how many there will be, where that is known. */
  | { readonly type: 'started'; readonly file: string; readonly from: number; readonly total: number | null }
  | { readonly type: 'received'; readonly file: string; readonly bytes: number }
  /** A try failed, and there will be another. */
  | { readonly type: 'retrying'; readonly file: string; readonly why: string; readonly ms: number }
  | { readonly type: 'done'; readonly outcome: FetchOutcome };

export interface FetchReport {
  readonly outcomes: readonly FetchOutcome[];
  /** The requested companies that no list contains. */
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
  /** Files that are hard links to those of the release. */
  readonly linked: number;
  /** The id of the key that the pointer is signed with. */
  readonly signedWith: string | null;
  /** The release that was published last before, where that is another one. */
  readonly before: { readonly stamp: string; readonly signedWith: string | null } | null;
  readonly pruned: readonly string[];
}

export interface PullReport {
  readonly stamp: string;
  readonly state: 'pulled' | 'up_to_date';
  readonly directory: string;
  /** The release that answers. */
  readonly current: string;
  readonly files: number;
  /** Of the files. */
  readonly bytes: number;
  /** Tables of the release that were not taken. */
  readonly absent: readonly string[];
  /** The id of the key that the signature was checked with. */
  readonly signedWith: string | null;
}
