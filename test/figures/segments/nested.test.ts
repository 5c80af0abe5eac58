import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { isNearlyEqual, sum } from '../../../src/contract/decimal.ts';
import { listFiles } from '../../../src/edgar/files/list-files.ts';
import { findReports, ReportReader } from '../../../src/edgar/reports/report-files.ts';
import { extractBreakdowns } from '../../../src/figures/segments/breakdowns.ts';
import { buildSegmentSeries, toLeafBreakdowns } from '../../../src/figures/segments/series.ts';
import { getPublicFilePath, testWithPublicFile } from '../../public-files.ts';
import { makeFact, makeFiscalCalendar, makeReport, parseDimensions } from './filed-report.ts';

const REVENUE_CONCEPT = 'us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax';
const YEAR_DATES = ['2024-01-01', '2024-12-31'] as const;
const CALENDAR = makeFiscalCalendar({ 2023: '2023-12-31', 2024: '2024-12-31' });
const SUBSEGMENTS_AXIS = 'us-gaap:SubsegmentsAxis';

const makeRevenueFact = (amountInMillions: string, ...pairs: readonly string[]) =>
  makeFact(REVENUE_CONCEPT, YEAR_DATES, amountInMillions, parseDimensions(...pairs));
const buildSeries = (...facts: readonly ReturnType<typeof makeFact>[]) =>
  buildSegmentSeries([makeReport(['0000000001-25-000001', '10-K', '2025-02-14'], facts)], CALENDAR);
const listMemberValues = (axis: string, ...facts: readonly ReturnType<typeof makeFact>[]) => {
  const axisSeries = buildSeries(...facts).filter((entry) => entry.axis === axis);
  return axisSeries.map(({ members }) => Object.fromEntries(members.map(({ member, values }) => [member, values[0]])));
};

test("products within portfolios of another axis are the company's products if they add up to its revenue", () => {
  const facts = [
    makeFact(REVENUE_CONCEPT, YEAR_DATES, '100'),
    makeRevenueFact('60', 'x:PortfolioAxis=x:ImmunologyMember', 'product=x:OneMember'),
    makeRevenueFact('45', 'x:PortfolioAxis=x:ImmunologyMember', 'product=x:OneMember', 'geography=country:US'),
    makeRevenueFact('15', 'x:PortfolioAxis=x:ImmunologyMember', 'product=x:OneMember', 'geography=us-gaap:NonUsMember'),
    // The member `x:TwoMember` is a product with sales in only one country.
    makeRevenueFact('30', 'x:PortfolioAxis=x:OtherMember', 'product=x:TwoMember', 'geography=country:US'),
    makeRevenueFact('10', 'product=x:RestMember'),
  ];
  expect(listMemberValues('product', ...facts)).toEqual([
    { 'x:OneMember': '60000000', 'x:TwoMember': '30000000', 'x:RestMember': '10000000' },
  ]);
  const factsWithoutRest = facts.slice(0, -1);
  expect(listMemberValues('product', ...factsWithoutRest)).toEqual([]);
  expect(listMemberValues('product', ...facts.slice(1))).toEqual([]);
});

test('a product with amounts in two portfolios, which would have to be summed, gives no breakdown', () => {
  expect(
    listMemberValues(
      'product',
      makeFact(REVENUE_CONCEPT, YEAR_DATES, '100'),
      makeRevenueFact('60', 'x:PortfolioAxis=x:AMember', 'product=x:OneMember'),
      makeRevenueFact('30', 'x:PortfolioAxis=x:BMember', 'product=x:OneMember'),
      makeRevenueFact('10', 'product=x:RestMember'),
    ),
  ).toEqual([]);
});

test('premiums by segment within a customer type do not replace revenue that has a direct breakdown by segment', () => {
  const makePremiumFact = (millions: string, ...pairs: readonly string[]) => ({
    ...makeRevenueFact(millions, ...pairs),
    concept: 'us-gaap:PremiumsEarnedNet',
  });
  const segmentSeries = buildSeries(
    makeRevenueFact('100'),
    makeRevenueFact('80', 'segment=x:InsuranceMember'),
    makeRevenueFact('70', 'segment=x:ServicesMember'),
    makePremiumFact('60'),
    makePremiumFact('50', 'srt:MajorCustomersAxis=x:ExternalMember', 'segment=x:InsuranceMember'),
    makePremiumFact('10', 'srt:MajorCustomersAxis=x:ExternalMember', 'segment=x:ServicesMember'),
  );
  expect(segmentSeries.map(({ concept }) => concept)).toEqual([REVENUE_CONCEPT]);
});

test('members of the subsegments axis are rows below the segment that they divide', () => {
  const subsegmentFacts = [
    makeRevenueFact(
      '50',
      'segment=us-gaap:ReportableSegmentAggregationBeforeOtherOperatingSegmentMember',
      `${SUBSEGMENTS_AXIS}=x:AMember`,
    ),
    makeRevenueFact(
      '40',
      'segment=us-gaap:ReportableSegmentAggregationBeforeOtherOperatingSegmentMember',
      `${SUBSEGMENTS_AXIS}=x:BMember`,
    ),
  ];
  const otherSegmentFact = makeRevenueFact('10', 'segment=us-gaap:AllOtherSegmentsMember');
  const aggregateSegmentFact = makeRevenueFact(
    '90',
    'segment=us-gaap:ReportableSegmentAggregationBeforeOtherOperatingSegmentMember',
  );
  const totalFact = makeFact(REVENUE_CONCEPT, YEAR_DATES, '100');
  const expectedValues = {
    'x:AMember': '50000000',
    'x:BMember': '40000000',
    'us-gaap:AllOtherSegmentsMember': '10000000',
  };
  expect(listMemberValues('segment', totalFact, ...subsegmentFacts, otherSegmentFact)).toEqual([expectedValues]);
  expect(listMemberValues('segment', totalFact, ...subsegmentFacts, otherSegmentFact, aggregateSegmentFact)).toEqual([
    { ...expectedValues, 'us-gaap:ReportableSegmentAggregationBeforeOtherOperatingSegmentMember': '90000000' },
  ]);
  const [series] = buildSeries(totalFact, ...subsegmentFacts, otherSegmentFact, aggregateSegmentFact);
  expect(series?.members.map(({ label, parent }) => [label, parent])).toEqual([
    ['Reportable segments', null],
    ['A', 'us-gaap:ReportableSegmentAggregationBeforeOtherOperatingSegmentMember'],
    ['B', 'us-gaap:ReportableSegmentAggregationBeforeOtherOperatingSegmentMember'],
    ['All Other', null],
  ]);
});

test('subsegments of segments reported directly are their parts, so that no amount counts twice', () => {
  const [series] = buildSeries(
    makeFact(REVENUE_CONCEPT, YEAR_DATES, '100'),
    makeRevenueFact('60', 'segment=x:MedicineMember'),
    makeRevenueFact('40', 'segment=x:DevicesMember'),
    makeRevenueFact('35', 'segment=x:MedicineMember', `${SUBSEGMENTS_AXIS}=x:OncologyMember`),
    makeRevenueFact('25', 'segment=x:MedicineMember', `${SUBSEGMENTS_AXIS}=x:ImmunologyMember`),
  );
  expect(series?.members.map(({ label, parent, values }) => [label, parent, values[0]])).toEqual([
    ['Medicine', null, '60000000'],
    ['Oncology', 'x:MedicineMember', '35000000'],
    ['Immunology', 'x:MedicineMember', '25000000'],
    ['Devices', null, '40000000'],
  ]);
});

testWithPublicFile(
  'instances.zip',
  'nested breakdowns in real reports add up to the company total, and exist only if there is no direct breakdown',
  async () => {
    const instancesZipFiles = (await listFiles(dirname(getPublicFilePath('instances.zip')))).filter(
      ({ name }) => name === 'instances.zip',
    );
    const reader = new ReportReader();
    const nestedBreakdownCountByKey: Record<string, number> = {};
    for (const file of (await findReports(instancesZipFiles)).reports) {
      const parsedFile = await reader.read(file);
      const { facts, ...otherFields } = parsedFile.report;
      const filing = {
        accession: file.path,
        form: '10-K',
        filed: '2026-01-01',
        labels: parsedFile.labels,
        cik: file.cik,
        document: file.path,
      };
      const leafBreakdowns = toLeafBreakdowns(extractBreakdowns({ ...otherFields, facts, ...filing }));
      for (const { members, total, ...leaf } of leafBreakdowns.filter((leaf) => leaf.isNested)) {
        expect(total).not.toBeNull();
        expect(isNearlyEqual(sum([...members.values()]), total ?? '0', '0.005'), `${file.path} ${leaf.end}`).toBe(true);
        const directBreakdowns = leafBreakdowns.filter(
          (other) => other.axis === leaf.axis && other.concept === leaf.concept && !other.isNested,
        );
        expect(
          directBreakdowns.some(
            (other) => other.start === leaf.start && other.end === leaf.end && other.members.size > 1,
          ),
        ).toBe(false);
        const key = `${file.path} ${leaf.axis} ${leaf.measure}`;
        nestedBreakdownCountByKey[key] = (nestedBreakdownCountByKey[key] ?? 0) + 1;
      }
    }
    await reader.close();
    expect(nestedBreakdownCountByKey).toEqual({
      'abbv-10-k-2025-02-14.html product revenue': 3,
      'jnj-10-k-2025-02-13.html product revenue': 3,
    });
  },
);
