/** Implements publishing releases to a directory, and pulling releases with the connections and retries of `http`. */
import { realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { PublishReleaseOptions, PullReleaseOptions, PullSettings } from '../commands/ports/publishing.ts';
import { Failure } from '../contract/failure.ts';
import type { PublishReport, PullReport } from '../contract/release-work.ts';
import { openHttp } from '../http/get.ts';
import { MIN_TRANSFER_RATE } from '../http/request-clock.ts';
import { createRetryRule } from '../http/retry.ts';
import { makeDirectory } from '../platform/directories.ts';
import { acquireLock } from '../platform/processes/lock.ts';
import { listQueue } from '../platform/processes/queue.ts';
import { openDiskFiles } from '../platform/processes/shared-files.ts';
import { isMissingPathError, isSystemError, makeSystemFailure } from '../platform/system-error.ts';
import { publishRelease } from '../publish/publish.ts';
import { type PullEvent, pullRelease } from '../publish/pull.ts';
import { parsePublicKey, readPrivateKey } from '../publish/signing.ts';
import { isStamp } from '../store/content-hash.ts';
import { findRelease, getReleasesHome, hasCurrentStampFile } from '../store/releases/home.ts';

export { writeNewKeyPair } from '../publish/signing.ts';

/**
 * Name of the hidden lock directory. It is in the published directory, because publishers on different machines may
 * have no other directory in common.
 */
const LOCK_NAME = '.publishing';
const QUEUE_NAME = 'publish';

/** Publishes a release to a directory; waits while another process is publishing to it. */
export async function publish({
  dataDirectory,
  stamp,
  signKey,
  root,
  onWait,
  ...publishOptions
}: PublishReleaseOptions): Promise<PublishReport> {
  const { directory } = findRelease(dataDirectory, stamp);
  const publicDirectory = resolveLinks(resolve(root));
  if (
    publicDirectory === dirname(resolveLinks(directory)) ||
    hasCurrentStampFile(publicDirectory) ||
    isInRelease(publicDirectory)
  ) {
    throw new Failure('usage', `${root} is used for fin's own releases.`, {
      hint: 'Publish to a separate directory.',
    });
  }
  const privateKey = signKey === null ? null : readPrivateKey(signKey);
  try {
    makeDirectory(publicDirectory);
    const releaseLock = await acquireLock(join(publicDirectory, LOCK_NAME), QUEUE_NAME, {
      signal: publishOptions.signal,
      onWait,
    });
    try {
      return await publishRelease({ ...publishOptions, directory, root, signKey: privateKey });
    } finally {
      removeLockIfUnused(join(publicDirectory, LOCK_NAME));
      releaseLock();
    }
  } catch (error) {
    throw explainFailure(error, `A release cannot be published to ${root}`);
  }
}

/** Whether a path is the directory of a release, or is inside one: that release would include the files. */
const isInRelease = (path: string): boolean => path.split(sep).some(isStamp);

/**
 * Removes the lock if no other process waits for it. The caller must hold the lock. A process that joins the queue
 * during the removal has to join again.
 */
function removeLockIfUnused(lock: string): void {
  if (listQueue(openDiskFiles(lock), QUEUE_NAME, Date.now()).length <= 1)
    rmSync(lock, { recursive: true, force: true });
}

/** Resolves links in a path, including paths that do not exist yet. */
function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const parent = dirname(path);
    if (!isMissingPathError(error) || parent === path) throw error;
    return join(resolveLinks(parent), basename(path));
  }
}

export async function pull(pullOptions: PullReleaseOptions, settings: PullSettings): Promise<PullReport> {
  const { userAgent, env, timeout, signal, onEvent } = settings;
  const { dataDirectory, publicKey, ...remainingOptions } = pullOptions;
  const home = getReleasesHome(dataDirectory);
  const url = pullOptions.url.replace(/\/+$/, '');
  const http = openHttp(env);
  try {
    return await pullRelease(
      { ...remainingOptions, home, publicKey: publicKey === null ? null : parsePublicKey(publicKey) },
      {
        url,
        get: http.get,
        userAgent,
        retries: createRetryRule(settings),
        pace: { timeout, ...MIN_TRANSFER_RATE },
        signal,
        report: (event) => reportEvent(event, url, onEvent),
      },
    );
  } catch (error) {
    if (signal.aborted) throw error;
    const advice = 'Set FIN_DATA_DIR to use another directory. Files pulled so far are kept.';
    throw explainFailure(error, `A release cannot be written to ${home}`, advice);
  } finally {
    await http.close();
  }
}

/**
 * For an error of the file system, returns a Failure whose message begins with `subjectText`; returns other errors
 * unchanged.
 */
function explainFailure(error: unknown, subjectText: string, advice?: string): unknown {
  return isSystemError(error) ? makeSystemFailure('data', subjectText, error, advice) : error;
}

function reportEvent(event: PullEvent, url: string, onEvent: PullSettings['onEvent']): void {
  if (event.type === 'waiting')
    onEvent({ type: 'notice', text: 'Another fin process is pulling a release; waiting until it has finished.' });
  else if (event.type !== 'finished') {
    // The connection is reported only if at least one file must be transferred.
    if (event.type === 'planned') onEvent({ type: 'connecting', host: new URL(url).host });
    onEvent(event);
  } else {
    const outcome = { file: event.file, url, state: 'fetched', bytes: null, sha256: null, problem: null } as const;
    onEvent({ type: 'done', outcome });
  }
}
