/** Opens the release to serve, and replaces it by a newer release without interrupting requests. */

import type { ReleaseReader } from '../../store/reader.ts';
import { identifyManifest, isSameManifest, type ManifestIdentity } from '../../store/releases/manifest.ts';
import { COMPANIES, SECURITIES } from '../../store/schema/companies.ts';
import type { Table } from '../../store/schema/table.ts';

/**
 * The location of a release. The tables of a release never change, but a pull of more families or a new build may
 * replace its directory or its manifest.
 */
export interface ReleaseLocation {
  readonly directory: string;
}

export interface FollowOptions {
  /** Returns the release to serve now, or null if there is no release; called at every interval. */
  readonly locate: () => ReleaseLocation | null;
  readonly open: (directory: string) => ReleaseReader;
  readonly intervalMs: number;
  /** Time for which a replaced release stays open for running requests; at least the deadline of requests. */
  readonly graceMs: number;
  readonly onChange: (stamp: string) => void;
  /** Called if a check for a newer release fails, once for repeated equal errors; the older release is still served. */
  readonly onError: (error: unknown) => void;
}

interface ServedRelease extends ManifestIdentity {
  readonly reader: ReleaseReader;
}

export interface FollowedRelease {
  current(): Promise<ReleaseReader | null>;
  stop(): Promise<void>;
}

/** Opens a release and reads from it before requests depend on it. Closes an unreadable release. */
async function openReadableRelease(directory: string, open: FollowOptions['open']): Promise<ReleaseReader> {
  const reader = open(directory);
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

/**
 * Opens the current release, and checks for a newer release at every interval. Rejects if the current release is
 * damaged; resolves if no release exists yet.
 */
export async function followRelease(options: FollowOptions): Promise<FollowedRelease> {
  let servedRelease: ServedRelease | null = null;
  let lastReportedError: string | null = null;
  const retiredReaders = new Set<{ readonly reader: ReleaseReader; readonly timer: NodeJS.Timeout }>();

  async function switchToNewRelease(): Promise<void> {
    const location = options.locate();
    if (location === null) return;
    const manifestIdentity = identifyManifest(location.directory);
    if (isSameManifest(servedRelease, manifestIdentity)) return;
    const reader = await openReadableRelease(location.directory, options.open);
    const previousRelease = servedRelease;
    servedRelease = { ...manifestIdentity, reader };
    lastReportedError = null;
    if (previousRelease !== null) retire(previousRelease.reader);
    options.onChange(reader.manifest.stamp);
  }

  function retire(reader: ReleaseReader): void {
    const retiredReader = {
      reader,
      timer: setTimeout(() => {
        retiredReaders.delete(retiredReader);
        void reader.close();
      }, options.graceMs),
    };
    retiredReader.timer.unref();
    retiredReaders.add(retiredReader);
  }

  function reportOnce(error: unknown): void {
    const message = String(error);
    if (message !== lastReportedError) options.onError(error);
    lastReportedError = message;
  }

  await switchToNewRelease();
  let lastCheckPromise: Promise<void> = Promise.resolve();
  const checkTimer = setInterval(() => {
    lastCheckPromise = lastCheckPromise.then(switchToNewRelease).catch(reportOnce);
  }, options.intervalMs);
  checkTimer.unref();

  return {
    current: async () => servedRelease?.reader ?? null,
    async stop() {
      clearInterval(checkTimer);
      await lastCheckPromise;
      for (const { reader, timer } of retiredReaders) {
        clearTimeout(timer);
        await reader.close();
      }
      await servedRelease?.reader.close();
    },
  };
}
