import { expect, test } from 'vitest';
import {
  findState,
  GRACE_PERIOD_MS,
  LEASE_MS,
  parseEntries,
  type QueueEntry,
} from '../../../src/platform/processes/queue-log.ts';

const LOG_LINES = [
  'T a 1 - here 1000',
  'T b 2 - here 1000',
  'S a 2000',
  'B b 3000',
  'D a 4000',
  'D a 9000',
  'R b',
  'T c 3 - h',
];

test('a log is read line by line; incomplete and unknown lines are ignored', () => {
  const entries = parseEntries(`${LOG_LINES.join('\n')}\nR a`);
  expect([...entries.keys()]).toEqual(['a', 'b']);
  expect(entries.get('a')).toMatchObject({ isStarted: true, goneAt: 4000, isReleased: false });
  expect(entries.get('b')).toMatchObject({ lastSeen: 3000, isReleased: true, goneAt: null });
});

const entry: QueueEntry = {
  id: 'a',
  pid: 1,
  start: '-',
  host: 'h',
  lastSeen: 0,
  isStarted: false,
  isSkipped: false,
  goneAt: null,
  isReleased: false,
};

test.each([
  ['waits, of a running process', {}, 1000, true, 'present'],
  ['waits, of a dead process', {}, 1000, false, 'abandoned'],
  ['has started, of a dead process', { isStarted: true }, 1000, false, 'died'],
  [
    'has started, of a process found dead within the grace period',
    { isStarted: true, goneAt: 1000 },
    1000 + GRACE_PERIOD_MS - 1,
    false,
    'present',
  ],
  [
    'has started, of a process found dead before the grace period',
    { isStarted: true, goneAt: 1000 },
    1000 + GRACE_PERIOD_MS,
    false,
    'gone',
  ],
  [
    'has started, of a process found dead in the future',
    { isStarted: true, goneAt: 1000 + GRACE_PERIOD_MS },
    1000,
    false,
    'gone',
  ],
  ['is released', { isReleased: true }, 0, true, 'gone'],
  ['has had no heartbeat for longer than the lease', {}, LEASE_MS + 1, true, 'gone'],
  ['is of another machine, with heartbeats', { lastSeen: 50_000 }, LEASE_MS + 1, null, 'present'],
  ['is of another machine, without heartbeats', {}, LEASE_MS + 1, null, 'gone'],
  ['is of another machine whose clock is a little ahead', { lastSeen: LEASE_MS }, 0, null, 'present'],
  ['is of another machine, with a heartbeat far in the future', { lastSeen: LEASE_MS + 1 }, 0, null, 'gone'],
  [
    'is of a running process, with a heartbeat from before the clock was set back',
    { lastSeen: LEASE_MS + 1 },
    0,
    true,
    'present',
  ],
] as const)('a queue entry that %s, is %5$s', (_, change, now, isOwnerAlive, expected) => {
  expect(findState({ ...entry, ...change }, now, () => isOwnerAlive)).toBe(expected);
});
