import { expect, test } from 'vitest';
import { openArchive } from '../../../src/edgar/files/archive.ts';
import type { FiledReport, TaggedFact } from '../../../src/edgar/reports/tagged-report.ts';
import { createLocator } from '../../../src/figures/filings/fact-location.ts';
import { readXbrlReport } from '../../edgar/reports/read-report.ts';
import { publicFile, testOn } from '../../public-files.ts';
import { at, fact, report } from '../segments/filed-report.ts';

const YEAR = ['2024-01-01', '2024-12-31'] as const;
const SOUGHT = { concept: 'us-gaap:Revenues', unit: 'USD', start: YEAR[0], end: YEAR[1], value: '5000000' };
const placed = (base: TaggedFact, line: string | null, hidden = false): TaggedFact => ({
  ...base,
  location: { contextId: 'c-1', line, isHidden: hidden },
});
const revenue = fact('us-gaap:Revenues', YEAR, '5');
const locate = (facts: readonly TaggedFact[], overrides: Partial<FiledReport> = {}) =>
  createLocator({ ...report(['0000000001-25-000001', '10-K', '2025-02-01'], facts), ...overrides })(SOUGHT);

test('the location of a figure is the only line that shows it', () => {
  expect(locate([placed(revenue, 'f-7')])).toEqual({
    matchQuality: 'unique',
    concept: 'us-gaap:Revenues',
    context: 'c-1',
    document: 'report.htm',
    lineId: 'f-7',
  });
});

test('the location of a figure is the first of several lines', () => {
  expect(locate([placed(revenue, 'f-7'), placed(revenue, 'f-90'), placed(revenue, 'h-1', true)])).toMatchObject({
    matchQuality: 'ambiguous',
    lineId: 'f-7',
  });
});

test('a tagged fact that is not displayed has a context and no line', () => {
  expect(locate([placed(revenue, 'h-1', true)])).toMatchObject({
    matchQuality: 'hidden_only',
    context: 'c-1',
    lineId: null,
  });
});

test('facts with another value, period, unit or dimension are not the figure', () => {
  const others = [
    placed(fact('us-gaap:Revenues', YEAR, '6'), 'a'),
    placed(fact('us-gaap:Revenues', ['2023-01-01', '2023-12-31'], '5'), 'b'),
    placed({ ...revenue, unit: 'EUR' }, 'c'),
    placed(fact('us-gaap:Revenues', YEAR, '5', at('segment=x:AMember')), 'd'),
    placed(fact('us-gaap:CostOfRevenue', YEAR, '5'), 'e'),
  ];
  expect(locate(others)).toMatchObject({ matchQuality: 'none', context: null, lineId: null });
});

test('facts without a document have no location', () => {
  expect(locate([placed(revenue, 'f-7')], { kind: 'instance', document: null })).toMatchObject({
    matchQuality: 'none',
    context: 'c-1',
    lineId: null,
  });
});

testOn('instances.zip', 'the lines of facts in real reports are found', async () => {
  const archive = await openArchive(publicFile('instances.zip'));
  const open = async (name: string) => {
    const read = readXbrlReport(await archive.read(name));
    return createLocator({
      ...report(['0000000000-00-000000', '10-K', '2025-01-01'], []),
      ...read,
      cik: 1,
      form: '10-K',
    });
  };
  const apple = await open('apple_20240928_10k.html');
  expect(
    apple({
      concept: 'dei:EntityCommonStockSharesOutstanding',
      unit: 'shares',
      start: null,
      end: '2024-10-18',
      value: '15115823000',
    }),
  ).toMatchObject({ matchQuality: 'unique', lineId: 'f-54' });
  const revenueOf = (start: string, end: string, value: string) => ({
    concept: 'us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax',
    unit: 'USD',
    start,
    end,
    value,
  });
  expect(apple(revenueOf('2023-10-01', '2024-09-28', '391035000000')).matchQuality).toBe('ambiguous');
  expect(apple(revenueOf('2023-10-01', '2024-09-28', '391036000000')).matchQuality).toBe('none');
  // IBM's report has its statements in an exhibit.
  const ibm = await open('ibm-10-k-2025-02-25.html');
  expect(
    ibm({ concept: 'us-gaap:Revenues', unit: 'USD', start: '2024-01-01', end: '2024-12-31', value: '62753000000' })
      .matchQuality,
  ).toBe('none');
  archive.close();
});
