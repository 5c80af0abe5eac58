import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { FilingLists, SpilledBytes } from '../../../../src/release/build/filings/filing-lists.ts';
import { ListCollector } from '../../../../src/release/build/filings/list-collector.ts';

const directory = mkdtempSync(join(tmpdir(), 'fin-lists-'));
afterAll(() => rmSync(directory, { recursive: true }));

function lists(spilled: readonly SpilledBytes[]): Pick<FilingLists, 'spilled' | 'insiders' | 'counts'> {
  const counts = { rows: 1, withTime: 1, oddHours: 0, insiderFilings: 0, trades: 0, undated: 0 };
  return { spilled, insiders: [], counts };
}

test('what companies leave is in its files in their order, also where it was more than waits in memory', () => {
  const collector = new ListCollector(directory);
  const long = new Uint8Array(9 * 1024 * 1024).fill(1);
  for (const value of [2, 3, 4]) {
    collector.append(
      lists([
        { folder: 'days', file: 8104, bytes: long },
        { folder: 'days', file: 8105, bytes: Uint8Array.of(value) },
        { folder: 'places', file: 0, bytes: Uint8Array.of(value, value) },
      ]),
    );
  }
  expect(collector.counts.rows).toBe(3);
  const [first, second, ...others] = collector.filesOf('days');
  expect([first?.number, second?.number, others]).toEqual([8104, 8105, []]);
  expect(readFileSync(first?.path ?? '').length).toBe(3 * long.length);
  expect([...readFileSync(second?.path ?? '')]).toEqual([2, 3, 4]);
  expect(collector.filesOf('places').map(({ path }) => [...readFileSync(path)])).toEqual([[2, 2, 3, 3, 4, 4]]);
});
