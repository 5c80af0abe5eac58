import { expect, test } from 'vitest';
import type { MetricValue } from '../../src/contract/resources/metrics.ts';
import metrics from '../../src/questions/metrics.ts';
import { makeAppleFigure } from './envelopes.ts';
import { formatNotices, makeRecords, renderText, runWithData } from './result-of.ts';

const makeFigure = (
  key: string,
  label: string,
  end: string,
  value: string,
  overrides: Partial<MetricValue> = {},
): MetricValue =>
  makeAppleFigure({ metric_key: key, metric_label: label, end_date: end, value, period_kind: 'instant', ...overrides });

/** Latest figures. The newest is for 2025-12-31, so figures for periods before 2024-09-30 count as older. */
const LATEST_FIGURES = [
  makeFigure('revenue', 'Revenue', '2025-12-31', '81273000000', { statement: 'income' }),
  makeFigure('interest_income', 'Interest income', '2013-06-30', '677000000', { statement: 'income' }),
  makeFigure('assets', 'Total assets', '2024-09-30', '523013000000', { statement: 'balance' }),
  makeFigure('goodwill', 'Goodwill', '2024-09-29', '119374000000', { statement: 'balance' }),
];

const PUBLIC_FLOAT = makeFigure('public_float', 'Public float', '2024-06-30', '3100000000000', {
  statement: 'cover',
  read_from: {
    accession_number: '0000950170-25-100235',
    revision_rank: 1,
    kind: 'first',
    filed_at: '2025-07-30',
    form: '10-K',
  },
});

const runMetrics = (data: readonly MetricValue[], options: Readonly<Record<string, string>> = {}) =>
  runWithData(metrics, data, { options });

test('latest figures more than 15 months older than the newest are shown separately, with their dates', async () => {
  const result = await runMetrics([...LATEST_FIGURES, PUBLIC_FLOAT]);
  expect(
    renderText(result, null)
      .split('\n')
      .map((line) => line.split(/ {2,}/)[0]),
  ).toEqual([
    'Apple Inc. (AAPL): latest, in USD',
    '',
    'Income',
    'Revenue',
    'Balance sheet',
    'Total assets',
    'Cover page',
    'Public float',
    'Last reported for a period before 2024-09-30',
    'Interest income',
    'Goodwill',
    expect.stringContaining('B billion'),
    '',
  ]);
  expect(makeRecords(result).map((row) => [row.metric_key, row.older])).toEqual([
    ['revenue', false],
    ['interest_income', true],
    ['assets', false],
    ['goodwill', true],
    ['public_float', false],
  ]);
  expect(formatNotices(result)).toContain(
    '2 figures have values only for periods before 2024-09-30: interest_income (2013-06-30), goodwill (2024-09-29).',
  );
});

test('without older figures there is no separate table, and annual figures have no column "older"', async () => {
  const [newest] = LATEST_FIGURES as [MetricValue];
  expect(renderText(await runMetrics([newest]), null)).not.toContain('Last reported');
  const [row] = makeRecords(await runMetrics([newest], { period: 'annual' }));
  expect(row).toMatchObject({ metric_key: newest.metric_key });
  expect(row).not.toHaveProperty('older');
});
