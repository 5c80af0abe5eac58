/** Functions that `fin data fetch` and `fin data pull` share: network settings, deadline, and progress. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProfileInUse, withAuthorities } from '../client/settings.ts';
import type { UtilityCall } from '../commands/command-line/utility.ts';
import { Failure } from '../contract/failure.ts';
import { DOCUMENTS_FOLDER } from '../edgar/fetch/remote-files.ts';
import { findDirectories } from '../platform/files/directories.ts';
import { type FetchEvent, type FetchProgress, formatSeconds } from './fetch-progress.ts';

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
export function makeTransferSettings(call: UtilityCall): {
  readonly settings: TransferSettings;
  readonly withinDeadline: <T>(work: Promise<T>) => Promise<T>;
} {
  const { io, globals } = call;
  const deadline = globals.deadline === null ? null : AbortSignal.timeout(globals.deadline);
  const signal = deadline === null ? io.signal : AbortSignal.any([io.signal, deadline]);
  return {
    settings: {
      env: withAuthorities(io.env, findCurrentProfile(call)),
      maxWait: globals.maxWait ?? DEFAULT_MAX_WAIT_MS,
      retries: globals.retries ?? DEFAULT_RETRIES,
      timeout: globals.timeout,
      deadline: globals.deadline === null ? null : Date.now() + globals.deadline,
      signal,
    },
    withinDeadline: (work) =>
      rejectOnAbort(signal, work).catch((error) => {
        io.signal.throwIfAborted();
        throw deadline?.aborted === true ? makeDeadlineFailure(error) : error;
      }),
  };
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
