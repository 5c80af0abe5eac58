import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { readReportedFigure } from '../../../src/figures/derived/derive-figures.ts';
import { deriveQuarters, indexQuarterStarts } from '../../../src/figures/derived/derive-quarters.ts';
import type { Figure } from '../../../src/figures/derived/figure.ts';
import { splitIntoChains } from '../../../src/figures/revisions/revision-chain.ts';
import { makeFact } from '../filed-facts.ts';

const REPORT_BY_END: Readonly<Record<string, Pick<Fact, 'filed' | 'focusPeriod'>>> = {
  '2024-03-31': { filed: '2024-04-25', focusPeriod: 'Q1' },
  '2024-06-30': { filed: '2024-07-25', focusPeriod: 'Q2' },
  '2024-09-30': { filed: '2024-10-25', focusPeriod: 'Q3' },
  '2024-12-31': { filed: '2025-02-20', focusPeriod: 'FY' },
};

/** Returns a fact of 2024 that the report of its last day states. */
function makeFlow(start: string, end: string, value: string, fields: Partial<Fact> = {}): Fact {
  const { filed, focusPeriod } = REPORT_BY_END[end] ?? { filed: '2024-10-25', focusPeriod: 'Q3' };
  const form = focusPeriod === 'FY' ? '10-K' : '10-Q';
  return makeFact({ start, end, value, filed, focusPeriod, form, accession: `0000000001-${filed}`, ...fields });
}

const year = (value: string, fields?: Partial<Fact>) => makeFlow('2024-01-01', '2024-12-31', value, fields);
const nineMonths = (value: string, fields?: Partial<Fact>) => makeFlow('2024-01-01', '2024-09-30', value, fields);
const half = (value: string) => makeFlow('2024-01-01', '2024-06-30', value);
const quarter = (number: 1 | 2 | 3, value: string, fields?: Partial<Fact>) =>
  makeFlow(
    ...([
      ['2024-01-01', '2024-03-31'],
      ['2024-04-01', '2024-06-30'],
      ['2024-07-01', '2024-09-30'],
    ][number - 1] as [string, string]),
    value,
    fields,
  );

const ALL = { neededKeys: null, cutoff: null };

function readFigures(facts: readonly Fact[]): Figure[] {
  const { reportedValues } = deriveCompanyFigures(facts, [], { releaseDate: '2026-08-20' });
  return splitIntoChains(reportedValues).flatMap((chain) => readReportedFigure(chain, null) ?? []);
}

function derive(facts: readonly Fact[], selection: Parameters<typeof deriveQuarters>[2] = ALL): string[] {
  const figures = readFigures(facts);
  return deriveQuarters(figures, indexQuarterStarts(figures), selection).map(describe);
}

const describe = ({ metricKey, start, end, value, fiscalPeriod, derived }: Figure): string =>
  `${metricKey} ${start} ${end} ${value} ${fiscalPeriod}${derived ? '' : ' reported'}`;

const Q4 = 'revenue 2024-10-01 2024-12-31 130 Q4';

test('the fourth quarter is the year less nine months, or less three quarters', () => {
  expect(derive([year('430'), nineMonths('300')])).toEqual([Q4]);
  expect(derive([year('430'), quarter(1, '90'), quarter(2, '100'), quarter(3, '110')])).toEqual([Q4]);
});

test('the second and third quarters are the year to date less its earlier part', () => {
  expect(derive([quarter(1, '90'), half('190'), nineMonths('300')])).toEqual([
    'revenue 2024-04-01 2024-06-30 100 Q2',
    'revenue 2024-07-01 2024-09-30 110 Q3',
  ]);
});

test('a reported quarter is not derived again', () => {
  expect(derive([year('430'), nineMonths('300'), makeFlow('2024-10-01', '2024-12-31', '131')])).toEqual([]);
});

test('without parts for the whole rest of the year there is no quarter', () => {
  expect(derive([year('430'), half('190')])).toEqual([]);
  expect(derive([year('430'), quarter(1, '90'), quarter(3, '110')])).toEqual([]);
});

test('a quarter of revenue is not negative, a quarter of income may be', () => {
  expect(derive([year('290'), nineMonths('300')])).toEqual([]);
  const income = { concept: 'OperatingIncomeLoss' };
  expect(derive([year('290', income), nineMonths('300', income)])).toEqual([
    'operating_income 2024-10-01 2024-12-31 -10 Q4',
  ]);
});

test('parts of another concept are not subtracted', () => {
  const sales = { concept: 'SalesRevenueNet' };
  expect(derive([year('430'), nineMonths('300', sales)])).toEqual([]);
});

test('parts with another sum prevent a quarter, unless the difference is rounding', () => {
  const quarters = (third: string) => [quarter(1, '90'), quarter(2, '100'), quarter(3, third)];
  expect(derive([year('430'), nineMonths('300'), ...quarters('150')])).toEqual([]);
  expect(derive([year('430'), nineMonths('300'), ...quarters('111')])).toEqual([Q4]);
});

test('a quarter begins on the day that other metrics report for it', () => {
  const facts = [year('430'), nineMonths('300', { end: '2024-09-28' })];
  const income = makeFlow('2024-09-30', '2024-12-31', '5', { concept: 'NetIncomeLoss' });
  expect(derive([...facts, income])).toEqual(['revenue 2024-09-30 2024-12-31 130 Q4']);
});

test('a selection leaves out metrics, and quarters that end too early', () => {
  const facts = [year('430'), nineMonths('300'), half('190'), quarter(1, '90')];
  expect(derive(facts, { ...ALL, neededKeys: new Set(['net_income']) })).toEqual([]);
  expect(derive(facts, { ...ALL, earliestEnd: '2024-10-01' })).toEqual([Q4]);
  const cutoff = { metricKey: 'revenue', earliestEnd: '2025-10-31' };
  expect(derive(facts, { ...ALL, cutoff })).toHaveLength(2);
});
