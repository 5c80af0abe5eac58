/** `/v1/securities/{ticker}/metrics`: what a company reported, and what follows from it. */

import type { MetricValue } from '../../../contract/resources/metrics.ts';
import type { FigureValue } from '../../../figures/metrics/figure.ts';
import { collapse, type PeriodChoice } from '../../../figures/select.ts';
import type { Handler } from '../../handler.ts';
import { type CoveredSecurity, coveredSecurity } from '../covered-security.ts';
import { companyFigures } from './company-figures.ts';
import { periodFields, subjectFields } from './metric-fields.ts';

/** The most rows where not both `keys` and `collapse` narrow the answer (interface, "Metrics rules", 1). */
const WIDE_LIMIT = 500;

export const metrics: Handler<'metrics'> = async ({ release, parameters }) => {
  const covered = await coveredSecurity(release, parameters.ticker);
  const keys = parameters.keys;
  const narrow = parameters.collapse === true;
  const asked = parameters.limit;
  const limit = keys !== undefined && narrow ? asked : Math.min(asked, WIDE_LIMIT);

  const asOf = parameters.as_of ?? null;
  const period = parameters.period as PeriodChoice;
  const values = await companyFigures(release, covered.company.cik, { keys: keys ?? null, asOf, period });
  const rows = narrow ? collapse(values) : values;
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
