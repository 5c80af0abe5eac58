/** Runs the downloader of `edgar` with the connections and retries of `http`. */

import { join } from 'node:path';
import { isError } from '../contract/error-code.ts';
import { Failure } from '../contract/failure.ts';
import type { FetchReport } from '../edgar/fetch/fetch-files.ts';
import { type FetchRequest, fetchFiles, makeRefreshRequest } from '../edgar/fetch/fetch-files.ts';
import { FETCH_FOLDER, listRecords } from '../edgar/fetch/file-records.ts';
import { FILE_FAMILIES } from '../edgar/fetch/remote-files.ts';
import { MIN_TRANSFER_RATE, openHttp } from '../http/get.ts';
import { createRetryRule } from '../http/retry.ts';
import { findRequestSpacingDirectory, openRequestSpacing } from '../http/sec/request-spacing.ts';
import { makeMirrorSite, SEC_SITE } from '../http/sec/site.ts';
import { findDirectories } from '../platform/files/directories.ts';
import { makeSystemFailure, readErrorCode } from '../platform/files/system-error.ts';
import { acquireLock } from '../platform/processes/lock.ts';
import type { FetchEvent, TransferSettings } from './transfers.ts';

export type SourceFileKind = 'insiders' | 'holders' | 'fails' | 'funds' | 'indexes';

export interface FetchFilesOptions extends Required<Omit<FetchRequest, 'site' | 'families' | 'today'>> {
  /** Number of newest periods to fetch per file family. */
  readonly families: readonly { readonly name: SourceFileKind; readonly count: number }[];
  /** Whether to update previously fetched files; cannot be combined with options that choose files to fetch. */
  readonly refresh: boolean;
  /** Base URL of a mirror of the SEC's site; null for the SEC's own site. */
  readonly site: string | null;
}

interface FetchSettings extends TransferSettings {
  /** Directory in which the files are stored. */
  readonly directory: string;
  readonly userAgent: string;
  /**
   * A stored file is requested again if more milliseconds than this have passed since it was last confirmed as current.
   */
  readonly maxAge: number;
  readonly onEvent: (event: FetchEvent) => void;
}

const UNSHARED_RATE_NOTICE =
  'The rate of requests cannot be shared with other processes of fin; this process limits only its own requests.';

/**
 * Fetches files. If fetching fails, keeps the files fetched so far, and throws a Failure that states how to continue.
 */
export async function fetchPublicFiles(options: FetchFilesOptions, settings: FetchSettings): Promise<FetchReport> {
  const { directory, userAgent, env, maxWait, maxAge, timeout, signal, onEvent } = settings;
  const site = options.site === null ? SEC_SITE : makeMirrorSite(options.site);
  const request = { ...(await selectFilesToFetch(options, directory)), site, today: new Date() };
  const { host } = new URL(site.filesUrl);
  const http = openHttp(env);
  onEvent({ type: 'connecting', host });
  const notify = (text: string) => onEvent({ type: 'notice', text });
  try {
    return await fetchFiles(request, {
      directory,
      get: http.get,
      userAgent,
      spacing: openRequestSpacing({
        directory: findRequestSpacingDirectory(findDirectories(env).state, host),
        maxPauseMs: maxWait,
        onError: () => notify(UNSHARED_RATE_NOTICE),
      }),
      retries: createRetryRule(settings),
      maxPauseMs: maxWait,
      pace: { timeout, ...MIN_TRANSFER_RATE },
      maxAgeMs: maxAge,
      lock: (name, lockSignal) =>
        acquireLock(join(directory, FETCH_FOLDER, 'claims'), name.replaceAll('/', '~'), {
          signal: lockSignal,
          onWait: () => notify(`Another fin process is fetching ${name}; waiting until it has finished.`),
        }),
      signal,
      report: onEvent,
    });
  } catch (error) {
    if (signal.aborted || readErrorCode(error) === null || !(isError(error) && 'syscall' in error)) throw error;
    const advice = 'Set FIN_DATA_DIR to use another directory. Files fetched so far are kept.';
    throw makeSystemFailure('data', `Fetched files cannot be written to ${directory}`, error, advice);
  } finally {
    await http.close();
  }
}

async function selectFilesToFetch({ families, refresh, ...wanted }: FetchFilesOptions, directory: string) {
  if (!refresh)
    return { ...wanted, families: families.map(({ name, count }) => ({ family: requireFamily(name), count })) };
  const request = makeRefreshRequest(await listRecords(directory), FILE_FAMILIES);
  if (request.companies.length > 0 || request.includesBulkFiles || request.families.length > 0)
    return { ...wanted, ...request, reportDays: Math.max(wanted.reportDays, request.reportDays) };
  throw new Failure('usage', 'No companies are given, and there are no files from an earlier fetch to update.', {
    hint: 'Name companies, as in "fin data fetch AAPL MSFT", or add --bulk for all companies.',
  });
}

function requireFamily(name: string) {
  const family = FILE_FAMILIES.find((candidate) => candidate.name === name);
  if (family === undefined) throw new Error(`Unknown family of files ${name}.`);
  return family;
}
