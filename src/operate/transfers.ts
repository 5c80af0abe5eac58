/** Functions that `fin data fetch` and `fin data pull` share: network settings, deadline, and progress. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProfileInUse, withAuthorities } from '../client/settings.ts';
import type { UtilityCall } from '../commands/command-line/utility.ts';
import { Failure } from '../contract/failure.ts';
import { formatBytes } from '../contract/text/format-counts.ts';
import type { FetchEvent as WorkEvent } from '../edgar/fetch/download.ts';
import { DOCUMENTS_FOLDER } from '../edgar/fetch/remote-files.ts';
import { sumNumbers } from '../platform/collections.ts';
import { findDirectories } from '../platform/files/directories.ts';

/** Network settings of a transfer. Times are in milliseconds. */
export interface TransferSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly maxWait: number;
  readonly retries: number;
  /** Maximum time for a request including its body; null for no limit. */
  readonly timeout: number | null;
  /** Time (epoch milliseconds) at which `signal` aborts because of the deadline; null without a deadline. */
  readonly deadline: number | null;
  readonly signal: AbortSignal;
}

const DEFAULT_MAX_WAIT_MS = 90_000;
const DEFAULT_RETRIES = 4;
/**
 * Intervals in milliseconds between log lines if stderr is not a terminal, and between progress updates on a terminal.
 */
const LOG_INTERVAL_MS = 30_000;
const PROGRESS_INTERVAL_MS = 100;

/** Returns network settings, and a function that wraps a promise so that it rejects at the deadline or on a signal. */
export function makeTransferSettings(call: UtilityCall) {
  const { io, globals } = call;
  const deadline = globals.deadline === null ? null : AbortSignal.timeout(globals.deadline);
  const signal = deadline === null ? io.signal : AbortSignal.any([io.signal, deadline]);
  const settings: TransferSettings = {
    env: withAuthorities(io.env, findCurrentProfile(call)),
    maxWait: globals.maxWait ?? DEFAULT_MAX_WAIT_MS,
    retries: globals.retries ?? DEFAULT_RETRIES,
    timeout: globals.timeout,
    deadline: globals.deadline === null ? null : Date.now() + globals.deadline,
    signal,
  };
  const withinDeadline = <T>(work: Promise<T>): Promise<T> =>
    rejectOnAbort(signal, work).catch((error) => {
      io.signal.throwIfAborted();
      throw deadline?.aborted === true ? makeDeadlineFailure(error) : error;
    });
  return { settings, withinDeadline };
}

export const findCurrentProfile = ({ io, globals }: UtilityCall) => findProfileInUse(globals.profile, io.env);

/** Returns a function that shows events as a progress line on a terminal, otherwise as log lines. */
export function createEventReporter({ io, globals }: UtilityCall, where: string, progress: FetchProgress) {
  const { quiet, verbose } = globals;
  const log = (text: string) => {
    if (!quiet) io.log(text);
  };
  const showLine = createProgressReporter(io, log, progress);
  return (event: FetchEvent): void => {
    const now = Date.now();
    progress.takeEvent(event, now);
    switch (event.type) {
      case 'connecting':
        if (!io.errIsTerminal) log(`${progress.verb} from ${event.host} ${where}`);
        return;
      case 'notice':
        log(event.text);
        return;
      case 'reading':
        if (!quiet) io.progress(`Reading every table: ${event.done} of ${event.total}`);
        return;
      case 'retrying': {
        const line = `${event.why} Trying again in ${formatSeconds(event.ms / 1000)}.`;
        if (verbose || !io.errIsTerminal) log(line);
        else if (!quiet) io.progress(line);
        return;
      }
      case 'done':
        if (verbose) log(`${event.outcome.file}: ${event.outcome.state}`);
    }
    if (!quiet) showLine(now);
  };
}

/** Returns a function that takes the current time (epoch ms) and shows the progress, at most once per interval. */
function createProgressReporter(io: UtilityCall['io'], log: (text: string) => void, progress: FetchProgress) {
  let shownAt = 0;
  let loggedAt = Date.now();
  return (now: number): void => {
    if (now - shownAt < PROGRESS_INTERVAL_MS) return;
    shownAt = now;
    if (!io.errIsTerminal && now - loggedAt >= LOG_INTERVAL_MS) {
      loggedAt = now;
      log(progress.line(now));
    }
    io.progress(progress.line(now));
  };
}

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

/**
 * Counts files and bytes of a transfer, and formats its progress as one line: files, bytes, rate and remaining time. Reads
 * no clock: callers pass the current time.
 */
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
  const wholeSeconds = Math.ceil(seconds);
  if (wholeSeconds < 60) return `${wholeSeconds} s`;
  if (wholeSeconds < 3600) return `${Math.floor(wholeSeconds / 60)} min ${wholeSeconds % 60} s`;
  return `${Math.floor(wholeSeconds / 3600)} h ${Math.floor((wholeSeconds % 3600) / 60)} min`;
}

/** Rejects with the signal's reason as soon as the signal aborts, even if the work never settles. */
const rejectOnAbort = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });

const makeDeadlineFailure = (cause: unknown): Failure =>
  new Failure('network', 'The deadline passed before the transfer was complete.', {
    hint: 'Files transferred so far are kept; run the same command again to continue.',
    cause,
  });

/** Whether `fin data fetch --documents` has stored documents in this data directory. */
export const hasLocalDocuments = (data: string): boolean => existsSync(join(data, 'sources', DOCUMENTS_FOLDER));

/** Returns the contact of the environment or the profile; null without one. */
export const findContact = (call: UtilityCall) => call.io.env.FIN_CONTACT || findCurrentProfile(call)?.contact || null;

/** Whether this user's commands can read documents: a contact is set, or documents are on this machine. */
export function canReadDocuments(call: UtilityCall): boolean {
  const { data } = findDirectories(call.io.env);
  return findContact(call) !== null || (data !== null && hasLocalDocuments(data));
}
