import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countTokens } from '../../../src/client/limiter/tokens.ts';
import {
  learnClock,
  monthAt,
  offsetOf,
  UNKNOWN_CLOCK,
  uncertaintyOf,
  windowAt,
} from '../../../src/client/limiter/windows.ts';
import { GRACE, LEASE, parseEntries, type QueueEntry, stateOf } from '../../../src/platform/queue-log.ts';

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

test('a log of tickets is read line by line; what is torn or strange is passed over', () => {
  const tickets = parseEntries(`${LOG.join('\n')}\nR a`);
  expect([...tickets.keys()]).toEqual(['a', 'b']);
  expect(tickets.get('a')).toMatchObject({ sending: true, gone: 4000, released: false });
  expect(tickets.get('b')).toMatchObject({ seen: 3000, released: true, gone: null });
});

const ticket: QueueEntry = {
  id: 'a',
  pid: 1,
  start: '-',
  place: 'h',
  seen: 0,
  started: false,
  skipped: false,
  gone: null,
  released: false,
};

test.each([
  ['waits, alive', {}, 1000, true, 'stands'],
  ['waits, dead', {}, 1000, false, 'left'],
  ['sends, dead', { sending: true }, 1000, false, 'died'],
  ['sends, found dead just now', { sending: true, gone: 1000 }, 1000 + GRACE - 1, false, 'stands'],
  ['sends, found dead a while ago', { sending: true, gone: 1000 }, 1000 + GRACE, false, 'vanished'],
  ['released', { released: true }, 0, true, 'vanished'],
  ['hung', {}, LEASE + 1, true, 'vanished'],
  ['of another machine, with signs of life', { seen: 50_000 }, LEASE + 1, null, 'stands'],
  ['of another machine, without', {}, LEASE + 1, null, 'vanished'],
] as const)('a ticket that %s: %5$s', (_, change, now, alive, expected) => {
  expect(stateOf({ ...ticket, ...change }, now, () => alive)).toBe(expected);
});

test('no order of events grants more tokens than the limit, and a grant stays a grant', () => {
  const event = fc.oneof(
    fc.nat(20).map((id) => `T ${id}\n`),
    fc.nat(20).map((id) => `B ${id}\n`),
    fc.nat(3).map((count) => `X ${count}\n`),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      let before = new Set<string>();
      for (let length = 0; length <= events.length; length++) {
        const { granted } = countTokens(events.slice(0, length).join(''), 5);
        expect(granted.size).toBeLessThanOrEqual(5);
        const last = events[length - 1] ?? '';
        for (const id of before) if (last.trim() !== `B ${id}`) expect(granted.has(id)).toBe(true);
        before = new Set(granted);
      }
    }),
  );
});

test('a torn line counts for nothing, a limit for all that follow', () => {
  expect(countTokens('L 2\nT a\nT b\nT c\nT d', 60)).toMatchObject({ limit: 2, used: 2 });
  expect(countTokens('T a\nT b\nL 1\nT c\n', 60)).toMatchObject({ limit: 1, used: 2 });
});

test('windows are the calendar of the service', () => {
  const now = Date.UTC(2026, 4, 31, 23, 59, 30);
  expect(windowAt(now, 60_000, UNKNOWN_CLOCK).end).toBe(Date.UTC(2026, 5, 1));
  expect(monthAt(now, UNKNOWN_CLOCK)).toMatchObject({ index: 202605, end: Date.UTC(2026, 5, 1) });
  const hourAhead = learnClock(UNKNOWN_CLOCK, now + 3_600_000, now - 20, now);
  expect(monthAt(now, hourAhead).index).toBe(202606);
});

test('a clock that may agree is taken to agree; one that cannot is followed', () => {
  const now = 1_780_000_000_400;
  const cut = (time: number) => Math.floor(time / 1000) * 1000;
  const same = learnClock(UNKNOWN_CLOCK, cut(now), now - 30, now);
  expect(offsetOf(same)).toBe(0);
  expect(uncertaintyOf(same)).toBe(0);
  for (const skew of [-3_600_000, 3_600_000, 5000, -5000]) {
    let clock = UNKNOWN_CLOCK;
    for (let at = now; at < now + 20_000; at += 730) clock = learnClock(clock, cut(at + skew), at - 30, at);
    expect(Math.abs(offsetOf(clock) - skew)).toBeLessThan(200);
    expect(uncertaintyOf(clock)).toBeLessThan(300);
  }
});

test('a clock that was set in between is learned anew', () => {
  const now = 1_780_000_000_000;
  const first = learnClock(UNKNOWN_CLOCK, now + 3_600_000, now - 10, now);
  expect(offsetOf(learnClock(first, now, now - 10, now))).toBe(0);
});
