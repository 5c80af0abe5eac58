/** Figures of the sample that are adjusted for splits: NVIDIA and Netflix split ten for one. */
import { expect, test } from 'vitest';
import type { MetricLineage, MetricRevision, MetricValue } from '../../../src/contract/resources/metrics.ts';
import type { ScreenRow } from '../../../src/contract/screen-row.ts';
import { selectSome } from '../../select-some.ts';
import { openSample } from '../sample.ts';

const JOINED_COLUMNS = 'eps_diluted,dividends_per_share,common_shares_outstanding';
const JOINED_DAY_COLUMNS = 'annual_end_date,shares_outstanding_end_date';

async function askScreenRows(query: string): Promise<readonly ScreenRow[]> {
  const { data } = await openSample().get<readonly ScreenRow[]>(
    'screen',
    `/v1/screen?limit=500&columns=${JOINED_COLUMNS},${JOINED_DAY_COLUMNS}${query}`,
  );
  return data;
}

const findRow = (rows: readonly ScreenRow[], ticker: string) => rows.find((row) => row.ticker === ticker);

test.each(['', '&as_of=2024-06-15', '&as_of=2024-09-15', '&as_of=2025-12-01'])(
  'cells have the values of split-adjusted metrics%s',
  async (day) => {
    let adjustedCount = 0;
    const pairs = pairRows(await askScreenRows(day), await askScreenRows(`${day}&split_adjusted=true`));
    for (const [filedRow, adjustedRow] of selectSome(pairs, 3)) {
      const changedKeys = JOINED_COLUMNS.split(',').filter((key) => filedRow[key] !== adjustedRow[key]);
      adjustedCount += changedKeys.length;
      const target = `/v1/securities/${filedRow.ticker}/metrics?keys=${JOINED_COLUMNS}&period=all&collapse=true&limit=5000&split_adjusted=true`;
      const { data } = await openSample().get<readonly MetricValue[]>('metrics', `${target}${day}`);
      for (const key of JOINED_COLUMNS.split(',')) {
        const endDate =
          adjustedRow[key === 'common_shares_outstanding' ? 'shares_outstanding_end_date' : 'annual_end_date'];
        const values = data.filter(
          (value) =>
            value.metric_key === key &&
            value.end_date === endDate &&
            ['annual', 'instant'].includes(value.period_kind) &&
            value.split_ratio !== null,
        );
        if (adjustedRow[key] === null) expect(filedRow[key] === null || values.length === 0).toBe(true);
        else expect(values.map(({ value }) => value)).toContain(adjustedRow[key]);
      }
    }
    if (day === '&as_of=2024-09-15') expect(adjustedCount).toBeGreaterThan(1);
  },
);

test('per-share figures filed before a split are adjusted for the split, also in filters', async () => {
  const dayParameter = '&as_of=2024-09-15';
  expect(findRow(await askScreenRows(dayParameter), 'NVDA')).toMatchObject({
    eps_diluted: '11.93',
    dividends_per_share: '0.16',
  });
  const expectedShares = { common_shares_outstanding: '24530000000' };
  const adjustedFigures = { eps_diluted: '1.193', dividends_per_share: '0.016', ...expectedShares };
  expect(findRow(await askScreenRows(`${dayParameter}&split_adjusted=true`), 'NVDA')).toMatchObject(adjustedFigures);
  // As of a day before the split, figures are not adjusted for it.
  expect(findRow(await askScreenRows('&as_of=2024-03-01&split_adjusted=true'), 'NVDA')).toMatchObject({
    eps_diluted: '11.93',
  });
  const filterQuery = `${dayParameter}&where=eps_diluted:gt:1.1&where=eps_diluted:lt:1.2`;
  expect(findRow(await askScreenRows(filterQuery), 'NVDA')).toBeUndefined();
  expect(findRow(await askScreenRows(`${filterQuery}&split_adjusted=true`), 'NVDA')).toMatchObject(adjustedFigures);
});

test('with split_adjusted, revisions and lineage are adjusted for all splits, and raw values are as filed', async () => {
  const target = '/v1/securities/NVDA/metrics/eps_diluted';
  const { data: revisions } = await openSample().get<readonly MetricRevision[]>(
    'revisions',
    `${target}/revisions?fiscal_year=2020&split_adjusted=true&limit=500`,
  );
  const annualRevisions = revisions.filter(({ fiscal_period: period }) => period === 'FY');
  expect(
    annualRevisions.map(({ kind, value, previous_value: previous, adjustment_ratio: ratio }) => [
      kind,
      value,
      previous,
      ratio,
    ]),
  ).toEqual([
    ['first', '0.113', null, '40'],
    ['same', '0.113', '0.113', '40'],
    ['re_expressed', '0.113', '0.113', '10'],
  ]);
  const { data: lineage } = await openSample().get<readonly MetricLineage[]>(
    'lineage',
    `${target}/lineage?split_adjusted=true&limit=500`,
  );
  const thirdQuarterLineage = lineage.find(
    ({ fiscal_year: fiscalYear, fiscal_period: period }) => fiscalYear === 2020 && period === 'Q3',
  );
  expect(thirdQuarterLineage).toMatchObject({ metric_value: '0.03625', raw_value: '1.45', split_ratio: '40' });
  const { data: unadjustedRows } = await openSample().get<readonly MetricLineage[]>('lineage', `${target}/lineage`);
  expect(unadjustedRows[0]).not.toHaveProperty('split_ratio');
});

function pairRows<A>(left: readonly A[], right: readonly A[]): (readonly [A, A])[] {
  expect(right.length).toBe(left.length);
  return left.map((item, index) => [item, right[index] as A] as const);
}

test('as of a day, a ratio is known only if filings had proven by then that the report is before the split', async () => {
  const readQuarter = async (day: string) => {
    const target = `/v1/securities/NVDA/metrics?keys=eps_diluted&period=quarterly&split_adjusted=true&as_of=${day}`;
    const { data } = await openSample().get<readonly MetricValue[]>('metrics', target);
    const quarter = data.find(({ end_date: end }) => end === '2024-04-28');
    return [quarter?.value, quarter?.split_ratio, quarter?.read_from?.filed_at];
  };
  // The first report of the quarter was filed nine days before the split. The report of May 2025 restates the quarter.
  expect(await readQuarter('2025-05-27')).toEqual(['5.98', null, '2024-05-29']);
  expect(await readQuarter('2025-05-28')).toEqual(['0.6', '1', '2025-05-28']);
});
