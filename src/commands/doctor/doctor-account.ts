/** What the ledger knows: how much of the account's limits is left, and whether this machine's clock is right. */
import { readClockOffset, readQuota } from '../../client/limiter/quota.ts';
import { accountOf, type ConnectionTarget } from '../connection/target.ts';
import type { Finding } from './finding.ts';

/** A clock that is further off takes the wrong minute's budget, and dates what it holds wrongly. */
const TOLERABLE_MS = 2000;

/** @param since an instant that has certainly passed: the newest release was published then (epoch ms), or null */
export async function accountFindings(place: ConnectionTarget, since: number | null): Promise<Finding[]> {
  const now = Date.now();
  const backwards: Finding[] =
    since !== null && now < since
      ? [{ check: 'clock', state: 'wrong', detail: `${iso(now)} is before the release was published, ${iso(since)}` }]
      : [];
  const { destination, directories } = place;
  // A command that gives the key may ask the person for something; a look at the ledger is not worth that.
  if (destination.to === 'local' || destination.key === null || destination.key.from === 'command') {
    return backwards.length > 0 ? backwards : [{ check: 'clock', state: 'ok', detail: iso(now) }];
  }
  if (directories.state === null) return backwards;
  const account = await accountOf(place);
  const left = readQuota(directories.state, account, now).map(
    ({ limit, remaining, quota }) => `${limit} ${remaining} of ${quota}`,
  );
  return [
    { check: 'ledger', state: 'ok', detail: `left: ${left.join(', ')}` },
    ...(backwards.length > 0 ? backwards : [clockFinding(readClockOffset(directories.state, account), now)]),
  ];
}

function clockFinding(offset: number | null, now: number): Finding {
  const check = 'clock';
  if (offset === null)
    return { check, state: 'note', detail: `${iso(now)}, compared with no service yet (--network does)` };
  if (Math.abs(offset) <= TOLERABLE_MS) return { check, state: 'ok', detail: `${iso(now)}, as the service has it` };
  const seconds = Math.round(Math.abs(offset) / 1000);
  const detail = `${seconds} s ${offset > 0 ? 'behind' : 'ahead of'} the service's: set the machine's time`;
  return { check, state: 'wrong', detail };
}

const iso = (instant: number): string => `${new Date(instant).toISOString().slice(0, 19)}Z`;
