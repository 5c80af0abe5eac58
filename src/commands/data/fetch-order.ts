/** Fetches what was ordered with this program's network, pace and patience, and shows how far it is. */
import { join } from 'node:path';
import { version } from '../../../package.json';
import { openDownloads } from '../../client/http/downloads.ts';
import { decideRetry, retryAfter } from '../../client/http/retry.ts';
import { isConnectionError } from '../../client/http/transport.ts';
import { Failure } from '../../contract/failure.ts';
import type { RetryPolicy } from '../../edgar/fetch/download.ts';
import { type FetchRequest, fetchFiles } from '../../edgar/fetch/fetch-files.ts';
import { FETCH_FOLDER } from '../../edgar/fetch/file-records.ts';
import { openRequestSpacing } from '../../edgar/fetch/request-spacing.ts';
import { findDirectories } from '../../platform/directories.ts';
import { acquireLock } from '../../platform/lock.ts';
import { codeOf, systemFailure } from '../../platform/system-error.ts';
import type { Report, UtilityCall } from '../utility.ts';
import { FetchProgress, time } from './fetch-progress.ts';
import { fetchReport } from './fetch-report.ts';

const MAX_WAIT = 90_000;
const RETRIES = 4;
/** What was confirmed within this time (ms) is not asked for again, unless --fresh says so. */
const TRUST = 15 * 60_000;
/** Where there is no line to overwrite, only a wait as long as this (ms) is worth one. */
const SAY_WAIT = 5000;
/** A line that is shown more often than this (ms) is not read. */
const SHOW_EVERY = 100;

/** Throws a Failure that says what is kept and how to go on. */
export async function fetchOrder(
  call: UtilityCall,
  order: FetchRequest,
  directory: string,
  contact: string,
): Promise<Report | undefined> {
  const { io, globals } = call;
  const say = (text: string) => {
    if (!globals.quiet) io.log(text);
  };
  const progress = new FetchProgress(Date.now());
  const longest = globals.maxWait ?? MAX_WAIT;
  const clock = globals.deadline === null ? null : AbortSignal.timeout(globals.deadline);
  const signal = clock === null ? io.signal : AbortSignal.any([io.signal, clock]);
  const host = new URL(order.site.files).host;
  const downloads = openDownloads(io.env);
  if (!io.errIsTerminal) say(`Fetching from ${host} to ${directory}`);
  let shown = 0;
  try {
    const report = await fetchFiles(order, {
      directory,
      get: downloads.get,
      userAgent: `${contact} (fin-filings/${version})`,
      spacing: openRequestSpacing({
        directory: paceDirectory(io.env, host),
        longestPause: longest,
        failed: () => say('The pace cannot be shared with other processes; this one keeps to it by itself.'),
      }),
      retries: patienceOf(longest, globals.retries ?? RETRIES),
      maxAge: globals.fresh ? 0 : (globals.maxAge ?? TRUST),
      lock: (name, lockSignal) =>
        acquireLock(join(directory, FETCH_FOLDER, 'claims'), name.replaceAll('/', '~'), {
          signal: lockSignal,
          onWait: () => say(`Another fin is fetching ${name}; waiting for it.`),
        }),
      signal,
      report: (event) => {
        const now = Date.now();
        progress.take(event, now);
        if (event.type === 'done' && globals.verbose) say(`${event.outcome.file}: ${event.outcome.state}`);
        if (event.type === 'retrying') {
          const line = `${event.why} Trying again in ${time(event.ms / 1000)}.`;
          if (globals.verbose || (event.ms >= SAY_WAIT && !io.errIsTerminal)) say(line);
          else if (!globals.quiet) io.progress(line);
        } else if (!globals.quiet && now - shown >= SHOW_EVERY) {
          shown = now;
          io.progress(progress.line(now));
        }
      },
    });
    io.progress(null);
    const answer = fetchReport(call, order, report, directory, progress);
    // A crontab hears of what went wrong, and of nothing else.
    return globals.quiet && globals.format === 'table' && answer.exitCode === undefined ? undefined : answer;
  } catch (error) {
    io.signal.throwIfAborted();
    if (clock?.aborted === true) throw deadlineFailure(error);
    throw localFailure(error, directory) ?? error;
  } finally {
    await downloads.close();
  }
}

function paceDirectory(env: UtilityCall['io']['env'], host: string): string | null {
  const { state } = findDirectories(env);
  return state === null ? null : join(state, 'fetch', host.replace(/[^a-z0-9.-]/gi, '_'));
}

function patienceOf(maxWait: number, retries: number): RetryPolicy {
  return {
    delayBefore(outcome, attempt) {
      const seen =
        'error' in outcome
          ? ({ broken: isConnectionError(outcome.error) ? outcome.error.kind : 'truncated' } as const)
          : { ...outcome, violated: [] };
      const context = {
        attempt,
        retries,
        previous: 0,
        waited: 0,
        maxWait,
        now: Date.now(),
        deadline: null,
        jitter: Math.random(),
      };
      const decision = decideRetry(seen, context);
      return decision.end === 'retry' ? decision.ms : null;
    },
    retryAfter: (headers) => retryAfter(headers, Date.now()),
    longestPause: maxWait,
  };
}

function deadlineFailure(cause: unknown): Failure {
  return new Failure('network', 'The deadline passed before everything was fetched.', {
    hint: 'What is fetched is kept; run the same command again and it goes on from there.',
    cause,
  });
}

/** A disk that is full or not ours to write to. */
function localFailure(error: unknown, directory: string): Failure | null {
  if (codeOf(error) === null || !(error instanceof Error && 'syscall' in error)) return null;
  const advice = 'What is fetched is kept. FIN_DATA_DIR chooses another directory.';
  return systemFailure('data', `What was fetched cannot be kept in ${directory}`, error, advice);
}
