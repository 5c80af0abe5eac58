/** `--stats`: what a command cost, counted from what the client reports. Loaded when it is asked for. */

import type { ClientEvent } from '../../client/events.ts';
import { readQuota } from '../../client/limiter/quota.ts';
import { isFailure } from '../../contract/failure.ts';
import { codeOf } from '../../platform/system-error.ts';
import { accountOf, type ConnectionTarget } from '../connection/target.ts';
import { count } from './notices.ts';

export interface Stats {
  /** Rows of an answer; of a command that has none, never called. */
  addRows(rows: number): void;
  count(event: ClientEvent): void;
  /** One line for stderr. `place` where it is known what was asked; it is asked nothing more. */
  line(place: (() => ConnectionTarget) | null): Promise<string>;
}

export function startStats(): Stats {
  const begun = performance.now();
  let rows: number | null = null;
  let left: number | null = null;
  let quota: number | null = null;
  const sum = { requests: 0, revalidated: 0, held: 0, waited: 0 };
  return {
    addRows(more) {
      rows = (rows ?? 0) + more;
    },
    count(event) {
      if (event.type === 'request') {
        sum.requests += 1;
        if (event.status === 304) sum.revalidated += 1;
      } else if (event.type === 'cached') sum.held += 1;
      else if (event.type === 'waited' || event.type === 'retrying') sum.waited += event.ms;
      else if (event.type === 'remaining') {
        left = event.remainders.find(({ name }) => name === 'month')?.remaining ?? left;
        quota = event.policies.find(({ name }) => name === 'month')?.quota ?? quota;
      }
    },
    async line(place) {
      const month = left === null ? await fromLedger(place) : { left, quota };
      return [
        ...(rows === null ? [] : [count(rows, 'row')]),
        count(sum.requests, 'request'),
        `${sum.revalidated} revalidated`,
        `${sum.held} held`,
        `waited ${seconds(sum.waited)}`,
        ...(month === null ? [] : [`${month.left}${month.quota === null ? '' : ` of ${month.quota}`} left this month`]),
        `took ${seconds(performance.now() - begun)}`,
      ].join(', ');
    },
  };
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;

/** What the ledger knows, where no answer said it; null where nobody counts, or nobody can tell. */
async function fromLedger(place: (() => ConnectionTarget) | null): Promise<{ left: number; quota: number } | null> {
  try {
    const found = place?.();
    if (found === undefined || found.destination.to === 'local' || found.destination.key === null) return null;
    const { state } = found.directories;
    if (state === null) return null;
    const month = readQuota(state, await accountOf(found), Date.now()).find(({ limit }) => limit === 'month');
    return month === undefined ? null : { left: month.remaining, quota: month.quota };
  } catch (error) {
    // What is amiss with the key or the settings is the command's to say, and was.
    if (isFailure(error) || codeOf(error) !== null) return null;
    throw error;
  }
}
