/** Fiscal years and quarters of companies of the sample: their names are consecutive, and none vanishes from a table. */
import { expect, test } from 'vitest';
import type { MetricValue } from '../../src/contract/resources/metrics.ts';
import { countDaysBetween } from '../../src/platform/dates.ts';
import { addMissingPeriods, listCalendarPeriods, makePeriodColumns } from '../../src/questions/statements/periods.ts';
import { COMPANIES } from '../../src/store/schema/companies.ts';
import { selectSome } from '../select-some.ts';
import { openSample } from '../service/sample.ts';

const KEYS = ['revenue', 'net_income', 'eps_diluted', 'liabilities', 'operating_cash_flow', 'share_based_compensation'];
const COUNT = 40;

/** Position of a period among all years or quarters; null for a label that names neither. */
function readNumber(label: string): number | null {
  const [, quarter = '1', year] = /^(?:FY|Q([1-4]) )(\d{4})$/.exec(label) ?? [];
  if (year === undefined) return null;
  return label.startsWith('FY') ? Number(year) : Number(year) * 4 + Number(quarter);
}

const LENGTHS = { annual: [350, 380], quarterly: [80, 100] } as const;
const KINDS = { annual: 'annual', quarterly: 'quarter' } as const;

test.each(['annual', 'quarterly'] as const)('%s periods are consecutive, with and without values', async (period) => {
  const sample = openSample();
  const [shortest, longest] = LENGTHS[period];
  const faults: string[] = [];
  let periods = 0;
  for (const { cik } of selectSome(await sample.release.allOf(COMPANIES), 8)) {
    const path = `/v1/securities/CIK${cik}/metrics?period=${period}&keys=${KEYS}&collapse=true&limit=5000`;
    const { data } = await sample.get<MetricValue[]>('metrics', path);
    const choice = { kind: KINDS[period], count: COUNT, ttm: false };
    const calendar = listCalendarPeriods(data, choice);
    periods += calendar.length;
    for (const [index, { label, end }] of calendar.entries()) {
      const next = calendar[index - 1];
      if (next === undefined) continue;
      const days = countDaysBetween(end, next.end);
      const [number, nextNumber] = [readNumber(label), readNumber(next.label)];
      if (number === null || nextNumber === null || days < shortest || days > longest) continue;
      if (nextNumber !== number + 1)
        faults.push(`${cik}: ${label} to ${end} is followed by ${next.label} to ${next.end}`);
    }
    for (const key of KEYS) {
      const rows = data.filter(({ metric_key: metric }) => metric === key);
      if (rows.length === 0) continue;
      const labels = addMissingPeriods(makePeriodColumns(rows), calendar).map((column) => column.label);
      const missing = calendar.filter(({ label }) => !labels.includes(label));
      if (new Set(labels).size < labels.length) faults.push(`${cik}: ${key} has two columns of one name`);
      if (missing.length > 0) faults.push(`${cik}: ${key} has no ${missing.map(({ label }) => label).join(', ')}`);
    }
  }
  expect(faults).toEqual([]);
  expect(periods).toBeGreaterThan(300);
});
