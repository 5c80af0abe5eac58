/**
 * Formats the progress of a fetch as one line: files, bytes, rate and remaining time. Reads no clock: callers pass the
 * current time.
 */

import { formatBytes } from '../contract/text/format-counts.ts';
import type { FetchEvent as WorkEvent } from '../edgar/fetch/download.ts';
import { sumNumbers } from '../platform/collections.ts';

export type FetchEvent =
  | WorkEvent
  | { readonly type: 'connecting'; readonly host: string }
  /** The number of tables of a pulled release that have been read, and of all its tables. */
  | { readonly type: 'reading'; readonly done: number; readonly total: number }
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

  /**
   * @param start time at which the fetch began, in epoch milliseconds
   * @param verb the first word of the progress line
   */
  constructor(
    private readonly start: number,
    readonly verb = 'Fetching',
  ) {}

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
    const current = this.#openFiles.get(file);
    if (current !== undefined) current.bytes += bytes;
    const last = this.#samples.at(-1);
    if (last !== undefined && now - last.time < SAMPLE_INTERVAL_MS) last.bytes += bytes;
    else this.#samples = [...this.#samples.filter(({ time }) => time > now - RATE_WINDOW_MS), { time: now, bytes }];
  }

  /**
   * Returns the progress line, such as `Fetching: 3 of 8 files, companyfacts.zip 412 MB of 1.4 GB, 12 MB/s, 1 min 23 s
   * left`.
   */
  line(now: number): string {
    const [file, openFile] = [...this.#openFiles].sort(([, a], [, b]) => (b.total ?? 0) - (a.total ?? 0))[0] ?? [];
    const rate = this.#bytesPerSecond(now);
    const seconds = this.#secondsLeft(now, rate);
    const size = openFile?.total == null ? '' : ` of ${formatBytes(openFile.total)}`;
    return [
      `${this.verb}: ${this.doneFiles} of ${Math.max(this.plannedFiles, this.doneFiles)} files`,
      ...(openFile === undefined ? [] : [`${file} ${formatBytes(openFile.bytes)}${size}`]),
      ...(rate > 0 ? [`${formatBytes(rate)}/s`] : []),
      ...(seconds === null ? [] : [`${formatSeconds(seconds)} left`]),
    ].join(', ');
  }

  /** Returns the current transfer rate in bytes per second. */
  #bytesPerSecond(now: number): number {
    const recent = this.#samples.filter(({ time }) => time > now - RATE_WINDOW_MS);
    const windowMs = Math.max(500, Math.min(RATE_WINDOW_MS, now - this.start));
    return (sumNumbers(recent.map(({ bytes }) => bytes)) * 1000) / windowMs;
  }

  /**
   * Returns the longer of two estimates of the remaining seconds: by bytes of open files at the current rate, and by
   * number of remaining files at the average time per file. Null if neither estimate is possible.
   */
  #secondsLeft(now: number, rate: number): number | null {
    const sizes = [...this.#openFiles.values()].map(({ bytes, total }) => Math.max(0, (total ?? 0) - bytes));
    const remainingBytes = sumNumbers(sizes);
    const byBytes = rate > 0 && remainingBytes > 0 ? remainingBytes / rate : 0;
    const files = this.plannedFiles - this.doneFiles - this.#openFiles.size;
    const byFiles = this.doneFiles >= MIN_FILES_FOR_ESTIMATE ? (files * (now - this.start)) / this.doneFiles / 1000 : 0;
    const seconds = Math.max(byBytes, byFiles);
    return seconds > 0 ? seconds : null;
  }
}

/** Formats seconds: `45 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
