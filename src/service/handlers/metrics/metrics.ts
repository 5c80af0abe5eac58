/** `/v1/securities/{ticker}/metrics`: what a company reported, and figures derived from it. */
import type { MetricValue } from '../../../contract/resources/metrics.ts';
import { collapse } from '../../../figures/figure-values.ts';
import type { FigureValue } from '../../../figures/metrics/figure.ts';
import type { Handler } from '../../handler.ts';
import { type CoveredSecurity, coveredSecurity } from '../covered-security.ts';
import { companyFigures } from './company-figures.ts';
import { periodFields, subjectFields } from './metric-fields.ts';

/** The most rows, unless both `keys` and `collapse` narrow the answer. */
const WIDE_LIMIT = 500;

export const metrics: Handler<'metrics'> = async ({ release, parameters }) => {
  const covered = await coveredSecurity(release, parameters.ticker);
  const { keys = null, as_of: asOf = null, period, collapse: collapsed } = parameters;
  const limit = keys !== null && collapsed ? parameters.limit : Math.min(parameters.limit, WIDE_LIMIT);
  const query = { keys, asOf, period, twelveMonths: period === 'all' };
  const values = await companyFigures(release, covered.company.cik, query);
  const rows = collapsed ? collapse(values) : values;
  return {
    data: rows.slice(0, limit).map((value) => rowOf(covered, value)),
    meta: { ticker: covered.security.ticker, limit },
  };
};

function rowOf(covered: CoveredSecurity, value: FigureValue): MetricValue {
  const { readFrom } = value;
  return {
    ...subjectFields(covered, value),
    statement: value.statementName,
    value: value.value,
    unit: value.unit,
    value_kind: value.valueKind,
    confidence: value.confidence,
    ...periodFields(value),
    revised: value.revised,
    revision_count: value.revisionCount,
    read_from: {
      accession_number: readFrom.accession,
      revision_rank: readFrom.rank,
      kind: readFrom.kind,
      filed_at: readFrom.filed,
      form: readFrom.form,
    },
  };
}
