/**
 * Opens the release to serve, replaces it by a newer release without interrupting requests, and stops serving a release
 * whose directory is gone.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { ReleaseReader } from '../../store/reader.ts';
import { identifyManifest, isSameManifest, type ManifestIdentity } from '../../store/releases/manifest.ts';
import { COMPANIES, SECURITIES } from '../../store/schema/companies.ts';
import type { Table } from '../../store/schema/declare-table.ts';

/**
 * The location of a release. Its tables never change, but a new build, or a pull that adds tables such as those of
 * prices, may replace its directory or its manifest.
 */
export interface ReleaseLocation {
  readonly directory: string;
  /** Whether the release is the built-in sample. */
  readonly isSample: boolean;
}

interface FollowOptions {
  /** Returns the release to serve now, or null if there is no release; called at every interval. */
  readonly locate: () => ReleaseLocation | null;
  readonly open: (directory: string) => ReleaseReader;
  readonly intervalMs: number;
  /** Time for which a replaced release stays open for running requests; at least the deadline of requests. */
  readonly graceMs: number;
  readonly onChange: (stamp: string, isSample: boolean) => void;
  /** Called when the directory of the served release is gone, and no other release can be served. */
  readonly onGone: (directory: string) => void;
  /**
   * Called if a check for a newer release fails, but only once for repeated equal errors. The older release is still
   * served.
   */
  readonly onError: (error: unknown) => void;
}

interface ServedRelease extends ManifestIdentity {
  readonly reader: ReleaseReader;
}

/** Opens a release and reads from it before requests depend on it. Closes an unreadable release. */
async function openReadableRelease(folder: string, open: FollowOptions['open']): Promise<ReleaseReader> {
  const reader = open(folder);
  try {
    const [securities, companies] = await Promise.all([reader.securities(), reader.companies(), reader.coverage()]);
    decodeEveryCell(SECURITIES, securities);
    decodeEveryCell(COMPANIES, companies);
  } catch (error) {
    await reader.close();
    throw error;
  }
  return reader;
}

/** Reads every cell, because damage is noticed only when a column's first cell is read and the column is decoded. */
function decodeEveryCell<Row extends object>({ columns }: Table<Row>, rows: readonly Row[]): void {
  for (const row of rows) for (const { field } of columns) void Reflect.get(row, field);
}

/** Maximum time in milliseconds between the two renames by which a release's directory is replaced. */
const REPLACEMENT_MS = 200;

/** Whether the manifest is missing now, and not only while the directory is being replaced. */
async function isGone({ directory }: ManifestIdentity): Promise<boolean> {
  if (identifyManifest(directory).manifestId !== null) return false;
  await sleep(REPLACEMENT_MS);
  return identifyManifest(directory).manifestId === null;
}

/**
 * Opens the current release, and checks for a newer release at every interval. Rejects if the current release is
 * damaged; resolves if no release exists yet.
 */
export async function followRelease(options: FollowOptions) {
  let served: ServedRelease | null = null;
  let reported: string | null = null;
  /** The timer that closes each replaced release. */
  const retired = new Map<ReleaseReader, NodeJS.Timeout>();

  async function switchToNewRelease(): Promise<void> {
    const place = options.locate();
    if (place === null) return;
    const identity = identifyManifest(place.directory);
    if (isSameManifest(served, identity)) return;
    const reader = await openReadableRelease(place.directory, options.open);
    const previous = served;
    served = { ...identity, reader };
    reported = null;
    if (previous !== null) retire(previous.reader);
    options.onChange(reader.manifest.stamp, place.isSample);
  }

  async function stopServingIfGone(): Promise<void> {
    if (served === null || !(await isGone(served))) return;
    const { reader, directory } = served;
    served = null;
    retire(reader);
    options.onGone(directory);
  }

  function retire(reader: ReleaseReader): void {
    const timer = setTimeout(() => {
      retired.delete(reader);
      void reader.close();
    }, options.graceMs);
    timer.unref();
    retired.set(reader, timer);
  }

  function reportOnce(error: unknown): void {
    const message = String(error);
    if (message !== reported) options.onError(error);
    reported = message;
  }

  await switchToNewRelease();
  let checking: Promise<void> = Promise.resolve();
  const checkTimer = setInterval(() => {
    checking = checking.then(switchToNewRelease).catch(reportOnce).then(stopServingIfGone).catch(reportOnce);
  }, options.intervalMs);
  checkTimer.unref();

  return {
    /** Returns the release to answer from; null before the first release, and while its directory is gone. */
    current: async (): Promise<ReleaseReader | null> => served?.reader ?? null,
    async stop(): Promise<void> {
      clearInterval(checkTimer);
      await checking;
      for (const [reader, timer] of retired) {
        clearTimeout(timer);
        await reader.close();
      }
      await served?.reader.close();
    },
  };
}
