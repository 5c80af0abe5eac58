/** The ledger of one account, on the disk where that can be, else for this process alone. */

import { join } from 'node:path';
import { filesWithFallback, memoryFiles, type SharedFiles } from '../../platform/shared-files.ts';
import { reasonOf } from '../../platform/system-error.ts';
import type { RateLimiter } from '../budget.ts';
import type { ClientEvent } from '../events.ts';
import type { ClientOptions } from '../options.ts';
import { openRateLimiter } from './rate-limiter.ts';

export const LIMITS = 'limits';

/** @param state directory of this user's state, or null where there is none */
export function openAccountLimiter(
  state: string | null,
  account: string,
  { maxWait }: Pick<ClientOptions, 'maxWait'>,
  report: (event: ClientEvent) => void,
): RateLimiter {
  return openRateLimiter({ files: openFiles(state, account, report), maxWait, report });
}

function openFiles(state: string | null, account: string, report: (event: ClientEvent) => void): SharedFiles {
  const alone = 'this process keeps to the limits by itself, and others do not see it';
  if (state === null) {
    report({ type: 'notice', text: `There is no directory for state (no HOME): ${alone}.` });
    return memoryFiles();
  }
  const directory = join(state, LIMITS, account);
  return filesWithFallback(directory, (error) => {
    const text = `The request limits in ${directory} cannot be written, ${reasonOf(error)}: ${alone}.`;
    report({ type: 'notice', text });
  });
}
