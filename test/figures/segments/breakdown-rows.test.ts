/** Rows of breakdowns: members above their parts, reconciling items, and members that are not added. */
import { expect, test } from 'vitest';
import type { TaggedFact } from '../../../src/edgar/reports/xbrl-report.ts';
import { buildSegmentSeries, type SegmentSeries } from '../../../src/figures/segments/series.ts';
import { makeBreakdownFacts, makeFact, makeFiscalCalendar, makeReport, parseDimensions } from './filed-report.ts';

const REVENUE = 'us-gaap:Revenues';
const CALENDAR = makeFiscalCalendar({
  2020: '2020-12-31',
  2021: '2021-12-31',
  2022: '2022-12-31',
  2023: '2023-12-31',
  2024: '2024-12-31',
});
const getYear = (year: number) => [`${year}-01-01`, `${year}-12-31`] as const;
const OPERATING = 'srt:ConsolidationItemsAxis=us-gaap:OperatingSegmentsMember';
const ELIMINATIONS = 'srt:ConsolidationItemsAxis=us-gaap:IntersegmentEliminationMember';
const CORPORATE = 'srt:ConsolidationItemsAxis=us-gaap:CorporateNonSegmentMember';
const RECONCILING = 'srt:ConsolidationItemsAxis=us-gaap:MaterialReconcilingItemsMember';

const makeAnnualReport = (year: number, facts: readonly TaggedFact[]) =>
  makeReport([`0000000001-${(year + 1) % 100}-000001`, '10-K', `${year + 1}-02-20`], facts);
const makeSeries = (...reports: ReturnType<typeof makeReport>[]): SegmentSeries => {
  const [series] = buildSegmentSeries(reports, CALENDAR).filter(({ period }) => period === 'annual');
  if (series === undefined) throw new Error('no series');
  return series;
};
/** Returns the rows as text: the row's name, its parent, its role and its values in millions. */
const describeRows = ({ members }: SegmentSeries) =>
  members.map(({ member, parent, role, values }) =>
    [member, parent ?? '-', role, ...values.map((value) => value?.replace(/000000$/, '') ?? '–')]
      .join(' ')
      .replaceAll(/\b[\w-]+:(\w+)Member/g, '$1'),
  );

const makeProductFacts = (year: number, members: Readonly<Record<string, string>>, total: string) =>
  makeBreakdownFacts(
    REVENUE,
    'product',
    getYear(year),
    Object.fromEntries(Object.entries(members).map(([name, value]) => [`x:${name}Member`, value])),
    total,
  );

test('a member keeps its figures in the years in which its parts appear, and the sum counts them once', () => {
  const series = makeSeries(
    makeAnnualReport(2022, [
      ...makeProductFacts(2022, { ServerRooms: '113', Consoles: '127', Vehicles: '31' }, '271'),
      ...makeProductFacts(2021, { ServerRooms: '71', Consoles: '119', Vehicles: '29' }, '219'),
    ]),
    makeAnnualReport(2024, [
      ...makeProductFacts(
        2024,
        { ServerRooms: '457', Processors: '389', Cables: '68', Consoles: '121', Vehicles: '33' },
        '611',
      ),
      ...makeProductFacts(
        2023,
        { ServerRooms: '239', Processors: '187', Cables: '52', Consoles: '124', Vehicles: '34' },
        '397',
      ),
    ]),
  );
  expect(describeRows(series)).toEqual([
    'ServerRooms - member 457 239 113 71',
    'Processors ServerRooms member 389 187 – –',
    'Cables ServerRooms member 68 52 – –',
    'Consoles - member 121 124 127 119',
    'Vehicles - member 33 34 31 29',
  ]);
  expect(series.periods.map(({ basis }) => basis)).toEqual([1, 1, 1, 1]);
});

test("UnitedHealth's eliminations are rows of their own, and those within Optum are part of Optum", () => {
  const makeFacts = (year: number, [total, optum, health, insight, rx, care, within, corporate]: readonly string[]) => [
    makeFact(REVENUE, getYear(year), total ?? ''),
    makeFact(REVENUE, getYear(year), optum ?? '', parseDimensions('segment=unh:TotalOptumMember')),
    makeFact(REVENUE, getYear(year), health ?? '', parseDimensions(OPERATING, 'segment=unh:OptumhealthMember')),
    makeFact(REVENUE, getYear(year), insight ?? '', parseDimensions(OPERATING, 'segment=unh:OptuminsightMember')),
    makeFact(REVENUE, getYear(year), rx ?? '', parseDimensions(OPERATING, 'segment=unh:OptumrxMember')),
    makeFact(REVENUE, getYear(year), care ?? '', parseDimensions(OPERATING, 'segment=unh:UnitedhealthcareMember')),
    makeFact(REVENUE, getYear(year), within ?? '', parseDimensions(ELIMINATIONS)),
    makeFact(REVENUE, getYear(year), corporate ?? '', parseDimensions(CORPORATE)),
  ];
  const series = makeSeries(
    makeAnnualReport(2024, [
      ...makeFacts(2024, ['400278', '252957', '105358', '18757', '133231', '298208', '-4389', '-150887']),
      ...makeFacts(2023, ['371622', '226635', '95319', '18932', '116087', '281360', '-3703', '-136373']),
    ]),
  );
  expect(describeRows(series)).toEqual([
    'Unitedhealthcare - member 298208 281360',
    'TotalOptum - member 252957 226635',
    'Optumrx TotalOptum member 133231 116087',
    'Optumhealth TotalOptum member 105358 95319',
    'Optuminsight TotalOptum member 18757 18932',
    'IntersegmentElimination TotalOptum reconciling -4389 -3703',
    'CorporateNonSegment - reconciling -150887 -136373',
  ]);
});

test("Nike's regions are parts of its brand, and only the items that close a gap count", () => {
  const quarter = ['2023-06-01', '2023-08-31'] as const;
  const makeRevenue = (value: string, ...pairs: readonly string[]) =>
    makeFact(REVENUE, quarter, value, parseDimensions(...pairs));
  const makeRegion = (name: string, value: string) =>
    makeRevenue(value, OPERATING, 'segment=nke:NIKEBrandMember', `us-gaap:SubsegmentsAxis=nke:${name}Member`);
  const report = makeReport(
    ['0000320187-23-000052', '10-Q', '2023-10-05'],
    [
      makeRevenue('12939'),
      makeRevenue('12353', OPERATING, 'segment=nke:NIKEBrandMember'),
      makeRevenue('588', OPERATING, 'segment=nke:ConverseSegmentMember'),
      makeRegion('NorthAmerica', '5423'),
      makeRegion('EuropeMiddleEastAndAfrica', '3610'),
      makeRegion('GreaterChina', '1735'),
      makeRegion('AsiaPacificAndLatinAmerica', '1572'),
      makeRevenue('-2', CORPORATE),
      makeRevenue('13', RECONCILING),
    ],
  );
  const [series] = buildSegmentSeries([report], makeFiscalCalendar({ 2022: '2022-05-31', 2023: '2023-05-31' }));
  if (series === undefined) throw new Error('no series');
  expect(describeRows(series)).toEqual([
    'NIKEBrand - member 12353',
    'NorthAmerica NIKEBrand member 5423',
    'EuropeMiddleEastAndAfrica NIKEBrand member 3610',
    'GreaterChina NIKEBrand member 1735',
    'AsiaPacificAndLatinAmerica NIKEBrand member 1572',
    'MaterialReconcilingItems NIKEBrand reconciling 13',
    'ConverseSegment - member 588',
    'CorporateNonSegment - reconciling -2',
  ]);
});

test('a reconciling item that does not close the gap is shown, and not added', () => {
  const income = 'us-gaap:OperatingIncomeLoss';
  // AMD tags the costs outside its segments without a minus sign.
  const facts = [
    makeFact(income, getYear(2023), '401'),
    makeFact(income, getYear(2023), '2628', parseDimensions('segment=amd:EmbeddedMember')),
    makeFact(income, getYear(2023), '1267', parseDimensions('segment=amd:DatacenterMember')),
    makeFact(income, getYear(2023), '971', parseDimensions('segment=amd:GamingMember')),
    makeFact(income, getYear(2023), '-46', parseDimensions('segment=amd:ClientMember')),
    makeFact(income, getYear(2023), '4419', parseDimensions(RECONCILING)),
  ];
  expect(describeRows(makeSeries(makeAnnualReport(2023, facts))).at(-1)).toBe(
    'MaterialReconcilingItems - not_added 4419',
  );
});

test('a subtotal that differs from its parts by rounding is their parent, not a second count', () => {
  const makeRegions = (year: number, total: string, ...values: readonly string[]) =>
    makeBreakdownFacts(
      'us-gaap:NoncurrentAssets',
      'geography',
      [null, `${year}-12-31`],
      Object.fromEntries(
        [
          'country:US',
          'us-gaap:NonUsMember',
          'srt:EuropeMember',
          'srt:AsiaMember',
          'ge:AmericasMember',
          'ge:MiddleEastMember',
        ].map((member, index) => [member, values[index] ?? '']),
      ),
      total,
    );
  // General Electric's regions outside the United States add up to 44591 in 2022.
  const series = makeSeries(
    makeAnnualReport(2023, [
      ...makeRegions(2023, '161351', '105676', '55674', '38899', '7988', '5875', '2912'),
      ...makeRegions(2022, '156961', '112371', '44590', '26875', '8054', '5796', '3866'),
    ]),
  );
  expect(describeRows(series).map((row) => row.replace(/ member.*/, ''))).toEqual([
    'country:US -',
    'NonUs -',
    'Europe NonUs',
    'Asia NonUs',
    'Americas NonUs',
    'MiddleEast NonUs',
  ]);
});

test('a member that two sets of members divide is counted once', () => {
  // Oracle divides its cloud and support revenue by kind, and again by layer.
  const makeCloud = (year: number, total: string, ...values: readonly string[]) =>
    makeProductFacts(
      year,
      Object.fromEntries(
        ['CloudAndSupport', 'Cloud', 'LicenseSupport', 'Infrastructure', 'Applications'].map((name, index) => [
          name,
          values[index] ?? '',
        ]),
      ),
      total,
    );
  const series = makeSeries(
    makeAnnualReport(2024, [
      ...makeCloud(2024, '13307', '10519', '5623', '4896', '5750', '4769'),
      ...makeCloud(2023, '12453', '9547', '4635', '4912', '5076', '4471'),
    ]),
  );
  expect(describeRows(series)).toEqual([
    'CloudAndSupport - member 10519 9547',
    'Cloud CloudAndSupport member 5623 4635',
    'LicenseSupport CloudAndSupport member 4896 4912',
    'Infrastructure - not_added 5750 5076',
    'Applications - not_added 4769 4471',
  ]);
});

test('a member that moves into another is its part only in the years in which the other includes it', () => {
  const series = makeSeries(
    makeAnnualReport(2021, [
      ...makeProductFacts(2021, { Software: '31415', Support: '9265' }, '40680'),
      ...makeProductFacts(2020, { Software: '27182', Support: '8182' }, '35364'),
    ]),
    makeAnnualReport(2024, [
      ...makeProductFacts(2024, { Software: '58979', Licenses: '46264', Support: '12715', Devices: '3238' }, '62217'),
      ...makeProductFacts(2023, { Software: '50288', Licenses: '38327', Support: '11961', Devices: '2884' }, '53172'),
    ]),
  );
  expect(describeRows(series)).toEqual([
    'Software - member 58979 50288 31415 27182',
    'Licenses Software member 46264 38327 – –',
    'Support Software member 12715 11961 – –',
    'Devices - member 3238 2884 – –',
    'Support - member – – 9265 8182',
  ]);
});

const makeSegmentFacts = (year: number, total: string, values: Readonly<Record<string, string>>) => [
  makeFact(REVENUE, getYear(year), total),
  ...Object.entries(values).map(([dimensions, value]) =>
    makeFact(REVENUE, getYear(year), value, parseDimensions(...dimensions.split(' '))),
  ),
];

test('a member whose parts include a reconciling item is the row above them', () => {
  const [gmna, gmi] = ['segment=gm:GMNAMember', 'segment=gm:GMIMember'];
  const [automotive, finance] = ['segment=gm:AutomotiveMember', 'segment=gm:FinanceMember'];
  const makeFacts = (year: number, total: string, values: readonly string[]) =>
    makeSegmentFacts(
      year,
      total,
      Object.fromEntries(
        [gmna, gmi, CORPORATE, automotive, finance, ELIMINATIONS].map((name, index) => [name, values[index] ?? '']),
      ),
    );
  const series = makeSeries(
    makeAnnualReport(2024, [
      ...makeFacts(2024, '171740', ['141445', '15949', '273', '157667', '14225', '-152']),
      ...makeFacts(2023, '156633', ['128378', '15420', '177', '143975', '12766', '-108']),
    ]),
  );
  expect(describeRows(series)).toEqual([
    'Automotive - member 157667 143975',
    'GMNA Automotive member 141445 128378',
    'GMI Automotive member 15949 15420',
    'CorporateNonSegment Automotive reconciling 273 177',
    'Finance - member 14225 12766',
    'IntersegmentElimination - reconciling -152 -108',
  ]);
});

test('sales of each segment to the others are rows of their own', () => {
  const makeFacts = (year: number, total: string, [fuel, chemicals, fuelSales, chemicalSales]: readonly string[]) =>
    makeSegmentFacts(year, total, {
      [`${OPERATING} segment=x:FuelMember`]: fuel ?? '',
      [`${OPERATING} segment=x:ChemicalsMember`]: chemicals ?? '',
      [`${ELIMINATIONS} segment=x:FuelMember`]: fuelSales ?? '',
      [`${ELIMINATIONS} segment=x:ChemicalsMember`]: chemicalSales ?? '',
    });
  const series = makeSeries(
    makeAnnualReport(2024, [
      ...makeFacts(2024, '13095', ['9103', '5570', '-1207', '-371']),
      ...makeFacts(2023, '12772', ['8907', '5321', '-1103', '-353']),
    ]),
  );
  expect(describeRows(series)).toEqual([
    'Fuel - member 9103 8907',
    'Chemicals - member 5570 5321',
    'Chemicals IntersegmentElimination - reconciling -371 -353',
    'Fuel IntersegmentElimination - reconciling -1207 -1103',
  ]);
  expect(series.members.at(-1)?.label).toBe('Fuel: Intersegment eliminations');
});

test('members that add up in other years do so without the members of one year', () => {
  const series = makeSeries(
    makeAnnualReport(2024, [
      ...makeProductFacts(2024, { ServerRooms: '457', Processors: '389', Cables: '68', Consoles: '154' }, '611'),
      ...makeProductFacts(2023, { ServerRooms: '239', Consoles: '158' }, '397'),
      ...makeProductFacts(2022, { ServerRooms: '113', Consoles: '139' }, '252'),
    ]),
  );
  expect(describeRows(series)).toEqual([
    'ServerRooms - member 457 239 113',
    'Consoles - member 154 158 139',
    'Processors - not_added 389 – –',
    'Cables - not_added 68 – –',
  ]);
});

test('members of the subsegments axis alone are segments', () => {
  const [north, south] = ['us-gaap:SubsegmentsAxis=x:NorthMember', 'us-gaap:SubsegmentsAxis=x:SouthMember'];
  const series = makeSeries(makeAnnualReport(2024, makeSegmentFacts(2024, '300', { [north]: '213', [south]: '87' })));
  expect(describeRows(series)).toEqual(['North - member 213', 'South - member 87']);
});

test("Microsoft's segments are members, although each has a qualifier that names its group", () => {
  const makeFacts = (year: number, total: string, values: readonly string[]) =>
    makeSegmentFacts(
      year,
      total,
      Object.fromEntries(
        [
          'srt:ConsolidationItemsAxis=msft:DevicesMember segment=msft:LicensingMember',
          'srt:ConsolidationItemsAxis=msft:DevicesMember segment=msft:HardwareMember',
          'srt:ConsolidationItemsAxis=msft:CommercialMember segment=msft:CommercialLicensingMember',
          'srt:ConsolidationItemsAxis=msft:CommercialMember segment=msft:CommercialOtherMember',
          'srt:ConsolidationItemsAxis=msft:CommercialMember',
          CORPORATE,
        ].map((dimensions, index) => [dimensions, values[index] ?? '']),
      ),
    );
  const series = makeSeries(
    makeAnnualReport(2024, [
      ...makeFacts(2024, '93580', ['14969', '10183', '41039', '10836', '51875', '16553']),
      ...makeFacts(2023, '86833', ['19528', '11628', '42085', '7546', '49631', '6046']),
    ]),
  );
  expect(describeRows(series)).toEqual([
    'Commercial - member 51875 49631',
    'CommercialLicensing Commercial member 41039 42085',
    'CommercialOther Commercial member 10836 7546',
    'Licensing - member 14969 19528',
    'Hardware - member 10183 11628',
    'CorporateNonSegment - reconciling 16553 6046',
  ]);
});
