import { expect, test } from 'vitest';
import { formatBytes } from '../../src/contract/text/format-counts.ts';
import type { FetchOutcome } from '../../src/edgar/fetch/download.ts';
import { FetchProgress, formatSeconds } from '../../src/operate/transfers.ts';

const makeDoneEvent = (file: string) => ({ type: 'done', outcome: { file } as FetchOutcome }) as const;

test('a large file shows how much has arrived, how fast, and when it will be complete', () => {
  const progress = new FetchProgress(0);
  progress.takeEvent({ type: 'planned', files: 2 }, 0);
  expect(progress.line(0)).toBe('Fetching: 0 of 2 files');
  // The download resumes after its first half, which took no time in this process.
  progress.takeEvent({ type: 'started', file: 'a.zip', from: 500_000_000, total: 1_000_000_000 }, 0);
  for (let time = 100; time <= 10_000; time += 100)
    progress.takeEvent({ type: 'received', file: 'a.zip', bytes: 1_000_000 }, time);
  expect(progress.line(10_000)).toBe('Fetching: 0 of 2 files, a.zip 600 MB of 1.0 GB, 10 MB/s, 40 s left');
  progress.takeEvent(makeDoneEvent('a.zip'), 10_000);
  expect(progress.line(60_000)).toBe('Fetching: 1 of 2 files');
  expect(progress.receivedBytes).toBe(100_000_000);
});

test('the remaining time for many small files is estimated from the finished ones', () => {
  const progress = new FetchProgress(0);
  progress.takeEvent({ type: 'planned', files: 1000 }, 0);
  for (let count = 1; count <= 100; count += 1) progress.takeEvent(makeDoneEvent(`${count}.json`), count * 150);
  expect(progress.line(15_000)).toBe('Fetching: 100 of 1000 files, 2 min 15 s left');
});

test('sizes and times are rounded for display', () => {
  expect([0, 999, 1000, 9_960_000, 1_400_000_000, 5e13].map(formatBytes)).toEqual([
    '0 B',
    '999 B',
    '1.0 kB',
    '10.0 MB',
    '1.4 GB',
    '50 TB',
  ]);
  expect([0.2, 59, 60, 3599, 3600, 7500].map(formatSeconds)).toEqual([
    '1 s',
    '59 s',
    '1 min 0 s',
    '59 min 59 s',
    '1 h 0 min',
    '2 h 5 min',
  ]);
});
