/** The common fields of metrics, lineage and revisions: company, metric and period. */

import { COMPANY_METRIC_KEYS, findDefinition, isScreenOnly } from '../../../contract/figures.ts';
import { didYouMean } from '../../../contract/nearest.ts';
import { quote } from '../../../contract/text/quote.ts';
import type { FigureValue } from '../../../figures/derived/figure.ts';
import type { FigureKey } from '../../../figures/revisions/revision-chain.ts';
import { ProblemError } from '../../request/handler.ts';
import type { CoveredSecurity } from '../coverage/covered-security.ts';

/**
 * Returns the fields of company and metric. Callers must not spread these fields first in an object literal, because V8
 * would take a microsecond for each later field.
 */
export const makeSubjectFields = ({ security, company }: CoveredSecurity, figure: Pick<FigureKey, 'metricKey'>) => ({
  cik: company.cik,
  entity_name: company.entityName,
  ticker: security.ticker,
  exchange: security.exchange,
  metric_key: figure.metricKey,
  metric_label: getMetricLabel(figure.metricKey),
});

/** Returns the rows, marked if the release has only some of the company's facts. */
export const markPartialFacts = <Row>({ company }: Pick<CoveredSecurity, 'company'>, rows: Row[]): Row[] =>
  company.partialFacts === true ? rows.map((row) => ({ ...row, partial_facts: true })) : rows;

type FigurePeriod = Pick<FigureValue, 'periodKind' | 'start' | 'end' | 'fiscalYear' | 'fiscalPeriod'>;

export const makePeriodFields = ({ periodKind, start, end, fiscalYear, fiscalPeriod }: FigurePeriod) => ({
  period_kind: periodKind,
  start_date: start,
  end_date: end,
  fiscal_year: fiscalYear,
  fiscal_period: fiscalPeriod,
});

/** Returns the label of a figure; for an unknown figure in a release of another version, returns the key. */
export const getMetricLabel = (key: string): string => findDefinition(key)?.label ?? key;

/** @throws {ProblemError} 404 if no figure has the key in the request's path, or if only the screener has the figure */
export function requireMetric(key: string): void {
  if (COMPANY_METRIC_KEYS.includes(key)) return;
  throw new ProblemError(
    'not_found',
    isScreenOnly(key)
      ? `${quote(key)} is available only in the screener: it has no metric values, lineage or revisions. See the column ${key} of /v1/screen.`
      : `There is no metric ${quote(key)}.${didYouMean(key, COMPANY_METRIC_KEYS)} The catalog lists all metrics.`,
  );
}
