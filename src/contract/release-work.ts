/**
 * Types of progress reports and final reports about fetching, building and publishing releases. Commands print these
 * reports, but do not import the code that creates them.
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
  /** Directory of the release; null if failed checks prevented its publication. */
  readonly directory: string | null;
  readonly publication: 'published' | 'already_there' | 'replaced_damaged' | 'withheld';
  readonly checks: 'passed' | 'failed';
  readonly checkResults: readonly { readonly name: string; readonly passed: boolean; readonly detail: string }[];
  readonly companies: number;
  readonly rows: Readonly<Record<string, number>>;
  /** Stated amounts that disagree, most first. */
  readonly evidence: readonly EvidenceDecision[];
  /** Number of facts in the sources. */
  readonly factRows: number;
  /** Number of skipped rows, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Sentences about unreadable files, at most a hundred. */
  readonly problems: readonly string[];
  readonly seconds: number;
}

/** What a build decided about stated amounts that disagree. */
export interface EvidenceDecision {
  /** The relation that is broken, or the rule that finds the facts. */
  readonly name: string;
  /**
   * `marked`: the figures are shown as unconfirmed. `contradicted`: other facts show which fact is wrong, and it is not
   * shown from that filing day on. `withheld`: the facts are not used.
   */
  readonly decision: 'marked' | 'contradicted' | 'withheld';
  /** Number of comparisons (marked) or facts. */
  readonly count: number;
  /** The marked figures with the largest difference, and the command that shows them; null for facts. */
  readonly worst: { readonly subject: string; readonly command: string } | null;
}

export interface FetchOutcome {
  readonly file: string;
  readonly url: string;
  /** `absent`: the site has no such file. `failed`: the response did not contain the file; `problem` has the reason. */
  readonly state: 'fetched' | 'unchanged' | 'absent' | 'failed';
  /** Size of the stored file. */
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly problem: string | null;
}

export type FetchEvent =
  /** `files`: the number of files that will be fetched, except those counted by earlier `planned` events. */
  | { readonly type: 'planned'; readonly files: number }
  | { readonly type: 'requested' }
  /** The transfer of a file has started after `from` stored bytes; `total` is the size of the file, null if unknown. */
  | { readonly type: 'started'; readonly file: string; readonly from: number; readonly total: number | null }
  | { readonly type: 'received'; readonly file: string; readonly bytes: number }
  /** An attempt failed; it will be repeated after `ms` milliseconds. */
  | { readonly type: 'retrying'; readonly file: string; readonly why: string; readonly ms: number }
  | { readonly type: 'done'; readonly outcome: FetchOutcome };

export interface FetchReport {
  readonly outcomes: readonly FetchOutcome[];
  /** Requested companies that the SEC's lists do not contain. */
  readonly unknown: readonly string[];
  /** Tickers in the SEC's lists, for suggestions. */
  readonly tickers: readonly string[];
}

export interface PublishReport {
  readonly stamp: string;
  readonly state: 'published' | 'unchanged' | 'replaced_damaged';
  readonly root: string;
  readonly files: number;
  readonly bytes: number;
  /** Number of published files that are hard links to files of the local release. */
  readonly linked: number;
  /** Id of the key that signed the name of the current release; null if it is unsigned. */
  readonly signedWith: string | null;
  /** The release that was published before this one; null if there was none, or if it was this release. */
  readonly before: { readonly stamp: string; readonly signedWith: string | null } | null;
  readonly pruned: readonly string[];
}

export interface PullReport {
  readonly stamp: string;
  readonly state: 'pulled' | 'up_to_date';
  readonly directory: string;
  /** Stamp of the release that is current after the pull. */
  readonly current: string;
  readonly files: number;
  /** Total size of the pulled files. */
  readonly bytes: number;
  /** Tables of the release that were not pulled. */
  readonly absent: readonly string[];
  /** Id of the key by which the signature was verified; null if no signature was checked. */
  readonly signedWith: string | null;
}
