import { expect, test } from 'vitest';
import { openArchive } from '../../../src/edgar/files/archive.ts';
import type { FiledReport, TaggedFact } from '../../../src/edgar/reports/xbrl-report.ts';
import { createFactLocator } from '../../../src/figures/filings/fact-location.ts';
import { readXbrlReport } from '../../edgar/reports/read-report.ts';
import { getPublicFilePath, testWithPublicFile } from '../../public-files.ts';
import { makeFact, makeReport, parseDimensions } from '../segments/filed-report.ts';

const YEAR_DATES = ['2024-01-01', '2024-12-31'] as const;
const FIGURE = { concept: 'us-gaap:Revenues', unit: 'USD', start: YEAR_DATES[0], end: YEAR_DATES[1], value: '5000000' };
const addLocation = (taggedFact: TaggedFact, lineId: string | null, isHidden = false): TaggedFact => ({
  ...taggedFact,
  location: { contextId: 'c-1', elementId: lineId, isHidden },
});
const revenueFact = makeFact('us-gaap:Revenues', YEAR_DATES, '5');
const locateRevenue = (facts: readonly TaggedFact[], overrides: Partial<FiledReport> = {}) =>
  createFactLocator({ ...makeReport(['0000000001-25-000001', '10-K', '2025-02-01'], facts), ...overrides })(FIGURE);

test('the location of a figure is the only line that shows it', () => {
  expect(locateRevenue([addLocation(revenueFact, 'f-7')])).toEqual({
    matchQuality: 'unique',
    concept: 'us-gaap:Revenues',
    context: 'c-1',
    document: 'report.htm',
    lineId: 'f-7',
  });
});

test('if several lines show a figure, its location is the first of them', () => {
  expect(
    locateRevenue([
      addLocation(revenueFact, 'f-7'),
      addLocation(revenueFact, 'f-90'),
      addLocation(revenueFact, 'h-1', true),
    ]),
  ).toMatchObject({
    matchQuality: 'ambiguous',
    lineId: 'f-7',
  });
});

test('a tagged fact that is not displayed has a context and no line', () => {
  expect(locateRevenue([addLocation(revenueFact, 'h-1', true)])).toMatchObject({
    matchQuality: 'hidden_only',
    context: 'c-1',
    lineId: null,
  });
});

test('facts with another value, period, unit, dimension or concept do not match the figure', () => {
  const nonMatchingFacts = [
    addLocation(makeFact('us-gaap:Revenues', YEAR_DATES, '6'), 'a'),
    addLocation(makeFact('us-gaap:Revenues', ['2023-01-01', '2023-12-31'], '5'), 'b'),
    addLocation({ ...revenueFact, unit: 'EUR' }, 'c'),
    addLocation(makeFact('us-gaap:Revenues', YEAR_DATES, '5', parseDimensions('segment=x:AMember')), 'd'),
    addLocation(makeFact('us-gaap:CostOfRevenue', YEAR_DATES, '5'), 'e'),
  ];
  expect(locateRevenue(nonMatchingFacts)).toMatchObject({ matchQuality: 'none', context: null, lineId: null });
});

test('facts of a report without a document have a context, but no line', () => {
  expect(locateRevenue([addLocation(revenueFact, 'f-7')], { kind: 'instance', document: null })).toMatchObject({
    matchQuality: 'none',
    context: 'c-1',
    lineId: null,
  });
});

testWithPublicFile('instances.zip', 'figures are located in real reports if a fact there matches', async () => {
  const archive = await openArchive(getPublicFilePath('instances.zip'));
  const createReportLocator = async (fileName: string) => {
    const parsedReport = readXbrlReport(await archive.read(fileName));
    return createFactLocator({
      ...makeReport(['0000000000-00-000000', '10-K', '2025-01-01'], []),
      ...parsedReport,
      cik: 1,
      form: '10-K',
    });
  };
  const locateInApple = await createReportLocator('apple_20240928_10k.html');
  expect(
    locateInApple({
      concept: 'dei:EntityCommonStockSharesOutstanding',
      unit: 'shares',
      start: null,
      end: '2024-10-18',
      value: '15115823000',
    }),
  ).toMatchObject({ matchQuality: 'unique', lineId: 'f-54' });
  const makeAppleRevenue = (start: string, end: string, value: string) => ({
    concept: 'us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax',
    unit: 'USD',
    start,
    end,
    value,
  });
  expect(locateInApple(makeAppleRevenue('2023-10-01', '2024-09-28', '391035000000')).matchQuality).toBe('ambiguous');
  expect(locateInApple(makeAppleRevenue('2023-10-01', '2024-09-28', '391036000000')).matchQuality).toBe('none');
  // IBM's statements are in an exhibit, so this document does not state revenue.
  const locateInIbm = await createReportLocator('ibm-10-k-2025-02-25.html');
  expect(
    locateInIbm({
      concept: 'us-gaap:Revenues',
      unit: 'USD',
      start: '2024-01-01',
      end: '2024-12-31',
      value: '62753000000',
    }).matchQuality,
  ).toBe('none');
  archive.close();
});
