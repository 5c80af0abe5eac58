import { expect, test } from 'vitest';
import type { LookUp } from '../../src/ask/command/command.ts';
import type { MetricValue } from '../../src/contract/resources/metrics.ts';
import { type LaterReportsQuery, makeLaterReportsNotices } from '../../src/questions/reports/report-notices.ts';
import { META, makeAppleFigure } from './envelopes.ts';
import { formatNotices } from './result-of.ts';

const findNotices = async (query: LaterReportsQuery, figures: readonly MetricValue[] | null, lookUpAnswer: LookUp) =>
  formatNotices({ notices: await makeLaterReportsNotices(query, figures, lookUpAnswer) });

const makeIncomeFigure = (end: string, statement = 'income') =>
  makeAppleFigure({ metric_key: 'revenue', metric_label: 'Revenue', value: '1', end_date: end, statement });

const makeFiling = (form: string, day: string | null, filed: string) => ({ form, report_date: day, filed_at: filed });

/** Microsoft's latest reports, newest first; the figures in the release end in December 2025. */
const REPORTS = [
  makeFiling('10-K', '2026-06-30', '2026-07-29'),
  makeFiling('10-Q', '2026-03-31', '2026-04-29'),
  makeFiling('10-Q', '2025-12-31', '2026-01-28'),
  makeFiling('10-K', null, '2025-07-30'),
];

/** Answers like the service: filings by form, and figures up to the end of 2025. */
const lookUp: LookUp = async (operation, parameters) => {
  const forms = parameters.find(([name]) => name === 'forms')?.[1].split(',') ?? [];
  const data =
    operation === 'filings' ? REPORTS.filter(({ form }) => forms.includes(form)) : [makeIncomeFigure('2025-12-31')];
  return { data, meta: META };
};

const latestQuery = { ticker: 'MSFT', period: 'latest' };

test('a notice names reports filed for later periods than the figures', async () => {
  expect(await findNotices(latestQuery, [makeIncomeFigure('2025-12-31')], lookUp)).toEqual([
    'The latest figures are for the period to 2025-12-31. Figures of later reports are not in this release: 2 reports, the latest a 10-K for 2026-06-30, filed ' +
      '2026-07-29. See: fin filings MSFT --forms 10-K,10-Q',
  ]);
  expect(await findNotices({ ...latestQuery, period: 'annual' }, [makeIncomeFigure('2025-06-30')], lookUp)).toEqual([
    'The latest figures are for the period to 2025-06-30. Figures of later reports are not in this release: a 10-K for 2026-06-30, filed 2026-07-29. ' +
      'See: fin filings MSFT --forms 10-K',
  ]);
});

test('as of a day, the notice names only reports filed by then', async () => {
  const findNoticesAsOf = (day: string) =>
    findNotices({ ...latestQuery, asOf: day }, [makeIncomeFigure('2025-12-31')], lookUp);
  expect(await findNoticesAsOf('2026-04-28')).toEqual([]);
  expect(await findNoticesAsOf('2026-04-29')).toEqual([
    expect.stringContaining('not in this release: a 10-Q for 2026-03-31, filed 2026-04-29'),
  ]);
});

test('as of a day in a long gap between reports, a notice names the filing dates before and after it', async () => {
  // Super Micro Computer filed its 10-K for the year to June 2017 in May 2019.
  const reports = [makeFiling('10-K', '2017-06-30', '2019-05-17'), makeFiling('10-Q', '2017-03-31', '2017-05-10')];
  const lookUpReports: LookUp = async () => ({ data: reports, meta: META });
  const findNoticesAsOf = (day?: string) =>
    findNotices({ ...latestQuery, asOf: day }, [makeIncomeFigure('2017-03-31')], lookUpReports);
  expect(await findNoticesAsOf('2019-03-01')).toEqual([
    'No annual or quarterly report is listed between 2017-05-10 and 2019-05-17. "fin screen --as-of <day>" leaves out companies whose last reported fiscal year ended more than 18 months before that day.',
  ]);
  const annualNotices = await findNotices(
    { ...latestQuery, period: 'annual', asOf: '2019-03-01' },
    [makeIncomeFigure('2016-06-30')],
    lookUpReports,
  );
  expect(annualNotices).toContainEqual(expect.stringContaining('No annual report is listed between'));
  expect(await findNoticesAsOf('2017-05-09')).toEqual([]);
  expect(await findNoticesAsOf('2019-05-17')).toEqual([expect.stringContaining('a 10-K for 2017-06-30')]);
  expect(await findNoticesAsOf()).toEqual([expect.stringContaining('a 10-K for 2017-06-30')]);
});

test('a report is not later if its period ends within days of the figures; the date of a cover page does not count', async () => {
  expect(await findNotices(latestQuery, [makeIncomeFigure('2026-06-30')], lookUp)).toEqual([]);
  expect(await findNotices(latestQuery, [makeIncomeFigure('2026-06-27')], lookUp)).toEqual([]);
  // The date of a cover page is not a period of figures.
  expect(
    await findNotices(latestQuery, [makeIncomeFigure('2025-12-31'), makeIncomeFigure('2026-07-20', 'cover')], lookUp),
  ).toHaveLength(1);
});

test('without given figures, the latest figures are looked up; if there are none, no notice is given', async () => {
  expect(await findNotices(latestQuery, null, lookUp)).toHaveLength(1);
  expect(await findNotices(latestQuery, null, async () => null)).toEqual([]);
  expect(await findNotices(latestQuery, [makeIncomeFigure('2025-12-31')], async () => null)).toEqual([]);
  expect(await findNotices(latestQuery, [], lookUp)).toEqual([]);
});

test('later reports beyond the first few are counted, and one request suffices if the first few include all', async () => {
  const reports = Array.from({ length: 9 }, (_, year) =>
    makeFiling('10-K', `${2026 - year}-06-30`, `${2026 - year}-07-29`),
  );
  const requestedLimits: number[] = [];
  const lookUpReports: LookUp = async (_, parameters) => {
    const limit = Number(parameters.find(([name]) => name === 'limit')?.[1]);
    requestedLimits.push(limit);
    return { data: reports.slice(0, limit), meta: META };
  };
  const findNoticesForPeriodTo = (end: string) => findNotices(latestQuery, [makeIncomeFigure(end)], lookUpReports);
  expect(await findNoticesForPeriodTo('2025-06-30')).toEqual([
    expect.stringContaining('not in this release: a 10-K for 2026-06-30'),
  ]);
  expect(requestedLimits).toEqual([6]);
  expect(await findNoticesForPeriodTo('2018-06-30')).toEqual([expect.stringContaining('8 reports, the latest a 10-K')]);
  expect(requestedLimits).toEqual([6, 6, 500]);
});
