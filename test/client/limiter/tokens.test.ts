import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countTokens } from '../../../src/client/limiter/tokens.ts';

test('no order of events grants more tokens than the limit, and no grant is withdrawn', () => {
  const anyEvent = fc.oneof(
    fc.nat(20).map((id) => `T ${id}\n`),
    fc.nat(20).map((id) => `B ${id}\n`),
    fc.nat(3).map((count) => `X ${count}\n`),
  );
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
      let previousIds = new Set<string>();
      for (let eventCount = 0; eventCount <= events.length; eventCount++) {
        const { grantedIds: granted } = countTokens(events.slice(0, eventCount).join(''), 5);
        expect(granted.size).toBeLessThanOrEqual(5);
        const lastEvent = events[eventCount - 1] ?? '';
        for (const id of previousIds) if (lastEvent.trim() !== `B ${id}`) expect(granted.has(id)).toBe(true);
        previousIds = new Set(granted);
      }
    }),
  );
});

test('an incomplete last line is ignored, and a limit applies to all lines after it', () => {
  expect(countTokens('L 2\nT a\nT b\nT c\nT d', 60)).toMatchObject({ limit: 2, used: 2 });
  expect(countTokens('T a\nT b\nL 1\nT c\n', 60)).toMatchObject({ limit: 1, used: 2 });
});
