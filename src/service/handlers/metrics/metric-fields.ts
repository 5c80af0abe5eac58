/** The common fields of metrics, lineage and revisions: company, metric and period. */

import { COMPANY_KEYS, figureOf, isScreenOnly } from '../../../contract/figures.ts';
import { didYouMean } from '../../../contract/text/nearest.ts';
import { quote } from '../../../contract/text/quote.ts';
import type { FigureValue } from '../../../figures/derived/figure.ts';
import type { FigureKey } from '../../../figures/revisions/revision-chain.ts';
import { ProblemError } from '../../problem-error.ts';
import type { CoveredSecurity } from '../covered-security.ts';

/**
 * Does not spread the result at the beginning of a literal: V8 would take a microsecond for each field that follows.
 */
export function subjectFields({ security, company }: CoveredSecurity, figure: Pick<FigureKey, 'metricKey'>) {
  return {
    cik: company.cik,
    entity_name: company.entityName,
    ticker: security.ticker,
    exchange: security.exchange,
    metric_key: figure.metricKey,
    metric_label: metricLabel(figure.metricKey),
  };
}

type FigurePeriod = Pick<FigureValue, 'periodKind' | 'start' | 'end' | 'fiscalYear' | 'fiscalPeriod'>;

export function periodFields({ periodKind, start, end, fiscalYear, fiscalPeriod }: FigurePeriod) {
  return {
    period_kind: periodKind,
    start_date: start,
    end_date: end,
    fiscal_year: fiscalYear,
    fiscal_period: fiscalPeriod,
  };
}

/** Returns the label of a figure, or its key if a release of another version has an unknown one. */
export function metricLabel(key: string): string {
  return figureOf(key)?.label ?? key;
}

/** @throws {ProblemError} 404 if the path's key is not a figure of companies */
export function requireMetric(key: string): void {
  if (COMPANY_KEYS.includes(key)) return;
  throw new ProblemError(
    'not_found',
    `There is no metric ${quote(key)}.${isScreenOnly(key) ? '' : didYouMean(key, COMPANY_KEYS)} The catalog lists all metrics.`,
  );
}
