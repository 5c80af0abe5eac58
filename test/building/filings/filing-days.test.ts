import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  getYearKeyOfDay,
  makeFilingDays,
  makeFilingDaysTasks,
  makeQuarterLines,
} from '../../../src/building/filings/filing-days.ts';
import { SliceWriter } from '../../../src/building/tasks/slices.ts';
import type { FilingRow } from '../../../src/store/schema/filings.ts';

const directory = mkdtempSync(join(tmpdir(), 'fin-days-'));
afterAll(() => rmSync(directory, { recursive: true }));

function createFiling(
  cik: number,
  accession: string,
  form: string,
  filed: string,
  acceptedAt: string | null,
): FilingRow {
  const emptyFields = { timing: null, primaryDocument: null, reportDate: null, periodEnd: null };
  return { cik, accession, form, filed, acceptedAt, items: '', fiscalYear: null, fiscalPeriod: null, ...emptyFields };
}

/** Writes the filings of each company, and runs the task of each year. */
async function runYearTasks(companies: readonly (readonly FilingRow[])[]) {
  const writer = new SliceWriter(join(directory, randomUUID()));
  for (const rows of companies) {
    for (const [quarter, line] of makeQuarterLines(rows, [])) writer.add(String(quarter), line);
  }
  const { path, pieces } = writer.finish();
  const quarters = pieces
    .map(({ group, ...piece }) => ({ number: Number(group), slices: [{ path, ...piece }] }))
    .sort((a, b) => a.number - b.number);
  return Promise.all(makeFilingDaysTasks(quarters).map(async (task) => ({ task, part: await makeFilingDays(task) })));
}

test('a task writes the days of a year in order, and counts a filing of two companies once, with the values of the first company', async () => {
  const sharedFiling = ['0000000009-26-000001', '8-K', '2026-03-02'] as const;
  const [year, ...otherYears] = await runYearTasks([
    [
      createFiling(1, '0000000001-26-000004', '4', '2026-10-01', null),
      createFiling(1, ...sharedFiling, '2026-03-02T16:00:00-05:00'),
      createFiling(1, '0000000001-26-000001', '4', '2026-03-02', null),
    ],
    [
      createFiling(2, '0000000002-26-000002', '10-Q', '2026-03-02', '2026-03-02T09:00:00-05:00'),
      createFiling(2, ...sharedFiling, null),
    ],
  ]);
  expect(otherYears).toEqual([]);
  expect(year?.task.yearKey).toBe(getYearKeyOfDay('2026-01-01'));
  const [days, forms, lines] = year?.part.parts.map(({ remainingRows: unencodedRows }) => unencodedRows.columns) ?? [];
  expect(year?.part.filings).toBe(4);
  expect(days).toEqual([
    ['2026-03-02', '2026-10-01'],
    [3, 1],
    [2, 1],
    ['2026-03-02T16:00:00-05:00', null],
  ]);
  expect(forms?.slice(1)).toEqual([
    ['10-Q', '4', '8-K', '4'],
    [1, 1, 1, 1],
  ]);
  expect(lines?.slice(1, 3)).toEqual([
    [2, 1],
    ['0000000002-26-000002', '0000000009-26-000001'],
  ]);
});

test('each year is a separate task', async () => {
  const yearResults = await runYearTasks([
    [
      createFiling(1, '0000000001-26-000001', '4', '2026-01-02', null),
      createFiling(1, '0000000001-25-000009', '4', '2025-12-31', null),
    ],
  ]);
  expect(yearResults.map(({ task, part }) => [task.yearKey, part.filings])).toEqual([
    [getYearKeyOfDay('2025-12-31'), 1],
    [getYearKeyOfDay('2026-01-02'), 1],
  ]);
});
