import type { PublishReport, PullReport } from '../../contract/release-work.ts';
import type { FetchEvent, TransferSettings } from './fetch.ts';

/** Publishes releases to static hosts, and pulls them. */
export interface PublishingPort {
  /** Throws a usage Failure for an invalid key or directory, a data Failure for a release that cannot be published. */
  publish(order: PublishOrder): Promise<PublishReport>;
  /** Throws a Failure with the cause; pieces pulled before the failure are kept. */
  pull(order: PullOrder, settings: PullSettings): Promise<PullReport>;
  /** Writes a new private key to a file. Throws a usage Failure if the file exists. */
  makeKeyPair(file: string): { readonly text: string; readonly id: string };
}

export interface PublishOrder {
  readonly dataDirectory: string;
  /** A stamp, or the beginning of exactly one; null for the current release. */
  readonly stamp: string | null;
  /** The directory to publish to. */
  readonly root: string;
  /** The file of the private key, or null. */
  readonly signKey: string | null;
  /** Number of newest releases to keep there; null for all. */
  readonly keep: number | null;
  readonly publishFailed: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
  /** Called once if another process is publishing to the same directory. */
  readonly onWait: () => void;
}

/** Optional parts of a release. */
export type ReleaseFamily = 'filings' | 'insiders' | 'segments' | 'prices' | 'holders' | 'history';

export interface PullOrder {
  readonly dataDirectory: string;
  readonly url: string;
  /** A stamp, or the beginning of exactly one; null for the latest. */
  readonly stamp: string | null;
  /** The parts to pull; null for all. */
  readonly families: readonly ReleaseFamily[] | null;
  readonly publicKey: string | null;
  /** Whether to read and verify all files of a release that is already local. */
  readonly verify: boolean;
  /** Whether the latest published release may be older than the newest local one. */
  readonly allowOlder: boolean;
}

export interface PullSettings extends TransferSettings {
  readonly userAgent: string;
  readonly onEvent: (event: FetchEvent) => void;
}
