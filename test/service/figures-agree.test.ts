import { expect, test } from 'vitest';
import { METRIC_KEYS } from '../../src/contract/figures.ts';
import type { MetricRevision, MetricValue } from '../../src/contract/resources/metrics.ts';
import { ADDED_COLUMNS } from '../../src/contract/screen-columns.ts';
import type { ScreenRow } from '../../src/contract/screen-row.ts';
import { toFigureFields, toFigureValue } from '../../src/figures/derived/figure.ts';
import { collectQuarterStarts } from '../../src/figures/figure-values.ts';
import { selectCompanyFigures } from '../../src/service/handlers/metrics/company-figures.ts';
import { SCREEN } from '../../src/store/schema/screen.ts';
import { COMPARED_KEYS, listDisagreements } from '../figures/screen-agreement.ts';
import { countSome, selectSome } from '../select-some.ts';
import { openSample } from './sample.ts';

const sample = openSample();

test('metrics and the screener agree on companies of the sample', async () => {
  const { data: defaultRows } = await sample.get<ScreenRow[]>('screen', '/v1/screen?limit=500');
  const addedColumnsPath = `/v1/screen?limit=500&columns=${[...ADDED_COLUMNS].filter((name) => sample.release.includes(SCREEN, name))}`;
  const { data: addedRows } = await sample.get<ScreenRow[]>('screen', addedColumnsPath);
  const rows = defaultRows.map((row) => ({ ...addedRows.find(({ cik }) => cik === row.cik), ...row }));
  expect(rows.length).toBeGreaterThan(50);
  // Releases of an earlier layout have changes of other counts, without their dates.
  const hasShareChangeDates = sample.release.includes(SCREEN, 'shares_change_end_date');
  const disagreementTexts: string[] = [];
  for (const row of selectSome(rows, 3)) {
    const { currentFigures } = await selectCompanyFigures(sample.release, row.cik, { keys: COMPARED_KEYS });
    const figures = currentFigures.map(toFigureValue).map(({ metricKey, ...value }) => ({ key: metricKey, ...value }));
    const getCellText = (column: string) => (row[column] == null ? null : String(row[column]));
    for (const disagreement of listDisagreements(getCellText, figures))
      if (hasShareChangeDates || !disagreement.startsWith('shares_change'))
        disagreementTexts.push(`${row.ticker}: ${disagreement}`);
  }
  expect(disagreementTexts).toEqual([]);
});

test('shares_change is the change from one annual cover to the next, also as of a day', async () => {
  const path = '/v1/securities/AAPL/metrics?keys=shares_change,common_shares_outstanding';
  const { data: latest } = await sample.get<MetricValue[]>('metrics', path);
  const [shareCount, sharesChange] = latest;
  // The newest count is that of a quarterly report.
  expect([shareCount, sharesChange]).toMatchObject([
    { unit: 'shares', fiscal_period: 'Q2' },
    { unit: 'pure', fiscal_period: 'FY', end_date: '2025-10-17', value: '-0.0224579237' },
  ]);
  const { data: pastValues } = await sample.get<MetricValue[]>('metrics', `${path}&as_of=2025-11-15`);
  expect(pastValues.map(({ end_date: end, value }) => [end, value])).toEqual([
    ['2025-10-17', '14776353000'],
    ['2025-10-17', '-0.0224579237'],
  ]);
});

test('every share count in revisions is also in metrics', async () => {
  const { data: rows } = await sample.get<ScreenRow[]>('screen', '/v1/screen?limit=500');
  const missingShareCounts: string[] = [];
  let revisionCount = 0;
  for (const { ticker } of selectSome(rows, 3)) {
    const path = `/v1/securities/${ticker}/metrics`;
    const shareCountKey = 'common_shares_outstanding';
    const { data: values } = await sample.get<MetricValue[]>(
      'metrics',
      `${path}?keys=${shareCountKey}&period=all&limit=5000`,
    );
    const { data: revisions } = await sample.get<MetricRevision[]>(
      'revisions',
      `${path}/${shareCountKey}/revisions?limit=500`,
    );
    const valueIds = new Set(values.map((value) => value.metric_value_id));
    revisionCount += revisions.length;
    for (const row of revisions)
      if (!valueIds.has(row.metric_value_id)) missingShareCounts.push(`${ticker} ${row.end_date} ${row.kind}`);
  }
  expect(missingShareCounts).toEqual([]);
  expect(revisionCount).toBeGreaterThan(countSome(300, 1000));
});

test('a figure is the same whether one metric or all metrics are requested, also as of a day', async () => {
  // For some quarters of Goldman Sachs's share-based compensation, only other metrics show when the quarter starts.
  const goldmanCik = 886982;
  const asOf = '2019-08-05';
  const { currentFigures: allFigures } = await selectCompanyFigures(sample.release, goldmanCik, { asOf });
  expect(allFigures.length).toBeGreaterThan(100);
  for (const key of METRIC_KEYS) {
    const { currentFigures: figuresOfMetric } = await selectCompanyFigures(sample.release, goldmanCik, {
      asOf,
      keys: [key],
    });
    expect(figuresOfMetric.map(toFigureFields)).toEqual(
      allFigures.filter((figure) => figure.metricKey === key).map(toFigureFields),
    );
  }
});

test('the stored starts of quarters equal those derived from all reported values, also as of a day', async () => {
  const { data: rows } = await sample.get<ScreenRow[]>('screen', '/v1/screen?limit=500');
  let quarterCount = 0;
  for (const { cik } of rows.filter((_, index) => index % 9 === 0)) {
    const values = await sample.release.reportedValues(cik);
    for (const day of [null, '2012-05-01', '2019-08-05']) {
      const storedQuarterStarts = await sample.release.quarterStarts(cik, day);
      expect(storedQuarterStarts).toEqual(collectQuarterStarts(values, day));
      quarterCount += storedQuarterStarts.size;
    }
  }
  expect(quarterCount).toBeGreaterThan(500);
});
