/**
 * Formats the progress of a fetch as one line: files, bytes, rate and remaining time. Reads no clock: callers pass the
 * current time.
 */

import type { FetchEvent as WorkEvent } from '../contract/release-work.ts';
import { formatBytes } from '../contract/text/wording.ts';

export type FetchEvent =
  | WorkEvent
  | { readonly type: 'connecting'; readonly host: string }
  /** A notice for the user, as a full sentence. */
  | { readonly type: 'notice'; readonly text: string };

/** Time window in milliseconds over which the transfer rate is measured. */
const RATE_WINDOW_MS = 5000;
const SAMPLE_INTERVAL_MS = 100;
/** Minimum number of finished files before the remaining time is estimated. */
const MIN_FILES_FOR_ESTIMATE = 5;

export class FetchProgress {
  plannedFiles = 0;
  doneFiles = 0;
  requests = 0;
  receivedBytes = 0;
  /** Received bytes and total bytes of each file that is being fetched. */
  readonly #openFiles = new Map<string, { bytes: number; total: number | null }>();
  #samples: { time: number; bytes: number }[] = [];
  readonly #beginTime: number;

  /** @param verb the first word of the progress line */
  constructor(
    now: number,
    readonly verb = 'Fetching',
  ) {
    this.#beginTime = now;
  }

  takeEvent(event: FetchEvent, now: number): void {
    if (event.type === 'planned') this.plannedFiles += event.files;
    else if (event.type === 'requested') this.requests += 1;
    else if (event.type === 'started') this.#openFiles.set(event.file, { bytes: event.from, total: event.total });
    else if (event.type === 'received') this.#addBytes(event.file, event.bytes, now);
    else if (event.type === 'done') {
      this.doneFiles += 1;
      this.#openFiles.delete(event.outcome.file);
    }
  }

  #addBytes(file: string, bytes: number, now: number): void {
    this.receivedBytes += bytes;
    const fileInProgress = this.#openFiles.get(file);
    if (fileInProgress !== undefined) fileInProgress.bytes += bytes;
    const lastSample = this.#samples.at(-1);
    if (lastSample !== undefined && now - lastSample.time < SAMPLE_INTERVAL_MS) lastSample.bytes += bytes;
    else this.#samples = [...this.#samples.filter(({ time }) => time > now - RATE_WINDOW_MS), { time: now, bytes }];
  }

  /**
   * Returns the progress line, such as `Fetching: 3 of 8 files, companyfacts.zip 412 MB of 1.4 GB, 12 MB/s, 1 min 23 s
   * left`.
   */
  line(now: number): string {
    const [file, openFile] = [...this.#openFiles].sort(([, a], [, b]) => (b.total ?? 0) - (a.total ?? 0))[0] ?? [];
    const bytesPerSecond = this.#bytesPerSecond(now);
    const secondsLeft = this.#secondsLeft(now, bytesPerSecond);
    return [
      `${this.verb}: ${this.doneFiles} of ${Math.max(this.plannedFiles, this.doneFiles)} files`,
      ...(openFile === undefined
        ? []
        : [
            `${file} ${formatBytes(openFile.bytes)}${openFile.total === null ? '' : ` of ${formatBytes(openFile.total)}`}`,
          ]),
      ...(bytesPerSecond > 0 ? [`${formatBytes(bytesPerSecond)}/s`] : []),
      ...(secondsLeft === null ? [] : [`${formatSeconds(secondsLeft)} left`]),
    ].join(', ');
  }

  /** Returns the current transfer rate in bytes per second. */
  #bytesPerSecond(now: number): number {
    const recentSamples = this.#samples.filter(({ time }) => time > now - RATE_WINDOW_MS);
    const windowMs = Math.max(500, Math.min(RATE_WINDOW_MS, now - this.#beginTime));
    return (recentSamples.reduce((sum, { bytes }) => sum + bytes, 0) * 1000) / windowMs;
  }

  /**
   * Returns the longer of two estimates of the remaining seconds: by bytes of open files at the current rate, and by
   * number of remaining files at the average time per file. Null if neither estimate is possible.
   */
  #secondsLeft(now: number, bytesPerSecond: number): number | null {
    const remainingBytes = [...this.#openFiles.values()].reduce(
      (sum, { bytes, total }) => sum + Math.max(0, (total ?? 0) - bytes),
      0,
    );
    const secondsByBytes = bytesPerSecond > 0 && remainingBytes > 0 ? remainingBytes / bytesPerSecond : 0;
    const remainingFileCount = this.plannedFiles - this.doneFiles - this.#openFiles.size;
    const secondsByFiles =
      this.doneFiles >= MIN_FILES_FOR_ESTIMATE
        ? (remainingFileCount * (now - this.#beginTime)) / this.doneFiles / 1000
        : 0;
    const estimatedSeconds = Math.max(secondsByBytes, secondsByFiles);
    return estimatedSeconds > 0 ? estimatedSeconds : null;
  }
}

/** Formats seconds: `45 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatSeconds(seconds: number): string {
  const wholeSeconds = Math.ceil(seconds);
  if (wholeSeconds < 60) return `${wholeSeconds} s`;
  if (wholeSeconds < 3600) return `${Math.floor(wholeSeconds / 60)} min ${wholeSeconds % 60} s`;
  return `${Math.floor(wholeSeconds / 3600)} h ${Math.floor((wholeSeconds % 3600) / 60)} min`;
}
