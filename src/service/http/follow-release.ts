/** The release being served, exchanged for a newer one under running requests. */
import type { ReleaseReader } from '../../release/store/reader.ts';

/** Where a release stands; its directory never changes what it holds. */
export interface ReleaseLocation {
  readonly directory: string;
}

export interface FollowOptions {
  /** The release that should be served now, or null where there is none; looked up again and again. */
  readonly locate: () => ReleaseLocation | null;
  readonly open: (directory: string) => ReleaseReader;
  readonly intervalMs: number;
  /** How long an older release stays open for requests that still read it: their deadline at least. */
  readonly graceMs: number;
  readonly onChange: (stamp: string) => void;
  /** A newer release that cannot be read is told of once, and the older one served on. */
  readonly onError: (error: unknown) => void;
}

export interface FollowedRelease {
  current(): Promise<ReleaseReader | null>;
  stop(): Promise<void>;
}

/** Opens what there is now; rejects when that is damaged, and resolves when there is nothing yet. */
export async function followRelease(options: FollowOptions): Promise<FollowedRelease> {
  let serving: { readonly directory: string; readonly reader: ReleaseReader } | null = null;
  let failed: string | null = null;
  const leaving = new Set<{ readonly reader: ReleaseReader; readonly timer: NodeJS.Timeout }>();

  async function look(): Promise<void> {
    const place = options.locate();
    if (place === null || place.directory === serving?.directory) return;
    const reader = options.open(place.directory);
    // Read before it is trusted with requests.
    await Promise.all([reader.securities(), reader.companies(), reader.coverage()]);
    const older = serving;
    serving = { directory: place.directory, reader };
    failed = null;
    if (older !== null) retire(older.reader);
    options.onChange(reader.manifest.stamp);
  }

  function retire(reader: ReleaseReader): void {
    const entry = {
      reader,
      timer: setTimeout(() => {
        leaving.delete(entry);
        void reader.close();
      }, options.graceMs),
    };
    entry.timer.unref();
    leaving.add(entry);
  }

  function tell(error: unknown): void {
    const message = String(error);
    if (message !== failed) options.onError(error);
    failed = message;
  }

  await look();
  let looking: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking.then(look).catch(tell);
  }, options.intervalMs);
  timer.unref();

  return {
    current: async () => serving?.reader ?? null,
    async stop() {
      clearInterval(timer);
      await looking;
      for (const { reader, timer: due } of leaving) {
        clearTimeout(due);
        await reader.close();
      }
      await serving?.reader.close();
    },
  };
}
