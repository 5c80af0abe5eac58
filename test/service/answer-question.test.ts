import { expect, test } from 'vitest';
import { interruptible } from '../../src/service/answer-question.ts';
import { FILED } from './filed.ts';
import { memoryRelease } from './memory-release.ts';

const COLUMNS = ['cik', 'ticker', 'revenue', 'assets', 'gross_profit', 'revenue_yoy', 'fiscal_year'];

/** A release whose reads each keep the process busy, as those of a large one do. */
function busyRelease(read: () => void) {
  const before = async () => {
    read();
    const end = performance.now() + 2;
    while (performance.now() < end);
  };
  return memoryRelease(FILED, { before });
}

test('a screen is read whole, column by column', async () => {
  const columns: number[] = [];
  const release = interruptible(
    busyRelease(() => columns.push(1)),
    new AbortController().signal,
  );
  expect(await release.screen(COLUMNS)).toEqual(await memoryRelease(FILED).screen(COLUMNS));
  expect(columns).toHaveLength(COLUMNS.length);
});

test('between two reads other tasks run', async () => {
  let turns = 0;
  let reading = true;
  const count = () => {
    turns += 1;
    if (reading) setImmediate(count);
  };
  setImmediate(count);
  await interruptible(
    busyRelease(() => {}),
    new AbortController().signal,
  ).screen(COLUMNS);
  reading = false;
  expect(turns).toBeGreaterThanOrEqual(COLUMNS.length - 2);
});

test('once no caller waits no further read is started', async () => {
  const controller = new AbortController();
  let reads = 0;
  const release = busyRelease(() => {
    reads += 1;
    if (reads === 3) controller.abort(new Error('enough'));
  });
  await expect(interruptible(release, controller.signal).screen(COLUMNS)).rejects.toThrow('enough');
  expect(reads).toBe(3);
});
