/** The release being served, replaced by a newer one while requests run. */
import type { ReleaseReader } from '../../store/reader.ts';

/** Where a release is; the contents of its directory never change. */
export interface ReleaseLocation {
  readonly directory: string;
}

export interface FollowOptions {
  /** The release that should be served now, or null where there is none; called at every interval. */
  readonly locate: () => ReleaseLocation | null;
  readonly open: (directory: string) => ReleaseReader;
  readonly intervalMs: number;
  /** How long an older release stays open for requests that still read it: their deadline at least. */
  readonly graceMs: number;
  readonly onChange: (stamp: string) => void;
  /** Called once for each newer release that cannot be read; the older one is served on. */
  readonly onError: (error: unknown) => void;
}

export interface FollowedRelease {
  current(): Promise<ReleaseReader | null>;
  stop(): Promise<void>;
}

/** A release that was read once, before requests depend on it. One that cannot be read is not left open. */
async function openReadable(directory: string, open: FollowOptions['open']): Promise<ReleaseReader> {
  const reader = open(directory);
  try {
    await Promise.all([reader.securities(), reader.companies(), reader.coverage()]);
  } catch (error) {
    await reader.close();
    throw error;
  }
  return reader;
}

/** Opens the release that there is now; rejects when that is damaged, and resolves when there is none yet. */
export async function followRelease(options: FollowOptions): Promise<FollowedRelease> {
  let serving: { readonly directory: string; readonly reader: ReleaseReader } | null = null;
  let reported: string | null = null;
  const retired = new Set<{ readonly reader: ReleaseReader; readonly timer: NodeJS.Timeout }>();

  async function check(): Promise<void> {
    const location = options.locate();
    if (location === null || location.directory === serving?.directory) return;
    const reader = await openReadable(location.directory, options.open);
    const older = serving;
    serving = { directory: location.directory, reader };
    reported = null;
    if (older !== null) retire(older.reader);
    options.onChange(reader.manifest.stamp);
  }

  function retire(reader: ReleaseReader): void {
    const entry = {
      reader,
      timer: setTimeout(() => {
        retired.delete(entry);
        void reader.close();
      }, options.graceMs),
    };
    entry.timer.unref();
    retired.add(entry);
  }

  function report(error: unknown): void {
    const message = String(error);
    if (message !== reported) options.onError(error);
    reported = message;
  }

  await check();
  let checking: Promise<void> = Promise.resolve();
  const interval = setInterval(() => {
    checking = checking.then(check).catch(report);
  }, options.intervalMs);
  interval.unref();

  return {
    current: async () => serving?.reader ?? null,
    async stop() {
      clearInterval(interval);
      await checking;
      for (const { reader, timer } of retired) {
        clearTimeout(timer);
        await reader.close();
      }
      await serving?.reader.close();
    },
  };
}
