import type { PublishReport, PullReport } from '../../contract/release-work.ts';
import type { FetchEvent, TransferSettings } from './fetch.ts';

/** Publishes releases to static hosts, and pulls releases from them. */
export interface PublishingPort {
  /**
   * Publishes a release. Throws a usage Failure for an invalid key or directory, a data Failure for a release that
   * cannot be published.
   */
  publish(options: PublishReleaseOptions): Promise<PublishReport>;
  /** Pulls a release. Throws a Failure with the cause; pieces pulled before the failure are kept. */
  pull(options: PullReleaseOptions, settings: PullSettings): Promise<PullReport>;
  /**
   * Creates a key pair, writes the private key to a new file, and returns the public key. Throws a usage Failure if the
   * file exists or cannot be written.
   */
  writeNewKeyPair(file: string): { readonly text: string; readonly id: string };
}

export interface PublishReleaseOptions {
  readonly dataDirectory: string;
  /** A release stamp, or an unambiguous prefix; null for the current release. */
  readonly stamp: string | null;
  /** The directory to which the release is published. */
  readonly root: string;
  /** Path of the private key file; null to publish unsigned. */
  readonly signKey: string | null;
  /** Number of newest releases to keep in the directory; null keeps all. */
  readonly keep: number | null;
  readonly publishFailed: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
  /** Called once if another process is publishing to the same directory. */
  readonly onWait: () => void;
}

/** Parts of a release that can be pulled separately. */
export type PullableTableFamily = 'filings' | 'insiders' | 'segments' | 'prices' | 'holders' | 'history';

export interface PullReleaseOptions {
  readonly dataDirectory: string;
  readonly url: string;
  /** A release stamp, or an unambiguous prefix; null for the latest release. */
  readonly stamp: string | null;
  /** Parts of the release to pull; null for all parts. */
  readonly families: readonly PullableTableFamily[] | null;
  readonly publicKey: string | null;
  /** Whether to verify all files of a release that already exists locally. */
  readonly verify: boolean;
  /** Whether to accept a published release that is older than the newest local release. */
  readonly allowOlder: boolean;
}

export interface PullSettings extends TransferSettings {
  readonly userAgent: string;
  readonly onEvent: (event: FetchEvent) => void;
}
