/** `/v1/securities/{ticker}/metrics/{metric_key}/revisions`: what each filing said of each value, and what changed. */

import { compareText } from '../../../contract/compare-text.ts';
import { subtract } from '../../../contract/decimal.ts';
import type { MetricRevision } from '../../../contract/resources/metrics.ts';
import type { ReportedValue } from '../../../figures/revisions/revision-chain.ts';
import { chainsOf } from '../../../figures/revisions/revision-chain.ts';
import type { Handler } from '../../handler.ts';
import { type CoveredSecurity, coveredSecurity } from '../covered-security.ts';
import { metricValueId, rawFactId } from '../identity.ts';
import { periodFields, subjectFields } from './metric-fields.ts';
import { requireMetric } from './metric-keys.ts';

/** All statements of one value, in filing order; there is at least one. */
interface Chain {
  readonly id: string;
  readonly statements: readonly ReportedValue[];
  readonly standing: ReportedValue;
}

export const revisions: Handler<'revisions'> = async ({ release, parameters }) => {
  const covered = await coveredSecurity(release, parameters.ticker);
  const key = parameters.metric_key;
  requireMetric(key);
  const { cik } = covered.company;
  const only = parameters.metric_value_id;
  const year = parameters.fiscal_year;
  const period = parameters.fiscal_period;
  // A derived figure has no statement of its own, so a key that is never reported has no chain.
  const chains = chainsOf(await release.reportedValues(cik, [key]))
    .flatMap((statements) => identify(cik, statements))
    .filter(
      ({ id, standing }) =>
        (only === undefined || id === only) &&
        (year === undefined || standing.fiscalYear === year) &&
        (period === undefined || standing.fiscalPeriod === period),
    )
    .sort((a, b) => compareChains(a.standing, b.standing));
  const rows = chains.flatMap((chain) => chain.statements.map((_, index) => rowOf(covered, chain, index)));
  return { data: rows.slice(0, parameters.limit), meta: { ticker: covered.security.ticker } };
};

function identify(cik: number, statements: readonly ReportedValue[]): Chain[] {
  const standing = statements.at(-1);
  return standing === undefined ? [] : [{ id: metricValueId(cik, standing), statements, standing }];
}

/** The latest period first; of periods that end on one day the shortest. Within a chain, filing order. */
function compareChains(a: ReportedValue, b: ReportedValue): number {
  return compareText(b.end, a.end) || compareText(b.start ?? '', a.start ?? '') || compareText(a.unit, b.unit);
}

function rowOf(covered: CoveredSecurity, chain: Chain, index: number): MetricRevision {
  const statement = chain.statements[index] ?? chain.standing;
  const previous = chain.statements[index - 1]?.value ?? null;
  return {
    ...subjectFields(covered, chain.standing),
    metric_unit: statement.unit,
    ...periodFields(statement),
    revision_rank: statement.rank,
    kind: statement.kind,
    value: statement.value,
    previous_value: previous,
    delta: statement.kind === 'revised' && previous !== null ? subtract(statement.value, previous) : null,
    split_ratio: statement.splitRatio,
    standing: statement === chain.standing,
    raw_fact_id: rawFactId(covered.company.cik, statement),
    accession_number: statement.accession,
    form: statement.form,
    filed_at: statement.filed,
  };
}
