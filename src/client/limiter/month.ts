/**
 * The month's count: a file that grows by one byte for every request of the account, and another for
 * every request that the service did not count. Their sizes are the count, without reading a byte.
 */
import type { Remainder } from '../../contract/rate-limit.ts';
import type { SharedFiles } from '../../platform/shared-files.ts';

/** A month that is spent is tried again so often: more may have been allowed. */
const PROBE_EVERY = 15 * 60_000;
/** As many as can be under way, and a few; a difference within it means nothing. */
const MARGIN = 16;
/** No file of the count grows past it: then the count is corrected no more. */
const FILE_MAX = 20_000_000;

const takenFile = (index: number) => `month.${index}`;
const backFile = (index: number) => `month.${index}.back`;
const probeFile = (index: number) => `month.${index}.probe`;

export function countMonth(files: SharedFiles, index: number): number {
  return Math.max(0, files.size(takenFile(index)) - files.size(backFile(index)));
}

/** Takes one request of the month; false where it is spent, but for a try now and then. */
export function takeOfMonth(files: SharedFiles, index: number, quota: number, now: number): boolean {
  files.append(takenFile(index), '.');
  if (countMonth(files, index) <= quota) return true;
  const last = files.read(probeFile(index));
  // A time in the future was noted by a clock that has been set back since.
  const due = last !== '' && Math.abs(now - Number(last)) > PROBE_EVERY;
  if (due || last === '') files.replace(probeFile(index), String(now));
  if (due) return true;
  giveBackToMonth(files, index);
  return false;
}

/** The service said that the month is spent. */
export function closeMonth(files: SharedFiles, index: number, quota: number, now: number): void {
  files.replace(probeFile(index), String(now));
  correctMonth(files, index, quota, { name: 'month', remaining: 0 });
}

export function giveBackToMonth(files: SharedFiles, index: number): void {
  files.append(backFile(index), '.');
}

/** Brings the count to what the service said, where that cannot come from requests under way. */
export function correctMonth(files: SharedFiles, index: number, quota: number, said: Remainder): void {
  const used = Math.max(0, quota - said.remaining);
  const difference = used - countMonth(files, index);
  if (difference > 0) extend(files, takenFile(index), difference);
  else if (-difference > MARGIN) extend(files, backFile(index), -difference);
}

function extend(files: SharedFiles, file: string, by: number): void {
  files.append(file, '.'.repeat(Math.max(0, Math.min(by, FILE_MAX - files.size(file)))));
}
