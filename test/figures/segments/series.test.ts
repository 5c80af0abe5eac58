import { expect, test } from 'vitest';
import type { SegmentSeries } from '../../../src/figures/segments/series.ts';
import { buildSegmentSeries } from '../../../src/figures/segments/series.ts';
import {
  makeBreakdownFacts,
  makeFact,
  makeFiscalCalendar,
  makeReport,
  OPERATING_SEGMENTS_DIMENSION,
  parseDimensions,
} from './filed-report.ts';

const REVENUE_CONCEPT = 'us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax';
const findSeries = (series: readonly SegmentSeries[], period: string, axis: string, measure = 'revenue') => {
  const match = series.find((entry) => entry.period === period && entry.axis === axis && entry.measure === measure);
  if (match === undefined) throw new Error(`no ${period} ${axis} ${measure}`);
  return match;
};
const groupValuesByMember = (series: SegmentSeries) =>
  Object.fromEntries(series.members.map(({ member, values }) => [member, values]));
const fromMillions = (...values: readonly (string | null)[]) =>
  values.map((value) => (value === null ? null : `${value}000000`));
/** Returns the sum of the rows that count toward the total: a parent with a value stands for its parts. */
const sumMembers = ({ members }: SegmentSeries, periodIndex: number) => {
  const isShown = (name: string | null) =>
    members.some((other) => other.member === name && other.role !== 'not_added' && other.values[periodIndex] != null);
  return members
    .filter(({ role, parent }) => role !== 'not_added' && !isShown(parent))
    .reduce((sum, member) => sum + BigInt(member.values[periodIndex] ?? '0'), 0n)
    .toString();
};

const APPLE_CALENDAR = makeFiscalCalendar({
  2021: '2021-09-25',
  2022: '2022-09-24',
  2023: '2023-09-30',
  2024: '2024-09-28',
  2025: '2025-09-27',
});

test("Apple's segments of fiscal 2025 add up to its revenue, although they are tagged as operating segments", () => {
  const yearDates = ['2024-09-29', '2025-09-27'] as const;
  const revenueBySegment = {
    Americas: '178353',
    Europe: '111032',
    GreaterChina: '64377',
    Japan: '28703',
    RestOfAsiaPacific: '33696',
  };
  const facts = Object.entries(revenueBySegment).map(([name, value]) =>
    makeFact(REVENUE_CONCEPT, yearDates, value, [
      OPERATING_SEGMENTS_DIMENSION,
      ...parseDimensions(`segment=aapl:${name}SegmentMember`),
    ]),
  );
  const annualReport = makeReport(
    ['0000320193-25-000079', '10-K', '2025-10-31'],
    [makeFact(REVENUE_CONCEPT, yearDates, '416161'), ...facts],
  );
  const series = findSeries(buildSegmentSeries([annualReport], APPLE_CALENDAR), 'annual', 'segment');
  expect(series.periods).toMatchObject([
    {
      fiscalYear: 2025,
      fiscalPeriod: 'FY',
      end: '2025-09-27',
      derived: false,
      total: '416161000000',
      accession: '0000320193-25-000079',
    },
  ]);
  expect(sumMembers(series, 0)).toBe('416161000000');
  expect(series.members.map(({ label }) => label)).toEqual([
    'Americas',
    'Europe',
    'Greater China',
    'Rest of Asia Pacific',
    'Japan',
  ]);
});

test("Apple's fourth quarter of 2024 by segment is the year less nine months, marked as derived", () => {
  const makeSegmentRevenues = (americas: string, europe: string, china: string, japan: string, restOfAsia: string) => ({
    'aapl:AmericasSegmentMember': americas,
    'aapl:EuropeSegmentMember': europe,
    'aapl:GreaterChinaSegmentMember': china,
    'aapl:JapanSegmentMember': japan,
    'aapl:RestOfAsiaPacificSegmentMember': restOfAsia,
  });
  const series = findSeries(
    buildSegmentSeries(
      [
        makeReport(
          ['0000320193-24-000123', '10-K', '2024-11-01'],
          makeBreakdownFacts(
            REVENUE_CONCEPT,
            'segment',
            ['2023-10-01', '2024-09-28'],
            makeSegmentRevenues('167045', '101328', '66952', '25052', '30658'),
            '391035',
          ),
        ),
        makeReport(
          ['0000320193-24-000081', '10-Q', '2024-08-02'],
          [
            ...makeBreakdownFacts(
              REVENUE_CONCEPT,
              'segment',
              ['2024-03-31', '2024-06-29'],
              makeSegmentRevenues('37678', '21884', '14728', '5097', '6390'),
              '85777',
            ),
            ...makeBreakdownFacts(
              REVENUE_CONCEPT,
              'segment',
              ['2023-10-01', '2024-06-29'],
              makeSegmentRevenues('125381', '76404', '51919', '19126', '23275'),
              '296105',
            ),
          ],
        ),
      ],
      APPLE_CALENDAR,
    ),
    'quarterly',
    'segment',
  );
  expect(series.periods.map((period) => [period.fiscalPeriod, period.derived, period.total, period.accession])).toEqual(
    [
      ['Q4', true, '94930000000', '0000320193-24-000123'],
      ['Q3', false, '85777000000', '0000320193-24-000081'],
    ],
  );
  expect(groupValuesByMember(series)['aapl:AmericasSegmentMember']).toEqual(fromMillions('41664', '37678'));
  expect(sumMembers(series, 0)).toBe('94930000000');
});

test('if no nine months are reported, the fourth quarter is the year less three consecutive quarters', () => {
  const makeTwoMemberAmounts = (a: string, b: string) => ({ 'x:AMember': a, 'x:BMember': b });
  const factsOfQuarters = [
    makeBreakdownFacts(
      REVENUE_CONCEPT,
      'segment',
      ['2023-10-01', '2023-12-30'],
      makeTwoMemberAmounts('10', '20'),
      '30',
    ),
    makeBreakdownFacts(
      REVENUE_CONCEPT,
      'segment',
      ['2023-12-31', '2024-03-30'],
      makeTwoMemberAmounts('11', '21'),
      '32',
    ),
    makeBreakdownFacts(
      REVENUE_CONCEPT,
      'segment',
      ['2024-03-31', '2024-06-29'],
      makeTwoMemberAmounts('12', '22'),
      '34',
    ),
  ];
  const yearFacts = makeBreakdownFacts(
    REVENUE_CONCEPT,
    'segment',
    ['2023-10-01', '2024-09-28'],
    makeTwoMemberAmounts('50', '80'),
    '130',
  );
  const annualReport = makeReport(['0000000001-24-000009', '10-K', '2024-11-01'], yearFacts);
  const quarterlyReports = factsOfQuarters.map((facts, index) =>
    makeReport([`0000000001-24-00000${index}`, '10-Q', '2024-08-01'], facts),
  );
  const series = findSeries(
    buildSegmentSeries([...quarterlyReports, annualReport], APPLE_CALENDAR),
    'quarterly',
    'segment',
  );
  expect(series.periods[0]).toMatchObject({ fiscalPeriod: 'Q4', derived: true, total: '34000000' });
  expect(groupValuesByMember(series)['x:AMember']?.[0]).toBe('17000000');
  const seriesWithGap = findSeries(
    buildSegmentSeries([...quarterlyReports.slice(1), annualReport], APPLE_CALENDAR),
    'quarterly',
    'segment',
  );
  expect(seriesWithGap.periods.map((period) => period.fiscalPeriod)).toEqual(['Q3', 'Q2']);
});

test('no fourth quarter is derived if the members changed, or if a member of it would be negative', () => {
  const makeNineMonthReport = (members: Record<string, string>) =>
    makeReport(
      ['0000000001-24-000001', '10-Q', '2024-08-01'],
      makeBreakdownFacts(REVENUE_CONCEPT, 'segment', ['2023-10-01', '2024-06-29'], members, '90'),
    );
  const annualReport = makeReport(
    ['0000000001-24-000002', '10-K', '2024-11-01'],
    makeBreakdownFacts(
      REVENUE_CONCEPT,
      'segment',
      ['2023-10-01', '2024-09-28'],
      { 'x:AMember': '50', 'x:BMember': '70' },
      '120',
    ),
  );
  const listQuarterlySeries = (...reports: Parameters<typeof buildSegmentSeries>[0]) =>
    buildSegmentSeries(reports, APPLE_CALENDAR).filter((entry) => entry.period === 'quarterly');
  expect(listQuarterlySeries(annualReport, makeNineMonthReport({ 'x:AMember': '40', 'x:BMember': '50' }))).toHaveLength(
    1,
  );
  expect(listQuarterlySeries(annualReport, makeNineMonthReport({ 'x:AMember': '40', 'x:CMember': '50' }))).toEqual([]);
  expect(
    listQuarterlySeries(annualReport, makeNineMonthReport({ 'x:AMember': '40', 'x:BMember': '30', 'x:CMember': '20' })),
  ).toEqual([]);
  expect(listQuarterlySeries(annualReport, makeNineMonthReport({ 'x:AMember': '60', 'x:BMember': '30' }))).toEqual([]);
});

test('if filings differ, the fourth quarter is derived from a year and nine months that filings of one fiscal year state', () => {
  const makeTwoMembers = (a: string, b: string) => ({ 'x:AMember': a, 'x:BMember': b });
  const nineMonthsDates = ['2023-10-01', '2024-06-29'] as const;
  const yearDates = ['2023-10-01', '2024-09-28'] as const;
  const originalReports = [
    makeReport(
      ['0000000001-24-000001', '10-Q', '2024-08-01'],
      makeBreakdownFacts(REVENUE_CONCEPT, 'segment', nineMonthsDates, makeTwoMembers('40', '50'), '90'),
    ),
    makeReport(
      ['0000000001-24-000002', '10-K', '2024-11-01'],
      makeBreakdownFacts(REVENUE_CONCEPT, 'segment', yearDates, makeTwoMembers('55', '65'), '120'),
    ),
  ];
  const recastNineMonthsReport = makeReport(
    ['0000000001-25-000001', '10-Q', '2025-08-01'],
    makeBreakdownFacts(REVENUE_CONCEPT, 'segment', nineMonthsDates, makeTwoMembers('45', '45'), '90'),
  );
  const recastAnnualReport = makeReport(
    ['0000000001-25-000002', '10-K', '2025-11-01'],
    makeBreakdownFacts(REVENUE_CONCEPT, 'segment', yearDates, makeTwoMembers('62', '58'), '120'),
  );
  const deriveQuarterValues = (...reports: Parameters<typeof buildSegmentSeries>[0]) =>
    buildSegmentSeries(reports, APPLE_CALENDAR)
      .filter((entry) => entry.period === 'quarterly')
      .map(groupValuesByMember);
  const originalQuarterValues = { 'x:AMember': fromMillions('15'), 'x:BMember': fromMillions('15') };
  const recastQuarterValues = { 'x:AMember': fromMillions('17'), 'x:BMember': fromMillions('13') };
  // No recast year was reported, only recast nine months. So the fourth quarter is the original year less the original
  // nine months.
  expect(deriveQuarterValues(...originalReports, recastNineMonthsReport)).toEqual([originalQuarterValues]);
  expect(deriveQuarterValues(...originalReports, recastNineMonthsReport, recastAnnualReport)).toEqual([
    recastQuarterValues,
  ]);
  // If the 10-K recasts the previous year, no fourth quarter is derived, because the 10-Q recasts nothing.
  const previousYearDates = ['2022-10-02', '2023-09-30'] as const;
  const previousAnnualReport = makeReport(
    ['0000000001-23-000002', '10-K', '2023-11-01'],
    makeBreakdownFacts(REVENUE_CONCEPT, 'segment', previousYearDates, makeTwoMembers('60', '40'), '100'),
  );
  const [, tenK] = originalReports;
  const reportRecastingPreviousYear = {
    ...originalReports[1],
    facts: [
      ...(tenK?.facts ?? []),
      ...makeBreakdownFacts(REVENUE_CONCEPT, 'segment', previousYearDates, makeTwoMembers('30', '70'), '100'),
    ],
  };
  expect(deriveQuarterValues(previousAnnualReport, ...originalReports)).toEqual([originalQuarterValues]);
  expect(
    deriveQuarterValues(
      previousAnnualReport,
      ...originalReports.slice(0, 1),
      reportRecastingPreviousYear as (typeof originalReports)[number],
    ),
  ).toEqual([]);
  // The recast year is chosen, but no recast nine months were reported, so the fourth quarter is unknown.
  expect(deriveQuarterValues(...originalReports, recastAnnualReport)).toEqual([]);
});

test('a prospectus adds no segment series, but a current report does', () => {
  const facts = makeBreakdownFacts(
    REVENUE_CONCEPT,
    'segment',
    ['2022-10-01', '2023-09-30'],
    { 'x:AMember': '60', 'x:BMember': '40' },
    '100',
  );
  expect(
    buildSegmentSeries([makeReport(['0000000001-23-000001', 'S-1', '2023-11-01'], facts)], APPLE_CALENDAR),
  ).toEqual([]);
  expect(
    buildSegmentSeries([makeReport(['0000000001-23-000001', '8-K', '2023-11-01'], facts)], APPLE_CALENDAR),
  ).toHaveLength(1);
});

test('a breakdown keeps all of its many members if no member is a sum of others', () => {
  const members = Object.fromEntries(
    Array.from({ length: 28 }, (_, index) => [`x:M${index}Member`, String(1009 * (index + 3))]),
  );
  const facts = ['2022', '2023'].flatMap((year) =>
    makeBreakdownFacts(REVENUE_CONCEPT, 'geography', [`${year}-01-01`, `${year}-12-31`], members, '999983'),
  );
  const series = buildSegmentSeries(
    [makeReport(['0000000001-24-000001', '10-K', '2024-02-01'], facts)],
    makeFiscalCalendar({ 2022: '2022-12-31', 2023: '2023-12-31' }),
  );
  expect(series[0]?.members).toHaveLength(28);
});

const MICROSOFT_CALENDAR = makeFiscalCalendar({ 2021: '2021-06-30', 2022: '2022-06-30', 2023: '2023-06-30' });

test("Microsoft's Product and Service are not added to the nine product lines, whose sum is the same total", () => {
  const makeProductLines = (product: string, service: string, ...values: readonly string[]) =>
    Object.fromEntries([
      ['us-gaap:ProductMember', product],
      ['us-gaap:ServiceOtherMember', service],
      ...[
        'ServerProductsAndCloudServices',
        'OfficeProductsAndCloudServices',
        'Windows',
        'Gaming',
        'LinkedInCorporation',
        'SearchAdvertising',
        'EnterpriseServices',
        'Devices',
        'OtherProductsAndServices',
      ].map((name, index) => [`msft:${name}Member`, values[index] ?? '0']),
    ]);
  const facts = [
    ...makeBreakdownFacts(
      REVENUE_CONCEPT,
      'product',
      ['2022-07-01', '2023-06-30'],
      makeProductLines('64699', '147216', '79970', '48728', '21507', '15466', '15145', '12208', '7722', '5521', '5648'),
      '211915',
    ),
    ...makeBreakdownFacts(
      REVENUE_CONCEPT,
      'product',
      ['2021-07-01', '2022-06-30'],
      makeProductLines('72732', '125538', '67321', '44862', '24761', '16230', '13816', '11591', '7407', '6991', '5291'),
      '198270',
    ),
  ];
  const series = findSeries(
    buildSegmentSeries([makeReport(['0000950170-23-035122', '10-K', '2023-07-27'], facts)], MICROSOFT_CALENDAR),
    'annual',
    'product',
  );
  expect(series.members.filter(({ role }) => role === 'member')).toHaveLength(9);
  expect(series.members.filter(({ role }) => role !== 'member')).toMatchObject([
    { member: 'us-gaap:ServiceOtherMember', parent: null, role: 'not_added' },
    { member: 'us-gaap:ProductMember', parent: null, role: 'not_added' },
  ]);
  expect([sumMembers(series, 0), sumMembers(series, 1)]).toEqual(['211915000000', '198270000000']);
});

test('a subtotal is a row above its parts even if the members do not add up to the total', () => {
  const facts = [
    ...makeBreakdownFacts(
      REVENUE_CONCEPT,
      'geography',
      ['2022-10-01', '2023-09-30'],
      { 'srt:EuropeMember': '31877', 'country:DE': '18342', 'country:FR': '13535', 'country:JP': '5077' },
      '99000',
    ),
    ...makeBreakdownFacts(
      REVENUE_CONCEPT,
      'geography',
      ['2021-09-26', '2022-09-24'],
      { 'srt:EuropeMember': '29116', 'country:DE': '17004', 'country:FR': '12112', 'country:JP': '4980' },
      '91000',
    ),
  ];
  const series = findSeries(
    buildSegmentSeries([makeReport(['0000000001-23-000001', '10-K', '2023-11-01'], facts)], APPLE_CALENDAR),
    'annual',
    'geography',
  );
  expect(series.members.map(({ label, parent }) => [label, parent])).toEqual([
    ['Europe', null],
    ['Germany', 'srt:EuropeMember'],
    ['France', 'srt:EuropeMember'],
    ['Japan', null],
  ]);
});

test('a member with few digits stays a member even if it equals a sum of others, because that may be a coincidence', () => {
  const facts = makeBreakdownFacts(
    REVENUE_CONCEPT,
    'segment',
    ['2022-10-01', '2023-09-30'],
    { 'x:AMember': '3', 'x:BMember': '1', 'x:CMember': '2' },
    '9',
  );
  const series = findSeries(
    buildSegmentSeries([makeReport(['0000000001-23-000001', '10-K', '2023-11-01'], facts)], APPLE_CALENDAR),
    'annual',
    'segment',
  );
  expect(series.members).toHaveLength(3);
});

test('a restated year is shown as the latest filing states it, and the years form one series', () => {
  const originalReport = makeReport(
    ['0000000001-23-000001', '10-K', '2023-11-01'],
    [
      ...makeBreakdownFacts(
        REVENUE_CONCEPT,
        'segment',
        ['2022-10-01', '2023-09-30'],
        { 'x:AlphaMember': '70', 'x:BetaMember': '30' },
        '100',
      ),
      ...makeBreakdownFacts(
        REVENUE_CONCEPT,
        'segment',
        ['2021-09-26', '2022-09-24'],
        { 'x:AlphaMember': '60', 'x:BetaMember': '20' },
        '80',
      ),
    ],
  );
  const recastReport = makeReport(
    ['0000000001-24-000001', '10-K', '2024-11-01'],
    [
      ...makeBreakdownFacts(
        REVENUE_CONCEPT,
        'segment',
        ['2023-10-01', '2024-09-28'],
        { 'x:AlphaSegmentMember': '55', 'x:GammaMember': '65' },
        '120',
      ),
      ...makeBreakdownFacts(
        REVENUE_CONCEPT,
        'segment',
        ['2022-10-01', '2023-09-30'],
        { 'x:AlphaSegmentMember': '45', 'x:GammaMember': '55' },
        '100',
      ),
    ],
  );
  const series = findSeries(buildSegmentSeries([originalReport, recastReport], APPLE_CALENDAR), 'annual', 'segment');
  expect(series.periods.map((period) => [period.fiscalYear, period.accession.slice(11)])).toEqual([
    [2024, '24-000001'],
    [2023, '24-000001'],
    [2022, '23-000001'],
  ]);
  expect(groupValuesByMember(series)).toEqual({
    'x:GammaMember': fromMillions('65', '55', null),
    'x:AlphaSegmentMember': fromMillions('55', '45', '60'),
    'x:BetaMember': fromMillions(null, null, '20'),
  });
});

test('a later filing with a single member does not replace the breakdown', () => {
  const completeReport = makeReport(
    ['0000000001-23-000001', '10-K', '2023-11-01'],
    makeBreakdownFacts(
      REVENUE_CONCEPT,
      'geography',
      ['2022-10-01', '2023-09-30'],
      { 'country:US': '60', 'us-gaap:NonUsMember': '40' },
      '100',
    ),
  );
  const singleMemberReport = makeReport(
    ['0000000001-24-000001', '10-K', '2024-11-01'],
    makeBreakdownFacts(REVENUE_CONCEPT, 'geography', ['2022-10-01', '2023-09-30'], { 'country:US': '61' }, '100'),
  );
  const series = findSeries(
    buildSegmentSeries([completeReport, singleMemberReport], APPLE_CALENDAR),
    'annual',
    'geography',
  );
  expect(series.periods[0]?.accession).toBe('0000000001-23-000001');
  expect(groupValuesByMember(series)).toEqual({
    'country:US': fromMillions('60'),
    'us-gaap:NonUsMember': fromMillions('40'),
  });
});

test("Netflix's regions, stated only for streaming, are its breakdown by region", () => {
  const yearDates = ['2024-01-01', '2024-12-31'] as const;
  const makeRegionFact = (member: string, value: string) =>
    makeFact(
      'us-gaap:Revenues',
      yearDates,
      value,
      parseDimensions(`geography=${member}`, 'product=nflx:StreamingMember'),
    );
  const annualReport = makeReport(
    ['0001065280-25-000044', '10-K', '2025-01-27'],
    [
      makeFact('us-gaap:Revenues', yearDates, '39001'),
      makeFact('us-gaap:Revenues', yearDates, '16100', parseDimensions('geography=country:US')),
      makeRegionFact('nflx:UnitedStatesAndCanadaMember', '17359'),
      makeRegionFact('us-gaap:EMEAMember', '12387'),
      makeRegionFact('srt:LatinAmericaMember', '4840'),
      makeRegionFact('srt:AsiaPacificMember', '4415'),
    ],
  );
  const series = buildSegmentSeries([annualReport], makeFiscalCalendar({ 2023: '2023-12-31', 2024: '2024-12-31' }));
  // The United States alone are also in the first region.
  expect(findSeries(series, 'annual', 'geography').members.map(({ label, role }) => [label, role])).toEqual([
    ['United States and Canada', 'member'],
    ['EMEA', 'member'],
    ['Latin America', 'member'],
    ['Asia Pacific', 'member'],
    ['United States', 'not_added'],
  ]);
  expect(series.some((entry) => entry.axis === 'product')).toBe(false);
});

test('a member has a row for its eliminations; facts with other or typed dimensions add no rows', () => {
  const yearDates = ['2022-10-01', '2023-09-30'] as const;
  const annualReport = makeReport(
    ['0000000001-23-000001', '10-K', '2023-11-01'],
    [
      ...makeBreakdownFacts(
        REVENUE_CONCEPT,
        'segment',
        yearDates,
        { 'x:AMember': '60', 'x:BMember': '50', 'us-gaap:BusinessSegmentsDomain': '110' },
        '100',
      ),
      makeFact(REVENUE_CONCEPT, yearDates, '-10', [
        { axis: 'srt:ConsolidationItemsAxis', member: 'us-gaap:IntersegmentEliminationMember' },
        ...parseDimensions('segment=x:AMember'),
      ]),
      makeFact(REVENUE_CONCEPT, yearDates, '9', [
        { axis: 'us-gaap:StatementScenarioAxis', member: 'us-gaap:ScenarioForecastMember' },
        ...parseDimensions('segment=x:CMember'),
      ]),
      makeFact(REVENUE_CONCEPT, yearDates, '8', [{ axis: 'us-gaap:StatementBusinessSegmentsAxis', member: null }]),
    ],
  );
  expect(
    groupValuesByMember(findSeries(buildSegmentSeries([annualReport], APPLE_CALENDAR), 'annual', 'segment')),
  ).toEqual({
    'x:AMember': fromMillions('60'),
    'x:AMember us-gaap:IntersegmentEliminationMember': fromMillions('-10'),
    'x:BMember': fromMillions('50'),
  });
});

test('the more precise of two values reported for one fact is used', () => {
  const yearDates = ['2022-10-01', '2023-09-30'] as const;
  const roundedFact = {
    ...makeFact(REVENUE_CONCEPT, yearDates, '60000', parseDimensions('segment=x:AMember')),
    decimals: -9,
  };
  const annualReport = makeReport(
    ['0000000001-23-000001', '10-K', '2023-11-01'],
    [
      ...makeBreakdownFacts(REVENUE_CONCEPT, 'segment', yearDates, { 'x:AMember': '60123', 'x:BMember': '1' }, '60124'),
      roundedFact,
    ],
  );
  expect(
    groupValuesByMember(findSeries(buildSegmentSeries([annualReport], APPLE_CALENDAR), 'annual', 'segment'))[
      'x:AMember'
    ],
  ).toEqual(fromMillions('60123'));
});

test('balances at year end are in the annual and quarterly series, other balances only in the quarterly series', () => {
  const makeAssetBreakdown = (end: string, a: string, b: string) =>
    makeBreakdownFacts('us-gaap:Assets', 'segment', [null, end], { 'x:AMember': a, 'x:BMember': b });
  const annualReport = makeReport(
    ['0000000001-24-000001', '10-K', '2024-11-01'],
    [
      ...makeAssetBreakdown('2023-09-30', '5', '3'),
      ...makeAssetBreakdown('2024-09-28', '6', '4'),
      ...makeAssetBreakdown('2024-06-29', '6', '3'),
    ],
    { 'x:AMember': 'The A business' },
  );
  const series = buildSegmentSeries([annualReport], APPLE_CALENDAR);
  const [annualSeries, quarterlySeries] = [
    findSeries(series, 'annual', 'segment', 'assets'),
    findSeries(series, 'quarterly', 'segment', 'assets'),
  ];
  expect(annualSeries.periods.map((period) => `${period.fiscalYear} ${period.fiscalPeriod}`)).toEqual([
    '2024 FY',
    '2023 FY',
  ]);
  expect(quarterlySeries.periods.map((period) => `${period.fiscalYear} ${period.fiscalPeriod}`)).toEqual([
    '2024 Q4',
    '2024 Q3',
    '2023 Q4',
  ]);
  expect(annualSeries.members[0]).toMatchObject({ member: 'x:AMember', label: 'The A business' });
  expect(quarterlySeries.periods.some((period) => period.derived)).toBe(false);
});
