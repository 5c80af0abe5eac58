/** The fields that metrics, lineage and revisions share: the company, the metric and the period. */
import type { FigureValue } from '../../../figures/metrics/figure.ts';
import type { FigureKey } from '../../../figures/revisions/revision-chain.ts';
import type { CoveredSecurity } from '../covered-security.ts';
import { metricValueId } from '../identity.ts';
import { metricLabel } from './metric-keys.ts';

export function subjectFields({ security, company }: CoveredSecurity, figure: FigureKey) {
  return {
    metric_value_id: metricValueId(company.cik, figure),
    cik: company.cik,
    entity_name: company.entityName,
    ticker: security.ticker,
    exchange: security.exchange,
    metric_key: figure.metricKey,
    metric_label: metricLabel(figure.metricKey),
  };
}

type Dated = Pick<FigureValue, 'periodKind' | 'start' | 'end' | 'fiscalYear' | 'fiscalPeriod'>;

export function periodFields({ periodKind, start, end, fiscalYear, fiscalPeriod }: Dated) {
  return {
    period_kind: periodKind,
    start_date: start,
    end_date: end,
    fiscal_year: fiscalYear,
    fiscal_period: fiscalPeriod,
  };
}
