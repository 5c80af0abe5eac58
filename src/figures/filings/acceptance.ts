/**
 * When a filing was accepted.
 *
 * The list of filings ends its times with Z, yet for some filers they are UTC and for others the clock of New York
 * (formats.md, section 3): one habit for each filer's list. The filings themselves tell which. The filing system accepts
 * from six to ten, and what comes after half past five bears a later day; the reading that breaks these rules less is the right one.
 */

import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import { instantOf, type WallTime, wallTimeOf } from '../periods/new-york.ts';

export type ListClock = 'utc' | 'new_york';
type Listed = Pick<FilingRecord, 'accepted' | 'filed' | 'form'>;

const MIDNIGHT = '00:00:00';
const OPENS = '06:00:00';
/** The system shuts at ten; what is under way then still comes in. */
const SHUTS = '22:10:00';
const SAME_DAY_UNTIL = '17:30:59';
/** Reports of insiders and of their intended sales bear the day's date until ten. */
const SAME_DAY_UNTIL_TEN = /^(?:[345]|144)(?:\/A)?$/;
const STAMP = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z?)$/;

/** The clock of one filer's list. Where nothing speaks for either, UTC: that is what the list says. */
export function clockOf(filings: readonly Listed[]): ListClock {
  let utc = 0;
  let newYork = 0;
  for (const { accepted, filed, form } of filings) {
    const stamp = stampOf(accepted);
    if (stamp === null) continue;
    utc += breaksRule(wallTimeOf(stamp), filed, form);
    newYork += breaksRule(stamp, filed, form);
  }
  return newYork < utc ? 'new_york' : 'utc';
}

/** On the walls of New York; null where no time is on file: very old filings have a day only. */
export function acceptedOnWall(accepted: string | null, clock: ListClock): WallTime | null {
  const stamp = stampOf(accepted);
  if (stamp === null) return null;
  const wall = clock === 'utc' ? wallTimeOf(stamp) : stamp;
  return wall === null || wall.endsWith(MIDNIGHT) ? null : wall;
}

/** The moment with its offset, or null where no time is on file. */
export function acceptedAt(accepted: string | null, clock: ListClock): string | null {
  const wall = acceptedOnWall(accepted, clock);
  return wall === null ? null : instantOf(wall);
}

function stampOf(accepted: string | null): string | null {
  const match = STAMP.exec(accepted ?? '');
  return match === null ? null : `${match[1]}T${match[2]}`;
}

function breaksRule(wall: WallTime | null, filed: string, form: string): number {
  if (wall === null) return 1;
  const day = wall.slice(0, 10);
  const time = wall.slice(11);
  // No time is on file: nothing to break.
  if (time === MIDNIGHT) return day === filed ? 0 : 1;
  if (time < OPENS || time > SHUTS) return 1;
  if (SAME_DAY_UNTIL_TEN.test(form)) return 0;
  return (time <= SAME_DAY_UNTIL ? day === filed : day < filed) ? 0 : 1;
}
