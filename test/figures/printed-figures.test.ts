/** Compares printed.csv, figures copied from printed statements, with figures that fin derives from company facts. */
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { compareDecimals } from '../../src/contract/decimal-text.ts';
import { METRICS } from '../../src/contract/figures.ts';
import { readCompanyFacts } from '../../src/edgar/facts/company-facts.ts';
import type { Fact } from '../../src/edgar/facts/fact-row.ts';
import { openPublicFiles } from '../../src/edgar/files/public-files.ts';
import { readSubmissions } from '../../src/edgar/filings/submissions.ts';
import { deriveCompanyFigures } from '../../src/figures/company.ts';
import type { FigureValue } from '../../src/figures/derived/figure.ts';
import { listFigureValues } from '../../src/figures/figure-values.ts';
import { listMappingsOfMetric } from '../../src/figures/metrics/concepts.ts';
import { pushTo } from '../../src/platform/collections.ts';
import { testNeeding } from '../needs.ts';
import { expectOfFiles, getPublicFilePath, PRINTED_FIGURES_PATH } from '../public-files.ts';

const RELEASE_DATE = '2026-08-20';
/** Minimum number of printed figures that equal a derived figure or are in `PARTIAL_FIGURE_NAMES`. */
const MIN_EXPLAINED_FIGURES = expectOfFiles(250, 120);

/**
 * Marvell's printed depreciation and amortization is only a part of the total. A separate line, three times as large,
 * has the amortization of acquired intangible assets. The figure is their sum.
 */
const PARTIAL_FIGURE_NAMES: ReadonlySet<string> = new Set(
  ['2024-02-03', '2025-02-01', '2026-01-31'].map((end) => `MRVL depreciation_and_amortization ${end}`),
);

interface PrintedFigure {
  readonly ticker: string;
  readonly cik: number;
  readonly metric: string;
  readonly period: string;
  readonly end: string;
  readonly value: string;
  readonly unit: string;
  /** The date as of which the figure is derived; null for the current figure. */
  readonly asOf: string | null;
}

const PERIOD_KIND_BY_NAME: Readonly<Record<string, FigureValue['periodKind']>> = {
  annual: 'annual',
  quarter: 'quarter',
  ytd6: 'half',
  instant: 'instant',
};
/** Metric keys by the name that printed.csv uses, where it differs from the key. */
const KEY_BY_PRINTED_NAME: Readonly<Record<string, string>> = { income_tax_expense: 'income_tax' };
const KNOWN_METRIC_KEYS: ReadonlySet<string> = new Set(METRICS.map(({ key }) => key));

function readPrintedFigures(): PrintedFigure[] {
  const rows = readFileSync(PRINTED_FIGURES_PATH, 'utf8').trim().split(/\r?\n/).slice(1);
  return rows.map((row) => {
    const [ticker = '', cik = '', name = '', period = '', end = '', , value = '', unit = '', asOf = ''] =
      row.split(',');
    const metric = KEY_BY_PRINTED_NAME[name] ?? name;
    return { ticker, cik: Number(cik), metric, period, end, value, unit, asOf: asOf === '' ? null : asOf };
  });
}

/** Returns the reason why a figure is missing. */
function explainAbsence({ metric, period, end, asOf }: PrintedFigure, facts: readonly Fact[]): string {
  if (!KNOWN_METRIC_KEYS.has(metric)) return 'not a metric of fin';
  const factsOfPeriod = facts.filter((fact) => fact.end === end && (asOf === null || fact.filed <= asOf));
  if (factsOfPeriod.length === 0) return 'the company facts have no fact of that day';
  const concepts = new Set(listMappingsOfMetric(metric).map(({ concept }) => concept));
  const factsOfConcepts = facts.filter(({ concept }) => concepts.has(concept));
  if (factsOfConcepts.length === 0) return 'the company facts have none of its concepts';
  if (factsOfConcepts.some((fact) => factsOfPeriod.includes(fact))) {
    return period === 'quarter' ? 'only longer periods are reported' : 'reported, and withheld';
  }
  return 'its concepts are reported for other days only';
}

/** Returns the number of figures, and their tickers and metrics as one text. */
function summarizeFigures(figures: readonly PrintedFigure[]): { figures: number; tickersAndMetrics: string } {
  return {
    figures: figures.length,
    tickersAndMetrics: [...new Set(figures.map(({ ticker, metric }) => `${ticker} ${metric}`))].join(', '),
  };
}

testNeeding('printed.csv', existsSync(PRINTED_FIGURES_PATH))(
  'each printed figure equals the derived figure or is absent',
  async () => {
    const publicFiles = await openPublicFiles(getPublicFilePath(''));
    const countsByMetric = new Map<string, { equal: number; absent: number }>();
    const differences: string[] = [];
    const absentFiguresByReason: Record<string, PrintedFigure[]> = {};
    const partialFigureNames = new Set<string>();
    const printedFiguresByCik = new Map<number, PrintedFigure[]>();
    for (const figure of readPrintedFigures()) pushTo(printedFiguresByCik, figure.cik, figure);
    for (const [cik, printedFigures] of printedFiguresByCik) {
      const { facts } = readCompanyFacts((await publicFiles.readFacts(cik)) ?? Buffer.from('{}'));
      const { mainFile, pageFiles } = await publicFiles.readSubmissionFiles(cik);
      const { filings } = readSubmissions(mainFile, pageFiles);
      const { reportedValues } = deriveCompanyFigures(facts, filings, { releaseDate: RELEASE_DATE });
      const figuresByAsOf = new Map<string | null, readonly FigureValue[]>();
      for (const figure of printedFigures) {
        const { ticker, metric, period, end, value, unit, asOf } = figure;
        const counts = countsByMetric.get(metric) ?? { equal: 0, absent: 0 };
        countsByMetric.set(metric, counts);
        const figures = figuresByAsOf.get(asOf) ?? listFigureValues(reportedValues, { asOf });
        figuresByAsOf.set(asOf, figures);
        const derivedFigure = figures.find(
          (row) =>
            row.metricKey === metric &&
            row.end === end &&
            row.periodKind === PERIOD_KIND_BY_NAME[period] &&
            row.unit === unit,
        );
        const figureName = `${ticker} ${metric} ${end}`;
        if (derivedFigure === undefined) {
          counts.absent++;
          const reason = explainAbsence(figure, facts);
          absentFiguresByReason[reason] = [...(absentFiguresByReason[reason] ?? []), figure];
        } else if (compareDecimals(derivedFigure.value, value) === 0) counts.equal++;
        else if (PARTIAL_FIGURE_NAMES.has(figureName) && compareDecimals(derivedFigure.value, value) > 0)
          partialFigureNames.add(figureName);
        else
          differences.push(
            `${figureName}: printed ${value}, derived ${derivedFigure.value} (${derivedFigure.readFrom.concept})`,
          );
      }
    }
    publicFiles.close();
    console.table(Object.fromEntries([...countsByMetric].sort()));
    console.table(
      Object.fromEntries(
        Object.entries(absentFiguresByReason).map(([reason, figures]) => [reason, summarizeFigures(figures)]),
      ),
    );
    expect(differences).toEqual([]);
    const equalCount = [...countsByMetric.values()].reduce((sum, counts) => sum + counts.equal, 0);
    expect(partialFigureNames).toEqual(PARTIAL_FIGURE_NAMES);
    expect(equalCount + partialFigureNames.size).toBeGreaterThanOrEqual(MIN_EXPLAINED_FIGURES);
  },
);
