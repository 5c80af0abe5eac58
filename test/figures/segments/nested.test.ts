import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { nearlyEqual, sum } from '../../../src/contract/decimal.ts';
import { listFiles } from '../../../src/edgar/files/list-files.ts';
import { findReports } from '../../../src/edgar/reports/find-reports.ts';
import { ReportReader } from '../../../src/edgar/reports/report-reader.ts';
import { extractBreakdowns } from '../../../src/figures/segments/breakdowns.ts';
import { toLeafBreakdowns } from '../../../src/figures/segments/choose-breakdowns.ts';
import { buildSegmentSeries } from '../../../src/figures/segments/series.ts';
import { publicFile, testOn } from '../../public-files.ts';
import { at, calendarOf, fact, report } from './filed-report.ts';

const REVENUE = 'us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax';
const YEAR = ['2024-01-01', '2024-12-31'] as const;
const CALENDAR = calendarOf({ 2023: '2023-12-31', 2024: '2024-12-31' });
const SUB = 'us-gaap:SubsegmentsAxis';

const part = (millions: string, ...pairs: readonly string[]) => fact(REVENUE, YEAR, millions, at(...pairs));
const series = (...facts: readonly ReturnType<typeof fact>[]) =>
  buildSegmentSeries([report(['0000000001-25-000001', '10-K', '2025-02-14'], facts)], CALENDAR);
const valuesOf = (axis: string, ...facts: readonly ReturnType<typeof fact>[]) => {
  const axisSeries = series(...facts).filter((entry) => entry.axis === axis);
  return axisSeries.map(({ members }) => Object.fromEntries(members.map(({ member, values }) => [member, values[0]])));
};

test("products within portfolios of another axis are the company's products if they add up to its revenue", () => {
  const facts = [
    fact(REVENUE, YEAR, '100'),
    part('60', 'x:PortfolioAxis=x:ImmunologyMember', 'product=x:OneMember'),
    part('45', 'x:PortfolioAxis=x:ImmunologyMember', 'product=x:OneMember', 'geography=country:US'),
    part('15', 'x:PortfolioAxis=x:ImmunologyMember', 'product=x:OneMember', 'geography=us-gaap:NonUsMember'),
    // The member `x:TwoMember` is a product with sales in only one country.
    part('30', 'x:PortfolioAxis=x:OtherMember', 'product=x:TwoMember', 'geography=country:US'),
    part('10', 'product=x:RestMember'),
  ];
  expect(valuesOf('product', ...facts)).toEqual([
    { 'x:OneMember': '60000000', 'x:TwoMember': '30000000', 'x:RestMember': '10000000' },
  ]);
  const factsWithoutLast = facts.slice(0, -1);
  expect(valuesOf('product', ...factsWithoutLast)).toEqual([]);
  expect(valuesOf('product', ...facts.slice(1))).toEqual([]);
});

test('a product that would have to be summed gives no breakdown', () => {
  expect(
    valuesOf(
      'product',
      fact(REVENUE, YEAR, '100'),
      part('60', 'x:PortfolioAxis=x:AMember', 'product=x:OneMember'),
      part('30', 'x:PortfolioAxis=x:BMember', 'product=x:OneMember'),
      part('10', 'product=x:RestMember'),
    ),
  ).toEqual([]);
});

test('revenue with a direct breakdown is not replaced by a lesser concept within a customer type', () => {
  const premiums = (millions: string, ...pairs: readonly string[]) => ({
    ...part(millions, ...pairs),
    concept: 'us-gaap:PremiumsEarnedNet',
  });
  const segmentSeries = series(
    part('100'),
    part('80', 'segment=x:InsuranceMember'),
    part('70', 'segment=x:ServicesMember'),
    premiums('60'),
    premiums('50', 'srt:MajorCustomersAxis=x:ExternalMember', 'segment=x:InsuranceMember'),
    premiums('10', 'srt:MajorCustomersAxis=x:ExternalMember', 'segment=x:ServicesMember'),
  );
  expect(segmentSeries.map(({ concept }) => concept)).toEqual([REVENUE]);
});

test('members of the subsegments axis replace the segment that they divide', () => {
  const below = [
    part('50', 'segment=us-gaap:ReportableSegmentAggregationBeforeOtherOperatingSegmentMember', `${SUB}=x:AMember`),
    part('40', 'segment=us-gaap:ReportableSegmentAggregationBeforeOtherOperatingSegmentMember', `${SUB}=x:BMember`),
  ];
  const other = part('10', 'segment=us-gaap:AllOtherSegmentsMember');
  const all = part('90', 'segment=us-gaap:ReportableSegmentAggregationBeforeOtherOperatingSegmentMember');
  const total = fact(REVENUE, YEAR, '100');
  const expected = { 'x:AMember': '50000000', 'x:BMember': '40000000', 'us-gaap:AllOtherSegmentsMember': '10000000' };
  expect(valuesOf('segment', total, ...below, other)).toEqual([expected]);
  expect(valuesOf('segment', total, ...below, other, all)).toEqual([expected]);
});

test('segments reported directly are not divided, so that no part counts twice', () => {
  expect(
    valuesOf(
      'segment',
      fact(REVENUE, YEAR, '100'),
      part('60', 'segment=x:MedicineMember'),
      part('40', 'segment=x:DevicesMember'),
      part('35', 'segment=x:MedicineMember', `${SUB}=x:OncologyMember`),
      part('25', 'segment=x:MedicineMember', `${SUB}=x:ImmunologyMember`),
    ),
  ).toEqual([{ 'x:MedicineMember': '60000000', 'x:DevicesMember': '40000000' }]);
});

testOn(
  'instances.zip',
  'nested breakdowns of all available reports add up to the company, each member once',
  async () => {
    const files = (await listFiles(dirname(publicFile('instances.zip')))).filter(
      ({ name }) => name === 'instances.zip',
    );
    const reader = new ReportReader();
    const nested: Record<string, number> = {};
    for (const file of (await findReports(files)).reports) {
      const read = await reader.read(file);
      const { facts, ...rest } = read.report;
      const filing = {
        accession: file.path,
        form: '10-K',
        filed: '2026-01-01',
        labels: read.labels,
        cik: file.cik,
        document: file.path,
      };
      const leaves = toLeafBreakdowns(extractBreakdowns({ ...rest, facts, ...filing }));
      for (const { members, total, ...leaf } of leaves.filter((leaf) => leaf.isNested)) {
        expect(total).not.toBeNull();
        expect(nearlyEqual(sum([...members.values()]), total ?? '0', '0.005'), `${file.path} ${leaf.end}`).toBe(true);
        const direct = leaves.filter(
          (other) => other.axis === leaf.axis && other.concept === leaf.concept && !other.isNested,
        );
        expect(
          direct.some((other) => other.start === leaf.start && other.end === leaf.end && other.members.size > 1),
        ).toBe(false);
        const key = `${file.path} ${leaf.axis} ${leaf.measure}`;
        nested[key] = (nested[key] ?? 0) + 1;
      }
    }
    await reader.close();
    expect(nested).toEqual({
      'abbv-10-k-2025-02-14.html product revenue': 3,
      'jnj-10-k-2025-02-13.html product revenue': 3,
    });
  },
);
