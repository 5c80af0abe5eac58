/** `/v1/securities/{ticker}/metrics`: figures that a company reported, and figures derived from them. */
import type { ParametersOf } from '../../../contract/operations.ts';
import type { MetricValue } from '../../../contract/resources/metrics.ts';
import { convertToDecimal } from '../../../contract/split-ratio.ts';
import { findFiguresAfterBasisBreak } from '../../../figures/derived/basis-breaks.ts';
import { dropDuplicates, type FigureQuery } from '../../../figures/figure-values.ts';
import { findMetricByKey } from '../../../figures/metrics/metric-rules.ts';
import { findOutlyingQuarters, OUTLYING_QUARTER_RELATION } from '../../../figures/relations/outlying-quarters.ts';
import { type ResponseFigure, toResponseFigure } from '../../../figures/response-figure.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import type { Handler } from '../../request/handler.ts';
import { type CoveredSecurity, findSecurity } from '../coverage/covered-security.ts';
import { makeMetricValueId } from '../coverage/identity.ts';
import { isLatestFiguresRequest, openAdjuster, readStoredFigures, selectCompanyFigures } from './company-figures.ts';
import { getMetricLabel, markPartialFacts } from './metric-fields.ts';

/** Maximum number of rows of a request without `keys` or without `collapse`. */
const MAX_UNFILTERED_ROWS = 500;

export const handleMetrics: Handler<'metrics'> = async ({ release, parameters }) => {
  const security = await findSecurity(release, parameters.ticker);
  const { keys = null, as_of: asOf = null, period, collapse: collapsed, values } = parameters;
  const limit = keys !== null && collapsed ? parameters.limit : Math.min(parameters.limit, MAX_UNFILTERED_ROWS);
  const { cik } = security.company;
  const query = { keys, asOf, period, values, twelveMonths: period === 'all' };
  const stored = isLatestFiguresRequest(parameters) ? await readStoredFigures(release, cik, keys) : null;
  const data =
    stored?.slice(0, limit).map((value) => toMetricRow(security, value)) ??
    (await deriveRows(release, security, query, limit, parameters));
  return { data: markPartialFacts(security, data), meta: { ticker: security.security.ticker, limit } };
};

async function deriveRows(
  release: ReleaseReader,
  security: CoveredSecurity,
  query: FigureQuery,
  limit: number,
  { collapse: collapsed, split_adjusted: isSplitAdjusted }: ParametersOf<'metrics'>,
): Promise<MetricValue[]> {
  // Derives all figures if duplicates are dropped, because the number of duplicates is unknown in advance.
  const { cik } = security.company;
  const { currentFigures } = await selectCompanyFigures(release, cik, query, collapsed ? undefined : limit);
  const breaks = findFiguresAfterBasisBreak(currentFigures);
  const outlying = findOutlyingQuarters(currentFigures);
  const adjust = isSplitAdjusted ? await openAdjuster(release, security.company.cik, query.asOf ?? null) : null;
  return (collapsed ? dropDuplicates(currentFigures) : currentFigures).slice(0, limit).map((filed) => {
    const { figure, ratio } = adjust?.(filed) ?? { figure: filed, ratio: undefined };
    const row = toMetricRow(security, toResponseFigure(figure, query.asOf ?? null));
    return {
      ...(outlying.has(filed) ? { unconfirmed: OUTLYING_QUARTER_RELATION } : {}),
      ...row,
      ...(breaks.has(filed) ? { basis_break: true } : {}),
      ...(ratio === undefined ? {} : { split_ratio: ratio && convertToDecimal(ratio) }),
    };
  });
}

/** Lists all fields, because spreading `makeSubjectFields()` and `makePeriodFields()` takes five times as long. */
function toMetricRow({ company, security }: CoveredSecurity, value: ResponseFigure): MetricValue {
  const { metricKey, accession, rank, kind, filed, form } = value;
  return {
    metric_value_id: makeMetricValueId(company.cik, value),
    cik: company.cik,
    entity_name: company.entityName,
    ticker: security.ticker,
    exchange: security.exchange,
    metric_key: metricKey,
    metric_label: getMetricLabel(metricKey),
    statement: findMetricByKey(metricKey)?.statement ?? null,
    value: value.value,
    unit: value.unit,
    value_kind: value.valueKind,
    confidence: value.confidence,
    period_kind: value.periodKind,
    start_date: value.start,
    end_date: value.end,
    fiscal_year: value.fiscalYear,
    fiscal_period: value.fiscalPeriod,
    revised: value.revisionCount > 0,
    revision_count: value.revisionCount,
    read_from: { accession_number: accession, revision_rank: rank, kind, filed_at: filed, form },
    ...(value.unconfirmed === null ? {} : { unconfirmed: value.unconfirmed }),
  };
}
