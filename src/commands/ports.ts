/**
 * What commands need of the service half, as interfaces: commands import nothing of it. `src/wiring` implements each
 * port in a file of its own, and `cli.ts` hands them over; a port is loaded when a command first uses it.
 */

import type { Readable, Writable } from 'node:stream';
import type { Client } from '../client/client.ts';
import type { ClientEvent } from '../client/events.ts';
import type { LocalService } from '../client/local-client.ts';
import type { ClientOptions } from '../client/options.ts';
import type { Question } from '../contract/question/question.ts';
import type { Directories } from '../platform/directories.ts';

export interface Ports {
  readonly localService: () => Promise<LocalServicePort>;
  readonly hosted: () => Promise<HostedPort>;
  readonly host: () => Promise<HostPort>;
  readonly tickers: () => Promise<TickersPort>;
  readonly releases: () => Promise<ReleasesPort>;
  readonly check: () => Promise<CheckPort>;
  readonly build: () => Promise<BuildPort>;
  readonly analytics: () => Promise<AnalyticsPort>;
  readonly fetch: () => Promise<FetchPort>;
  readonly publishing: () => Promise<PublishingPort>;
  readonly server: () => Promise<ServerPort>;
  readonly keys: () => Promise<KeysPort>;
  readonly assistants: () => Promise<AssistantsPort>;
}

/** This program as its own service, for the base URL `local:`. */
export interface LocalServicePort {
  /**
   * Throws a data Failure when there is no release that may answer.
   * @param dataDirectory null when no home directory is known: then only the built-in sample can answer
   * @param sampleAllowed false when a service or a profile is configured: its absence must not go unnoticed
   */
  openLocal(dataDirectory: string | null, sampleAllowed: boolean): OpenedService;
}

export interface OpenedService {
  readonly service: LocalService;
  readonly stamp: string;
  /** Whether it is still the release that would be opened now. */
  readonly isCurrent: () => boolean;
  /** What the built-in sample includes, where that is what answers; else null. */
  readonly sample: { readonly companies: number; readonly date: string } | null;
}

/** Published releases on a static host, answered in this process by ranges of their files. */
export interface HostedPort {
  /** Whether the address has a pointer to a release; null where that cannot be found out. */
  isPublished(settings: HostedSettings): Promise<boolean | null>;
  openHosted(settings: HostedSettings): OpenedHosted;
}

/** Tests static hosts. */
export interface HostPort {
  /** Tests what the host must be able to do. Throws a Failure where it cannot be asked at all. */
  examineHost(settings: HostedSettings): Promise<readonly HostFinding[]>;
}

export interface HostedSettings {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** The key that must have signed the pointer, as `fin data keygen` prints it; null where none is required. */
  readonly publicKey: string | null;
  readonly directories: Directories;
  readonly options: Partial<ClientOptions>;
  /** For proxies, certificates and bounds. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly report: (event: ClientEvent) => void;
}

export interface OpenedHosted {
  readonly service: LocalService;
  /** What an answer would load, as far as it is known without a request. */
  plan(question: Question): Promise<LoadPlan>;
}

export interface LoadPlan {
  readonly requests: number;
  /** Of published files; null where not even their list is cached. */
  readonly bytes: number | null;
  /** Whether more may follow, which depends on what these bring. */
  readonly more: boolean;
}

export interface HostFinding {
  readonly check: string;
  readonly state: 'ok' | 'note' | 'wrong';
  readonly detail: string;
}

/** The securities of the release on this machine, for completion. */
export interface TickersPort {
  /** Empty where there is no release, or it cannot be read. */
  tickers(env: Readonly<Record<string, string | undefined>>): Promise<readonly NamedTicker[]>;
}

export interface NamedTicker {
  readonly ticker: string;
  readonly name: string;
}

/** The releases on this machine. */
export interface ReleasesPort {
  /**
   * The releases in the data directory, and those of the built-in sample.
   * @param verify compares every file with its hash
   */
  listReleases(dataDirectory: string, verify: boolean): ReleaseList;
  /**
   * Makes a release the one that answers.
   * @param wanted a stamp, or the beginning of exactly one. Throws a data Failure where there is no such release.
   */
  useRelease(dataDirectory: string, wanted: string): Promise<{ readonly stamp: string; readonly directory: string }>;
  /** The release that answers `local:`. Throws a data Failure where there is none. */
  answeringRelease(dataDirectory: string): AnsweringRelease;
}

export interface ReleaseList {
  /** The directory of the user's own releases. */
  readonly home: string;
  readonly releases: readonly ReleaseStatus[];
}

export interface ReleaseStatus {
  readonly stamp: string;
  /** Whether it answers. */
  readonly current: boolean;
  readonly sample: boolean;
  readonly directory: string;
  /** Null when the manifest itself cannot be read. */
  readonly manifest: ReleaseManifest | null;
  readonly faults: readonly string[];
}

export interface ReleaseManifest {
  readonly checks: 'passed' | 'failed';
  readonly publishedAt: string;
  readonly about: string | null;
  /** Tables that are not here, of a release of which a part was pulled. */
  readonly absent?: readonly string[];
  readonly tables: Readonly<Record<string, { readonly rows: number }>>;
}

export interface AnsweringRelease {
  readonly stamp: string;
  readonly isSample: boolean;
  readonly checks: 'passed' | 'failed';
  readonly publishedAt: string;
}

/** Compares the figures of a release with each other. */
export interface CheckPort {
  /**
   * Throws a data Failure where there is no such release, or it is damaged.
   * @param wanted a stamp, or the beginning of exactly one; null for the release that answers
   */
  checkRelease(
    dataDirectory: string,
    wanted: string | null,
    onProgress: (done: number, total: number) => void,
  ): Promise<ReleaseCheck>;
}

export interface ReleaseCheck {
  readonly stamp: string;
  readonly directory: string;
  readonly companies: number;
  readonly identities: readonly CheckedIdentity[];
  /** What is wrong with the files of its typed tables, a sentence each. */
  readonly faults: readonly string[];
}

export interface CheckedIdentity {
  readonly name: string;
  readonly checked: number;
  readonly broken: number;
  /** The share of cases that may be broken. */
  readonly tolerated: number;
  readonly passed: boolean;
  /** The worst first; `off` is a share of the larger amount, beyond what rounding explains. */
  readonly worst: readonly { readonly subject: string; readonly off: string }[];
}

/** Builds releases from public files. */
export interface BuildPort {
  /** Throws a usage Failure where there is nothing to build from, a data Failure where files or disk fail it. */
  buildRelease(order: BuildOrder): Promise<BuildReport>;
  /** Where the releases of a data directory are. */
  releasesHome(dataDirectory: string): string;
}

export interface BuildOrder {
  /** A directory of public files; or fetched files, each compared first with what was fetched. */
  readonly from: { readonly directory: string; readonly fetched: boolean };
  /** The directory that holds releases. */
  readonly home: string;
  readonly about: string | null;
  readonly withoutFootnotes: boolean;
  /** Companies with only older figures are not in the screener; null for all. */
  readonly screenSince: string | null;
  readonly publishFailed: boolean;
  readonly allowLoss: boolean;
  /** Whether the typed tables are written too. */
  readonly analytics: boolean;
  /** Where finished parts of builds are kept for later ones; null makes all anew, and keeps nothing. */
  readonly partsDirectory: string | null;
  /** Worker threads; null for as many as there are cores, at most eight. */
  readonly jobs: number | null;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: BuildProgress) => void;
}

export type BuildProgress =
  | { readonly phase: 'verifying'; readonly file: string }
  | { readonly phase: 'typing'; readonly table: string; readonly done: number; readonly total: number }
  | { readonly phase: 'dating' | 'deriving' | 'finishing'; readonly done: number; readonly total: number };

export interface BuildReport {
  /** Null where they were not asked for, or the release was not published. */
  readonly analytics: AnalyticsReport | null;
  readonly stamp: string;
  readonly date: string;
  /** Where the release is; null when failed checks kept it from being published. */
  readonly directory: string | null;
  readonly publication: 'published' | 'already_there' | 'replaced_damaged' | 'withheld';
  readonly checks: 'passed' | 'failed';
  readonly checkResults: readonly { readonly name: string; readonly passed: boolean; readonly detail: string }[];
  readonly companies: number;
  readonly rows: Readonly<Record<string, number>>;
  readonly factRows: number;
  /** Rows of input that were not used, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** What could not be read, in words. */
  readonly problems: readonly string[];
  readonly seconds: number;
}

/** The typed tables of a release, for other programs. */
export interface AnalyticsPort {
  /** Throws a usage Failure for a directory with something else in it, a data Failure where release or disk fail it. */
  writeAnalytics(dataDirectory: string, order: AnalyticsOrder): Promise<AnalyticsReport>;
  /**
   * A script that makes views of DuckDB of them.
   * @param wanted a stamp, or the beginning of exactly one; null for the release that answers
   * @param address where the tables are; null for this machine. Throws a data Failure where they have not been written.
   */
  analyticsSql(dataDirectory: string, wanted: string | null, address: string | null): string;
  /** The tables as any release has them. */
  typedTables(): readonly DescribedTable[];
}

export interface AnalyticsOrder {
  /** A stamp, or the beginning of exactly one; null for the release that answers. */
  readonly wanted: string | null;
  /** The directory to write; null for that of the release. */
  readonly out: string | null;
  /** Worker threads; null for the number of cores. */
  readonly jobs: number | null;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { readonly table: string; readonly done: number; readonly total: number }) => void;
}

export interface AnalyticsReport {
  readonly stamp: string;
  readonly directory: string;
  readonly publication: 'published' | 'already_there' | 'replaced';
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly bytes: number }[];
  readonly seconds: number;
}

export interface DescribedTable {
  readonly name: string;
  readonly about: string;
  readonly order: string;
  readonly columns: readonly { readonly name: string; readonly type: string; readonly about: string }[];
}

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

/** Publishes releases to static hosts, and pulls them. */
export interface PublishingPort {
  /** Throws a usage Failure for a key or a directory, a data Failure for a release that cannot be published. */
  publish(order: PublishOrder): Promise<PublishReport>;
  /** Throws a Failure that says what is wrong; what was pulled until then is kept. */
  pull(order: PullOrder, settings: PullSettings): Promise<PullReport>;
  /** Writes a new private key to a file. Throws a usage Failure where that is there already. */
  makeKeyPair(file: string): { readonly text: string; readonly id: string };
}

export interface PublishOrder {
  readonly dataDirectory: string;
  /** Where processes tell each other that they publish. */
  readonly stateDirectory: string;
  /** A stamp or the beginning of one; null for the release that answers. */
  readonly stamp: string | null;
  /** Where it is published. */
  readonly root: string;
  /** A file with the private key, or null. */
  readonly signKey: string | null;
  /** How many of the newest releases stay there; null for all. */
  readonly keep: number | null;
  readonly publishFailed: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
  /** Called once, where another process publishes to the same directory. */
  readonly onWait: () => void;
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
  /** What was the latest before, where that is another release. */
  readonly before: { readonly stamp: string; readonly signedWith: string | null } | null;
  readonly pruned: readonly string[];
}

/** Parts of a release that may be left out. */
export type ReleaseFamily = 'filings' | 'insiders' | 'segments' | 'prices' | 'holders';

export interface PullOrder {
  readonly dataDirectory: string;
  readonly url: string;
  /** A stamp or the beginning of one; null for the latest. */
  readonly stamp: string | null;
  /** Null for all. */
  readonly families: readonly ReleaseFamily[] | null;
  readonly publicKey: string | null;
  /** Whether a release that is here already is read whole and compared. */
  readonly verify: boolean;
}

export interface PullSettings extends TransferSettings {
  readonly userAgent: string;
  readonly onEvent: (event: FetchEvent) => void;
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

/** Answers the interface over HTTP. */
export interface ServerPort {
  /** Throws a usage Failure for a setting or an address that cannot be used, a data Failure for a damaged release. */
  startServer(settings: ServerSettings): Promise<RunningServer>;
}

export interface ServerSettings {
  readonly dataDirectory: string;
  readonly stateDirectory: string;
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** What clients call this service, where that is not its own address. */
  readonly publicUrl: string | null;
  /** A stamp, `latest`, or null for the release that `fin data use` chose. */
  readonly release: string | null;
  /** Null: no key is required, and nothing is counted. */
  readonly authentication: { readonly limitsFile: string | null; readonly redis: URL | null } | null;
  /** Whether assistants are answered, too, at /mcp. */
  readonly mcp: boolean;
  /** Takes a line of the access log; null: none is written. */
  readonly accessLog: ((line: string) => void) | null;
  readonly onRelease: (stamp: string, isSample: boolean) => void;
  /** `subject`: what it happened to, such as `request 01J…`. */
  readonly onError: (error: unknown, subject: string) => void;
}

export interface RunningServer {
  readonly baseUrl: string;
  readonly hasRelease: boolean;
  /** Whether any key was ever made. */
  readonly hasKeys: boolean;
  /** How long `stop` may take, in milliseconds: requests under way are finished. */
  readonly stopsWithin: number;
  stop(): Promise<void>;
}

/** The API keys of this machine's own service. Each throws a usage Failure for an account's name that is none. */
export interface KeysPort {
  /**
   * Throws a usage Failure for an expiry that is past and for an eleventh key.
   * @param expires ISO 8601, the first moment at which the key is refused; null for never
   * @returns the key itself, which nothing can show again
   */
  createKey(dataDirectory: string, account: string, expires: string | null): { readonly key: string } & StoredKey;
  /** Oldest first; of all accounts where none is named. */
  listKeys(dataDirectory: string, account: string | null): readonly StoredKey[];
  revokeKeys(dataDirectory: string, ids: readonly string[]): readonly StoredKey[];
}

/** Times are ISO 8601. */
export interface StoredKey {
  /** Names the key, which is kept only as a hash. */
  readonly id: string;
  readonly account: string;
  readonly state: 'active' | 'expired' | 'revoked';
  readonly created: string;
  readonly expires: string | null;
  readonly revoked: string | null;
}

/** The Model Context Protocol for assistants. */
export interface AssistantsPort {
  /** Settles when the input has ended and what it asked is answered, or the signal aborts. */
  serveAssistants(settings: AssistantSettings): Promise<void>;
}

export interface AssistantSettings {
  readonly input: Readable;
  /** Gets messages of the protocol and nothing else. */
  readonly output: Writable;
  /** Called with each request that asks anything; a Failure is the answer to that request. */
  readonly connect: () => Promise<{ readonly client: Client; readonly local: boolean; readonly sample: boolean }>;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}
