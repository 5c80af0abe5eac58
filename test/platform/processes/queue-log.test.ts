import { expect, test } from 'vitest';
import {
  GRACE_PERIOD,
  LEASE,
  parseEntries,
  type QueueEntry,
  stateOf,
} from '../../../src/platform/processes/queue-log.ts';

const LOG = [
  'T a 1 - here 1000',
  'T b 2 - here 1000',
  'S a 2000',
  'B b 3000',
  'D a 4000',
  'D a 9000',
  'R b',
  'T c 3 - h',
];

test('a log is read line by line; torn and unknown lines are ignored', () => {
  const entries = parseEntries(`${LOG.join('\n')}\nR a`);
  expect([...entries.keys()]).toEqual(['a', 'b']);
  expect(entries.get('a')).toMatchObject({ started: true, gone: 4000, released: false });
  expect(entries.get('b')).toMatchObject({ seen: 3000, released: true, gone: null });
});

const entry: QueueEntry = {
  id: 'a',
  pid: 1,
  start: '-',
  host: 'h',
  seen: 0,
  started: false,
  skipped: false,
  gone: null,
  released: false,
};

test.each([
  ['waits, alive', {}, 1000, true, 'present'],
  ['waits, dead', {}, 1000, false, 'abandoned'],
  ['has started, dead', { started: true }, 1000, false, 'died'],
  ['has started, found dead just now', { started: true, gone: 1000 }, 1000 + GRACE_PERIOD - 1, false, 'present'],
  ['has started, found dead a while ago', { started: true, gone: 1000 }, 1000 + GRACE_PERIOD, false, 'gone'],
  ['has started, found dead in the future', { started: true, gone: 1000 + GRACE_PERIOD }, 1000, false, 'gone'],
  ['is released', { released: true }, 0, true, 'gone'],
  ['is hung', {}, LEASE + 1, true, 'gone'],
  ['is of another machine, with heartbeats', { seen: 50_000 }, LEASE + 1, null, 'present'],
  ['is of another machine, without', {}, LEASE + 1, null, 'gone'],
  ['is of another machine whose clock is a little ahead', { seen: LEASE }, 0, null, 'present'],
  ['is of another machine, seen in the future', { seen: LEASE + 1 }, 0, null, 'gone'],
  ['is alive here, seen before the clock was set back', { seen: LEASE + 1 }, 0, true, 'present'],
] as const)('an entry that %s: %5$s', (_, change, now, alive, expected) => {
  expect(stateOf({ ...entry, ...change }, now, () => alive)).toBe(expected);
});
