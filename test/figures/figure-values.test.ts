/** Omitting the derivation of periods that an answer does not show leaves the shown figures unchanged. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMPANY_KEYS, METRIC_KEYS } from '../../src/contract/figures.ts';
import { deriveCompanyFigures } from '../../src/figures/company.ts';
import {
  collectQuarterStarts,
  type FigureQuery,
  listInputMetrics,
  selectFigures,
  selectFirstFigures,
  selectPeriods,
} from '../../src/figures/figure-values.ts';
import { toResponseFigure } from '../../src/figures/response-figure.ts';
import { fact, filedFacts } from './filed-facts.ts';

const FACTS = readdirSync(join(import.meta.dirname, 'facts')).map((file) => file.replace('.txt', ''));

/** Invented facts: years and their quarters, balances, and inputs of derived figures. */
const MADE = [2023, 2024].flatMap((year) => {
  const filed = (concept: string, start: string | null, end: string, value: string) =>
    fact({
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
    filed('NetCashProvidedByUsedInOperatingActivities', '01-01', end, `${90 + 30 * index}`),
    filed('PaymentsToAcquirePropertyPlantAndEquipment', '01-01', end, `${30 + 10 * index}`),
    filed('Assets', null, end, '1000'),
    filed('StockholdersEquity', null, end, '400'),
  ]);
});

const selections = [...FACTS.map(filedFacts), MADE].map((facts) => {
  const { reportedValues } = deriveCompanyFigures(facts, [], { releaseDate: '2026-08-20' });
  const select = (query: FigureQuery) => selectFigures(reportedValues, query).currentFigures;
  /** Returns the first figures, derived only from the values of their input metrics. */
  const selectFirst = (query: FigureQuery, limit: number) => {
    const first = selectFirstFigures(reportedValues, query, limit);
    const inputs = query.period === 'annual' ? null : listInputMetrics(first?.metricKeys ?? METRIC_KEYS);
    const values = reportedValues.filter(({ metricKey }) => inputs?.includes(metricKey) ?? true);
    const starts = collectQuarterStarts(reportedValues, query.asOf ?? null);
    return selectFigures(values, { ...query, firstFigures: first, quarterStarts: starts }).currentFigures;
  };
  return { select, selectFirst };
});

test('figures of fiscal years are the same whether or not other periods are derived', () => {
  let derived = 0;
  for (const { select } of selections) {
    for (const keys of [null, COMPANY_KEYS]) {
      const annual = select({ period: 'annual', keys });
      expect(annual.map(toResponseFigure)).toEqual(selectPeriods(select({ keys }), 'annual').map(toResponseFigure));
      derived += annual.filter((figure) => figure.derived).length;
    }
  }
  expect(derived).toBeGreaterThan(80);
});

test('a limit returns the first of all figures', () => {
  const queries = [{ twelveMonths: true }, { period: 'quarterly' }, { period: 'annual' }] as const;
  for (const { select, selectFirst } of selections) {
    for (const query of [...queries, { asOf: '2020-03-01', twelveMonths: true }]) {
      const all = select(query).map(toResponseFigure);
      for (const limit of [1, 10, 25, 50, 100, all.length, all.length + 1]) {
        const first = selectFirst(query, limit).slice(0, limit);
        expect(first.map(toResponseFigure)).toEqual(all.slice(0, limit));
      }
      if (all.length > 100) expect(selectFirst(query, 1).length).toBeLessThan(20);
    }
  }
});

test('one requested metric has the same values as among all metrics', () => {
  for (const { select } of selections) {
    const all = select({}).map(toResponseFigure);
    for (const key of METRIC_KEYS) {
      const figuresOfKey = all.filter(({ metricKey }) => metricKey === key);
      expect(select({ keys: [key] }).map(toResponseFigure)).toEqual(figuresOfKey);
    }
  }
});
