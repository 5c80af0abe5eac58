/** Pulls a published release with the connections and retries of `http`. */

import { MIN_TRANSFER_RATE, openHttp } from '../http/get.ts';
import { createRetryRule } from '../http/retry.ts';
import { isSystemError, makeSystemFailure } from '../platform/files/system-error.ts';
import type { PullReport } from '../publish/pull.ts';
import { type PullEvent, type PullRequest, pullRelease } from '../publish/pull.ts';
import { parsePublicKey } from '../publish/signing.ts';
import { getReleasesHome } from '../store/releases/home.ts';
import type { FetchEvent, TransferSettings } from './transfers.ts';

interface PullOptions extends Omit<PullRequest, 'home' | 'publicKey'> {
  readonly dataDirectory: string;
  readonly url: string;
  readonly publicKey: string | null;
}

interface PullSettings extends TransferSettings {
  readonly userAgent: string;
  readonly onEvent: (event: FetchEvent) => void;
}

/** Pulls a release. Throws a Failure with the cause; pieces pulled before the failure are kept. */
export async function pull(options: PullOptions, settings: PullSettings): Promise<PullReport> {
  const { userAgent, env, timeout, signal, onEvent } = settings;
  const { dataDirectory, publicKey, ...remainingOptions } = options;
  const home = getReleasesHome(dataDirectory);
  const url = options.url.replace(/\/+$/, '');
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
    throw isSystemError(error)
      ? makeSystemFailure('data', `A release cannot be written to ${home}`, error, advice)
      : error;
  } finally {
    await http.close();
  }
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
