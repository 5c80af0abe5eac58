import type { PublishReport, PullReport } from '../../contract/release-work.ts';
import type { FetchEvent, TransferSettings } from './fetch.ts';

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

/** Parts of a release that may be left out. */
export type ReleaseFamily = 'filings' | 'insiders' | 'segments' | 'prices' | 'holders' | 'history';

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
  /** Whether the latest release there may be older than the newest one here. */
  readonly allowOlder: boolean;
}

export interface PullSettings extends TransferSettings {
  readonly userAgent: string;
  readonly onEvent: (event: FetchEvent) => void;
}
