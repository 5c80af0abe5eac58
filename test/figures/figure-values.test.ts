/** Deriving only some periods or metrics gives the same figures as deriving all of them. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMPANY_METRIC_KEYS, METRIC_KEYS } from '../../src/contract/figures.ts';
import { deriveCompanyFigures } from '../../src/figures/company.ts';
import type { Figure } from '../../src/figures/derived/figure.ts';
import {
  collectQuarterStarts,
  type FigureQuery,
  findMetricsThatFillLimit,
  listInputMetrics,
  selectFigures,
  selectFiguresOfPeriods,
} from '../../src/figures/figure-values.ts';
import { toResponseFigure } from '../../src/figures/response-figure.ts';
import { makeFact, readFiledFacts } from './filed-facts.ts';

const FACTS_FILE_NAMES = readdirSync(join(import.meta.dirname, 'facts')).map((file) => file.replace('.txt', ''));

/** Invented facts of two years and their first nine months: inputs of free cash flow, and balances. */
const INVENTED_FACTS = [2023, 2024].flatMap((year) => {
  const makeReportedFact = (concept: string, start: string | null, end: string, value: string) =>
    makeFact({
      concept,
      value,
      start: start === null ? null : `${year}-${start}`,
      end: `${year}-${end}`,
      accession: `000000000${end.slice(0, 1)}-${year - 2000}-0000${end.slice(0, 2)}`,
      form: end === '12-31' ? '10-K' : '10-Q',
      filed: `${year + (end === '12-31' ? 1 : 0)}-${end === '12-31' ? '02-20' : '11-01'}`,
      focusYear: year,
      focusPeriod: end === '12-31' ? 'FY' : 'Q3',
    });
  return ['09-30', '12-31'].flatMap((end, index) => [
    makeReportedFact('NetCashProvidedByUsedInOperatingActivities', '01-01', end, `${90 + 30 * index}`),
    makeReportedFact('PaymentsToAcquirePropertyPlantAndEquipment', '01-01', end, `${30 + 10 * index}`),
    makeReportedFact('Assets', null, end, '1000'),
    makeReportedFact('StockholdersEquity', null, end, '400'),
  ]);
});

const selectors = [...FACTS_FILE_NAMES.map(readFiledFacts), INVENTED_FACTS].map((facts) => {
  const { reportedValues } = deriveCompanyFigures(facts, [], { releaseDate: '2026-08-20' });
  const select = (query: FigureQuery) => selectFigures(reportedValues, query).currentFigures;
  /**
   * Returns at least the first `limit` figures. Except for annual figures, derives them only from the values of their
   * input metrics.
   */
  const selectFirstFigures = (query: FigureQuery, limit: number) => {
    const firstFiguresLimit = findMetricsThatFillLimit(reportedValues, query, limit);
    const inputMetrics =
      query.period === 'annual' ? null : listInputMetrics(firstFiguresLimit?.metricKeys ?? METRIC_KEYS);
    const values = reportedValues.filter(({ metricKey }) => inputMetrics?.includes(metricKey) ?? true);
    const quarterStarts = collectQuarterStarts(reportedValues, query.asOf ?? null);
    return selectFigures(values, { ...query, firstFigures: firstFiguresLimit, quarterStarts }).currentFigures;
  };
  return { select, selectFirst: selectFirstFigures };
});

const toCurrentFigure = (figure: Figure) => toResponseFigure(figure, null);

test('figures of fiscal years are the same whether or not other periods are derived', () => {
  let derivedCount = 0;
  for (const { select } of selectors) {
    for (const keys of [null, COMPANY_METRIC_KEYS]) {
      const annualFigures = select({ period: 'annual', keys });
      expect(annualFigures.map(toCurrentFigure)).toEqual(
        selectFiguresOfPeriods(select({ keys }), 'annual').map(toCurrentFigure),
      );
      derivedCount += annualFigures.filter((figure) => figure.derived).length;
    }
  }
  expect(derivedCount).toBeGreaterThan(80);
});

test('a selection with a limit equals the first figures of the selection without a limit', () => {
  const queries = [{ twelveMonths: true }, { period: 'quarterly' }, { period: 'annual' }] as const;
  for (const { select, selectFirst } of selectors) {
    for (const query of [...queries, { asOf: '2020-03-01', twelveMonths: true }]) {
      const allFigures = select(query).map(toCurrentFigure);
      for (const limit of [1, 10, 25, 50, 100, allFigures.length, allFigures.length + 1]) {
        const firstFigures = selectFirst(query, limit).slice(0, limit);
        expect(firstFigures.map(toCurrentFigure)).toEqual(allFigures.slice(0, limit));
      }
      if (allFigures.length > 100) expect(selectFirst(query, 1).length).toBeLessThan(20);
    }
  }
});

test('a metric requested alone has the same values as when all metrics are requested', () => {
  for (const { select } of selectors) {
    const allFigures = select({}).map(toCurrentFigure);
    for (const key of METRIC_KEYS) {
      const figuresOfKey = allFigures.filter(({ metricKey }) => metricKey === key);
      expect(select({ keys: [key] }).map(toCurrentFigure)).toEqual(figuresOfKey);
    }
  }
});
