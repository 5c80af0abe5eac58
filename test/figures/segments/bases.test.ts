/** Periods of a series are comparable if their bases have the same number. The latest basis has the number 1. */
import { expect, test } from 'vitest';
import { buildSegmentSeries } from '../../../src/figures/segments/series.ts';
import { makeBreakdownFacts, makeFiscalCalendar, makeReport } from './filed-report.ts';

const REVENUE_CONCEPT = 'us-gaap:Revenues';
const CALENDAR = makeFiscalCalendar({
  2021: '2021-12-31',
  2022: '2022-12-31',
  2023: '2023-12-31',
  2024: '2024-12-31',
});
const makeYearBreakdown = (fiscalYear: number, members: Record<string, string>, total: string) =>
  makeBreakdownFacts(REVENUE_CONCEPT, 'geography', [`${fiscalYear}-01-01`, `${fiscalYear}-12-31`], members, total);
const listBases = (...reports: Parameters<typeof buildSegmentSeries>[0]) =>
  buildSegmentSeries(reports, CALENDAR)
    .filter(({ period }) => period === 'annual')
    .map(({ periods }) => periods.map(({ fiscalYear, basis }) => `${fiscalYear}: ${basis}`));

test("NVIDIA's years before Singapore became a member have an earlier basis than the years restated with Singapore", () => {
  const report2023 = makeReport(
    ['0001045810-24-000029', '10-K', '2024-02-21'],
    [
      ...makeYearBreakdown(2023, { 'country:US': '26966', 'country:SG': '6831', 'x:OtherMember': '27125' }, '60922'),
      ...makeYearBreakdown(2022, { 'country:US': '8292', 'country:SG': '2288', 'x:OtherMember': '16394' }, '26974'),
    ],
  );
  const report2022 = makeReport(
    ['0001045810-23-000017', '10-K', '2023-02-24'],
    [
      ...makeYearBreakdown(2022, { 'country:US': '8292', 'x:OtherMember': '18682' }, '26974'),
      ...makeYearBreakdown(2021, { 'country:US': '4349', 'x:OtherMember': '22565' }, '26914'),
    ],
  );
  expect(listBases(report2023, report2022)).toEqual([['2023: 1', '2022: 1', '2021: 2']]);
});

test('each restatement of members adds a basis, and repeated figures add none', () => {
  const makeAnnualReport = (fiscalYear: number, ...facts: ReturnType<typeof makeYearBreakdown>[]) =>
    makeReport([`0000000001-${fiscalYear - 1999}-000001`, '10-K', `${fiscalYear + 1}-02-01`], facts.flat());
  const makeTwoMemberFacts = (fiscalYear: number, a: string, b: string) =>
    makeYearBreakdown(fiscalYear, { 'x:AMember': a, 'x:BMember': b }, `${Number(a) + Number(b)}`);
  const report2023 = makeAnnualReport(2023, makeTwoMemberFacts(2023, '30', '70'), makeTwoMemberFacts(2022, '20', '70'));
  const repeatingReport2024 = makeAnnualReport(
    2024,
    makeTwoMemberFacts(2024, '40', '70'),
    makeTwoMemberFacts(2023, '30', '70'),
  );
  const recastingReport2024 = makeAnnualReport(
    2024,
    makeTwoMemberFacts(2024, '40', '70'),
    makeTwoMemberFacts(2023, '25', '75'),
  );
  expect(listBases(report2023, repeatingReport2024)).toEqual([['2024: 1', '2023: 1', '2022: 1']]);
  expect(listBases(report2023, recastingReport2024)).toEqual([['2024: 1', '2023: 1', '2022: 2']]);
  const report2022 = makeAnnualReport(2022, makeTwoMemberFacts(2022, '15', '75'), makeTwoMemberFacts(2021, '10', '75'));
  expect(listBases(report2022, report2023, recastingReport2024)).toEqual([
    ['2024: 1', '2023: 1', '2022: 2', '2021: 3'],
  ]);
});

test('if two reports have no common period, replaced members start a new basis, and an additional member does not', () => {
  const makeAnnualReport = (fiscalYear: number, members: Record<string, string>) =>
    makeReport(
      [`0000000001-${fiscalYear - 1999}-000001`, '10-K', `${fiscalYear + 1}-02-01`],
      makeYearBreakdown(fiscalYear, members, '100'),
    );
  const report2023 = makeAnnualReport(2023, { 'x:AMember': '60', 'x:BMember': '40' });
  expect(listBases(report2023, makeAnnualReport(2024, { 'x:AMember': '50', 'x:CMember': '50' }))).toEqual([
    ['2024: 1', '2023: 2'],
  ]);
  expect(
    listBases(report2023, makeAnnualReport(2024, { 'x:AMember': '50', 'x:BMember': '40', 'x:CMember': '10' })),
  ).toEqual([['2024: 1', '2023: 1']]);
});
