/**
 * `--stats`: counts a command's requests and bytes from the client's events, and the rows of its answers. Loaded on
 * demand.
 */

import { type ConnectionTarget, readLimitsInUse } from '../client/connection.ts';
import type { ClientEvent } from '../client/request/events.ts';
import { isFailure } from '../contract/failure.ts';
import { formatCount } from '../contract/text/format-counts.ts';
import { readErrorCode } from '../platform/files/system-error.ts';

export type Stats = ReturnType<typeof startStats>;

export function startStats() {
  const startTime = performance.now();
  let rowTotal: number | null = null;
  let lowest = Number.POSITIVE_INFINITY;
  let quota: number | null = null;
  let bytes: number | null = null;
  const totals = { requests: 0, revalidated: 0, cached: 0 };
  const waits: { readonly start: number; readonly end: number }[] = [];
  return {
    /** Adds the rows of an answer to the count. If never called, the statistics omit the number of rows. */
    addRows(rowCount: number) {
      rowTotal = (rowTotal ?? 0) + rowCount;
    },
    count(event: ClientEvent) {
      if (event.type === 'request') {
        totals.requests += 1;
        if (event.status === 304) totals.revalidated += 1;
        if (event.bytes !== undefined) bytes = (bytes ?? 0) + event.bytes;
      } else if (event.type === 'cached') totals.cached += 1;
      else if (event.type === 'waited') waits.push({ start: performance.now() - event.ms, end: performance.now() });
      else if (event.type === 'retrying') waits.push({ start: performance.now(), end: performance.now() + event.ms });
      else if (event.type === 'remaining') {
        // Responses may arrive out of order, so the lowest remaining count is used.
        lowest = Math.min(lowest, event.remainders.find(({ name }) => name === 'month')?.remaining ?? lowest);
        quota = event.policies.find(({ name }) => name === 'month')?.quota ?? quota;
      }
    },
    /** Returns the statistics as one line for stderr, without sending a request. */
    async formatLine(target: () => ConnectionTarget) {
      const now = performance.now();
      const usage = lowest === Number.POSITIVE_INFINITY ? await readMonthQuota(target) : { remaining: lowest, quota };
      const quotaText = usage?.quota == null ? '' : ` of ${usage.quota}`;
      return [
        ...(rowTotal === null ? [] : [formatCount(rowTotal, 'row')]),
        formatCount(totals.requests, 'request'),
        ...(bytes === null ? [] : [`${Math.ceil(bytes / 1000)} KB`]),
        `${totals.revalidated} revalidated`,
        `${totals.cached} cached`,
        `waited ${formatSeconds(computeWaitingTime(waits, now))}`,
        ...(usage === null ? [] : [`${usage.remaining}${quotaText} left this month`]),
        `took ${formatSeconds(now - startTime)}`,
      ].join(', ');
    },
  };
}

/**
 * Returns the milliseconds in which at least one request waited, so that simultaneous waits count once and the result is at
 * most the time of the command. A wait that would end after `now` was cut short, and counts only until `now`.
 * @param waits start and end of each wait, in milliseconds
 */
export function computeWaitingTime(waits: readonly { start: number; end: number }[], now: number): number {
  let total = 0;
  let countedUntil = Number.NEGATIVE_INFINITY;
  for (const { start, end } of [...waits].sort((a, b) => a.start - b.start)) {
    const last = Math.min(end, now);
    total += Math.max(0, last - Math.max(start, countedUntil));
    countedUntil = Math.max(countedUntil, last);
  }
  return total;
}

const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

/**
 * Reads the month's quota from the local rate limiter, for commands whose responses did not state the quota. Returns
 * null if no service or no API key is used, or if the key, the settings or the limiter's files cannot be read.
 */
async function readMonthQuota(target: () => ConnectionTarget): Promise<{ remaining: number; quota: number } | null> {
  try {
    const usages = await readLimitsInUse(target());
    return usages.find(({ limit }) => limit === 'month') ?? null;
  } catch (error) {
    // Errors of the key or the settings were already reported by the command itself.
    if (isFailure(error) || readErrorCode(error) !== null) return null;
    throw error;
  }
}
