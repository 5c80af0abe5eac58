import { expect, test } from 'vitest';
import { DEFAULT_COLUMNS } from '../../src/contract/screen-columns.ts';
import { COLUMNS_PER_READ, makeInterruptible } from '../../src/service/answers/answer-question.ts';
import { FILINGS } from '../../src/store/schema/filings.ts';
import { RELEASE_ROWS } from './filed.ts';
import { makeMemoryRelease } from './memory-release.ts';

const COLUMNS = ['cik', 'ticker', ...DEFAULT_COLUMNS];
const READ_COUNT = Math.ceil(COLUMNS.length / COLUMNS_PER_READ);

/** Returns a release whose reads keep the process busy, like those of a large release. */
function makeBusyRelease(onRead: () => void) {
  const keepBusy = async () => {
    onRead();
    const endMs = performance.now() + 2;
    while (performance.now() < endMs);
  };
  return makeMemoryRelease(RELEASE_ROWS, { before: keepBusy });
}

test('a screen reads all rows, a few columns at a time', async () => {
  const reads: number[] = [];
  const release = makeInterruptible(
    makeBusyRelease(() => reads.push(1)),
    new AbortController().signal,
  );
  expect(await release.screen(COLUMNS)).toEqual(await makeMemoryRelease(RELEASE_ROWS).screen(COLUMNS));
  expect(reads).toHaveLength(READ_COUNT);
});

test('other tasks run between the reads of a screen', async () => {
  let turnCount = 0;
  let isReading = true;
  const countTurn = () => {
    turnCount += 1;
    if (isReading) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  await makeInterruptible(
    makeBusyRelease(() => {}),
    new AbortController().signal,
  ).screen(COLUMNS);
  isReading = false;
  expect(turnCount).toBeGreaterThanOrEqual(READ_COUNT - 2);
});

test('after the caller cancels, no further read starts', async () => {
  const controller = new AbortController();
  let readCount = 0;
  const release = makeBusyRelease(() => {
    readCount += 1;
    if (readCount === 3) controller.abort(new Error('enough'));
  });
  await expect(makeInterruptible(release, controller.signal).screen(COLUMNS)).rejects.toThrow('enough');
  expect(readCount).toBe(3);
});

test('an interruptible release includes the same tables and columns as the original release', () => {
  const releaseWithoutColumns = {
    ...makeMemoryRelease(RELEASE_ROWS),
    includes: (_: unknown, column?: string) => column === undefined,
  };
  const release = makeInterruptible(releaseWithoutColumns, new AbortController().signal);
  expect(release.includes(FILINGS)).toBe(true);
  expect(release.includes(FILINGS, 'fiscal_year')).toBe(false);
});
