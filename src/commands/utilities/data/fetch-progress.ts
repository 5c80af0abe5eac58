/**
 * The progress of a fetch as one line: files, bytes, rate and remaining time. Pure except for the clock it receives.
 */

import { formatBytes } from '../../../result/wording.ts';
import type { FetchEvent } from '../../ports/fetch.ts';

/** Number of milliseconds over which the rate is measured. */
const RATE_OVER = 5000;
const SAMPLE_OVER = 100;
/** Minimum number of finished files from which the time for the others is estimated. */
const FEW_FILES = 5;

export class FetchProgress {
  planned = 0;
  done = 0;
  requests = 0;
  received = 0;
  /** Files in transfer, with their received and total bytes. */
  readonly #open = new Map<string, { bytes: number; total: number | null }>();
  #samples: { at: number; bytes: number }[] = [];
  readonly #begun: number;

  /** @param verb the first word of the line */
  constructor(
    now: number,
    readonly verb = 'Fetching',
  ) {
    this.#begun = now;
  }

  take(event: FetchEvent, now: number): void {
    if (event.type === 'planned') this.planned += event.files;
    else if (event.type === 'requested') this.requests += 1;
    else if (event.type === 'started') this.#open.set(event.file, { bytes: event.from, total: event.total });
    else if (event.type === 'received') this.#add(event.file, event.bytes, now);
    else if (event.type === 'done') {
      this.done += 1;
      this.#open.delete(event.outcome.file);
    }
  }

  #add(file: string, bytes: number, now: number): void {
    this.received += bytes;
    const open = this.#open.get(file);
    if (open !== undefined) open.bytes += bytes;
    const lastSample = this.#samples.at(-1);
    if (lastSample !== undefined && now - lastSample.at < SAMPLE_OVER) lastSample.bytes += bytes;
    else this.#samples = [...this.#samples.filter(({ at }) => at > now - RATE_OVER), { at: now, bytes }];
  }

  /** `3 of 8 files, companyfacts.zip 412 MB of 1.4 GB, 12 MB/s, 1 min 20 s left` */
  line(now: number): string {
    const [file, open] = [...this.#open].sort(([, a], [, b]) => (b.total ?? 0) - (a.total ?? 0))[0] ?? [];
    const rate = this.#rate(now);
    const left = this.#left(now, rate);
    return [
      `${this.verb}: ${this.done} of ${Math.max(this.planned, this.done)} files`,
      ...(open === undefined
        ? []
        : [`${file} ${formatBytes(open.bytes)}${open.total === null ? '' : ` of ${formatBytes(open.total)}`}`]),
      ...(rate > 0 ? [`${formatBytes(rate)}/s`] : []),
      ...(left === null ? [] : [`${formatSeconds(left)} left`]),
    ].join(', ');
  }

  /** Bytes per second. */
  #rate(now: number): number {
    const recent = this.#samples.filter(({ at }) => at > now - RATE_OVER);
    const over = Math.max(500, Math.min(RATE_OVER, now - this.#begun));
    return (recent.reduce((sum, { bytes }) => sum + bytes, 0) * 1000) / over;
  }

  /** Remaining seconds: by the bytes of open files, or by the pace of the other files, whichever is more. */
  #left(now: number, rate: number): number | null {
    const lacking = [...this.#open.values()].reduce(
      (sum, { bytes, total }) => sum + Math.max(0, (total ?? 0) - bytes),
      0,
    );
    const byBytes = rate > 0 && lacking > 0 ? lacking / rate : 0;
    const files = this.planned - this.done - this.#open.size;
    const byFiles = this.done >= FEW_FILES ? (files * (now - this.#begun)) / this.done / 1000 : 0;
    const left = Math.max(byBytes, byFiles);
    return left > 0 ? left : null;
  }
}

/** `45 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
