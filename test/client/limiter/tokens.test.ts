import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeWindowUsage, takeTokens } from '../../../src/client/limiter/tokens.ts';
import { findWindowAt, UNKNOWN_CLOCK } from '../../../src/client/limiter/windows.ts';
import { openMemoryFiles } from '../../../src/platform/processes/shared-files.ts';

test('no order of events grants more tokens than the limit, and no grant is withdrawn', () => {
  const eventArbitrary = fc.oneof(
    fc.nat(20).map((id) => `T ${id}\n`),
    fc.nat(20).map((id) => `B ${id}\n`),
    fc.nat(3).map((count) => `X ${count}\n`),
  );
  fc.assert(
    fc.property(fc.array(eventArbitrary, { maxLength: 60 }), (events) => {
      let previousIds = new Set<string>();
      for (let eventCount = 0; eventCount <= events.length; eventCount++) {
        const { grantedIds: granted } = computeWindowUsage(events.slice(0, eventCount).join(''), 5);
        expect(granted.size).toBeLessThanOrEqual(5);
        const lastEvent = events[eventCount - 1] ?? '';
        for (const id of previousIds) if (lastEvent.trim() !== `B ${id}`) expect(granted.has(id)).toBe(true);
        previousIds = new Set(granted);
      }
    }),
  );
});

test('an incomplete last line is ignored, and a limit applies to all lines after it', () => {
  expect(computeWindowUsage('L 2\nT a\nT b\nT c\nT d', 60)).toMatchObject({ limit: 2, used: 2 });
  expect(computeWindowUsage('T a\nT b\nL 1\nT c\n', 60)).toMatchObject({ limit: 1, used: 2 });
});

test('old logs are removed, also if each window begins with tokens of requests near the end of the previous window', () => {
  const files = openMemoryFiles();
  const quotas = { concurrent: 4, minute: 60, minuteLength: 60_000, month: 20_000 };
  for (const minute of Array(10).keys()) {
    for (const now of [minute * 60_000 + 100, minute * 60_000 + 59_900]) {
      const window = findWindowAt(now, quotas.minuteLength, UNKNOWN_CLOCK, 0);
      expect(takeTokens(files, String(now), { quotas, clock: UNKNOWN_CLOCK, shift: 0 }, window, now)).not.toBeNull();
    }
  }
  const logNames = files.list().filter((name) => name.startsWith('minute.'));
  expect(logNames).toEqual([7, 8, 9, 10].map((minute) => `minute.60000.${minute}`));
});
