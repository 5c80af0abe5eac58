import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { buildFiscalCalendar } from '../../../src/figures/facts/fiscal-calendar.ts';
import { detectPeriodKind, isQuarterLength } from '../../../src/figures/periods/period-kind.ts';
import { addDays, toDay, toDayNumber } from '../../../src/platform/dates.ts';
import { makeFact } from '../filed-facts.ts';

const arbitraryDay = fc.integer({ min: toDayNumber('1990-01-01'), max: toDayNumber('2060-12-31') }).map(toDay);

test('the kind of a period is detected in real fiscal calendars, and is null for other lengths', () => {
  const cases: [string | null, string, string | null][] = [
    [null, '2024-12-31', 'instant'],
    ['2024-01-01', '2024-12-31', 'annual'],
    ['2019-12-30', '2021-01-03', 'annual'], // 53 weeks
    ['2024-09-29', '2024-12-28', 'quarter'],
    ['2022-11-21', '2023-02-12', 'quarter'], // 12 weeks
    ['2024-05-13', '2024-09-01', 'quarter'], // 16 weeks
    ['2024-01-01', '2024-04-30', null], // four months
    ['2024-01-01', '2024-06-30', 'half'],
    ['2022-08-29', '2023-05-07', 'nine_month'], // 36 weeks
    ['2022-01-01', '2022-03-31', 'quarter'], // a transition period of three months
    ['2024-01-01', '2024-01-31', null],
    ['2023-01-01', '2024-12-31', null],
  ];
  for (const [start, end, kind] of cases) expect(detectPeriodKind(start, end), `${start} ${end}`).toBe(kind);
});

test('the kind of a period depends only on its length', () => {
  fc.assert(
    fc.property(arbitraryDay, arbitraryDay, fc.integer({ min: 1, max: 800 }), (start, otherStart, days) => {
      const kind = detectPeriodKind(start, addDays(start, days - 1));
      expect(detectPeriodKind(otherStart, addDays(otherStart, days - 1))).toBe(kind);
      if (kind === 'quarter') expect(isQuarterLength(start, addDays(start, days - 1))).toBe(true);
    }),
  );
});

test('the four quarters of a fiscal year are named after it, whatever its last month', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 2005, max: 2030 }),
      fc.constantFrom(0, -1),
      (month, year, nameOffset) => {
        const findLastDayOfMonth = (monthYear: number, monthNumber: number) =>
          toDay(Date.UTC(monthYear, monthNumber, 0) / 86_400_000);
        const end = findLastDayOfMonth(year, month);
        const start = addDays(findLastDayOfMonth(year - 1, month), 1);
        const annualFact = makeFact({ start, end, filed: addDays(end, 60), focusYear: year + nameOffset });
        const calendar = buildFiscalCalendar([annualFact], []);
        const quarterEnds = [-9, -6, -3, 0].map((months) => findLastDayOfMonth(year, month + months));
        expect(quarterEnds.map((quarterEnd) => calendar.labelPeriod(quarterEnd, 'quarter'))).toEqual(
          ['Q1', 'Q2', 'Q3', 'Q4'].map((fiscalPeriod) => ({ fiscalYear: year + nameOffset, fiscalPeriod })),
        );
        // The next fiscal year has no report yet, so its name follows the convention of the current fiscal year.
        expect(calendar.labelPeriod(findLastDayOfMonth(year, month + 3), 'quarter')).toEqual({
          fiscalYear: year + 1 + nameOffset,
          fiscalPeriod: 'Q1',
        });
      },
    ),
  );
});

test('a fiscal year that ends in the first week of January is named after the year before', () => {
  const annualFact = makeFact({ start: '2022-01-03', end: '2023-01-01', filed: '2023-02-16', focusYear: null });
  expect(buildFiscalCalendar([annualFact], []).labelPeriod('2023-01-01', 'annual')).toEqual({
    fiscalYear: 2022,
    fiscalPeriod: 'FY',
  });
});

test('fiscal years get different names even if reports tag two of them with the same year', () => {
  // Year ends and tagged fiscal years of one company, which tagged the first two years as 2010.
  const taggedYears = [
    ['2010-01-31', 2010],
    ['2011-01-30', 2010],
    ['2012-01-29', 2011],
    ['2013-01-27', 2013],
    ['2014-01-26', 2014],
    ['2015-01-25', 2015],
  ] as const;
  const facts = taggedYears.map(([end, focusYear], index) =>
    makeFact({
      start: addDays(end, -363),
      end,
      filed: addDays(end, 45),
      focusYear,
      accession: `0000000001-10-00000${index}`,
    }),
  );
  const calendar = buildFiscalCalendar(facts, []);
  expect(taggedYears.map(([end]) => calendar.labelPeriod(end, 'annual').fiscalYear)).toEqual([
    2010, 2011, 2012, 2013, 2014, 2015,
  ]);
});

test('a last annual report that names its year unlike earlier years has a typing error', () => {
  const makeReportFact = (form: string, start: string, end: string, focusYear: number) =>
    makeFact({ ...{ form, start, end, focusYear }, filed: addDays(end, 45), accession: `${form} ${end}` });
  const earlierAnnualFacts = [2020, 2021].map((year) => makeReportFact('10-K', `${year}-01-01`, `${year}-12-31`, year));
  const interimFacts = ['2022-03-31', '2022-06-30', '2022-09-30'].map((end) =>
    makeReportFact('10-Q', '2022-01-01', end, 2022),
  );
  const lastAnnualFact = makeReportFact('10-K', '2022-01-01', '2022-12-31', 2023);
  const calendar = buildFiscalCalendar([...earlierAnnualFacts, ...interimFacts, lastAnnualFact], []);
  expect(calendar.labelPeriod('2022-12-31', 'annual').fiscalYear).toBe(2022);
  expect(calendar.labelPeriod('2022-06-30', 'quarter').fiscalYear).toBe(2022);
});

/** Fiscal years that annual reports of the company state, by the day on which the year ends. */
const STATED_YEARS: Readonly<Record<string, Readonly<Record<string, number | null>>>> = {
  Walmart: { '2013-01-31': 2012, '2014-01-31': 2013, '2015-01-31': 2015, '2016-01-31': 2016, '2017-01-31': 2017 },
  Hawkins: {
    ...{ '2017-04-02': 2016, '2018-04-01': 2017, '2019-03-31': 2018, '2020-03-29': 2019, '2021-03-28': 2021 },
    ...{ '2022-04-03': 2022, '2023-04-02': 2023 },
  },
  Workday: { '2010-12-31': null, '2012-01-31': null, '2014-01-31': 2013, '2015-01-31': 2015, '2016-01-31': 2016 },
  'The Cheesecake Factory': { '2021-12-28': 2021, '2023-01-03': 2023, '2024-01-02': 2024, '2024-12-31': 2024 },
};

test.each([
  ['Walmart', [2013, 2014, 2015, 2016, 2017]],
  ['Hawkins', [2017, 2018, 2019, 2020, 2021, 2022, 2023]],
  // Workday changed the end of its fiscal year from December to January, so that no year is named 2011.
  ['Workday', [2010, 2012, 2014, 2015, 2016]],
  ['The Cheesecake Factory', [2021, 2022, 2023, 2024]],
])('consecutive fiscal years of %s have consecutive names, whatever its reports state', (company, names) => {
  const years = Object.entries(STATED_YEARS[company] ?? {});
  const facts = years.map(([end, focusYear]) =>
    makeFact({ ...{ end, focusYear, accession: end }, start: addDays(end, -363), filed: addDays(end, 45) }),
  );
  const calendar = buildFiscalCalendar(facts, []);
  expect(years.map(([end]) => calendar.labelPeriod(end, 'annual').fiscalYear)).toEqual(names);
});

test('twelve months that end on another day than the fiscal year are not a fiscal year, and a year without a report has no name', () => {
  const annualFact = makeFact({});
  expect(buildFiscalCalendar([annualFact], []).labelPeriod('2024-09-30', 'annual').fiscalPeriod).toBeNull();
  expect(buildFiscalCalendar([], []).labelPeriod('2024-12-31', 'annual')).toEqual({
    fiscalYear: null,
    fiscalPeriod: null,
  });
});

test('the currency of a company is that of its latest years, not of most years', () => {
  const makeIncomeFact = (endYear: number, unit: string) =>
    makeFact({
      concept: 'NetIncomeLoss',
      unit,
      start: `${endYear}-01-01`,
      end: `${endYear}-12-31`,
      accession: `0000000001-${String(endYear + 1).slice(2)}-000001`,
      filed: `${endYear + 1}-02-20`,
    });
  const facts = [2012, 2013, 2014, 2015, 2016, 2017].map((endYear) => makeIncomeFact(endYear, 'EUR'));
  const company = deriveCompanyFigures(
    [...facts, ...[2018, 2019].map((endYear) => makeIncomeFact(endYear, 'USD'))],
    [],
    {
      releaseDate: '2020-08-20',
    },
  );
  expect(company.screen?.dates.annual_end_date).toBe('2019-12-31');
});

test('without an annual report, the latest interim report names the fiscal year, if its longest period agrees', () => {
  const makeCalendar = (focusPeriod: string) => {
    const filing = { form: '10-Q', filed: '2010-05-27', focusYear: 2010, focusPeriod };
    return buildFiscalCalendar([makeFact({ ...filing, start: '2010-01-31', end: '2010-05-01' })], []);
  };
  expect(makeCalendar('Q1').labelPeriod('2010-05-01', 'quarter')).toEqual({ fiscalYear: 2010, fiscalPeriod: 'Q1' });
  expect(makeCalendar('Q1').labelPeriod('2010-01-30', 'instant')).toEqual({ fiscalYear: 2009, fiscalPeriod: 'FY' });
  expect(makeCalendar('Q1').labelPeriod('2009-05-02', 'quarter')).toEqual({ fiscalYear: 2009, fiscalPeriod: 'Q1' });
  expect(makeCalendar('Q2').labelPeriod('2010-05-01', 'quarter')).toEqual({ fiscalYear: null, fiscalPeriod: null });
});

test('inferred dates of a period give way to dates that a later filing states', () => {
  const inferred = makeFact({
    ...{ start: '2010-02-07', end: '2010-05-01', value: '1934778000', form: '10-Q', filed: '2010-06-09' },
    ...{ accession: '0000745732-10-000001', source: 'data_set_inferred_dates' },
  });
  const stated = { ...inferred, start: '2010-01-31', accession: '0000745732-11-000001', filed: '2011-06-08' };
  const { source: _, ...later } = stated;
  const { reportedValues, figures } = deriveCompanyFigures([inferred, later], [], { releaseDate: '2011-12-31' });
  expect(reportedValues.map(({ start, filedStart, source }) => [start, filedStart, source])).toEqual([
    ['2010-01-31', '2010-02-07', 'data_set_inferred_dates'],
    ['2010-01-31', null, null],
  ]);
  expect(figures.filter(({ metricKey }) => metricKey === 'revenue')).toMatchObject([{ confidence: '1' }]);
  const alone = deriveCompanyFigures([inferred], [], { releaseDate: '2011-12-31' });
  expect(alone.figures.filter(({ metricKey }) => metricKey === 'revenue')).toMatchObject([{ confidence: '0.9' }]);
});
