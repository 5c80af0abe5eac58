/** `/v1/securities/{ticker}/metrics/{metric_key}/revisions`: the value in each filing that reported it, and what changed. */
import { compareText } from '../../../contract/compare-text.ts';
import { subtract } from '../../../contract/decimal.ts';
import type { MetricRevision } from '../../../contract/resources/metrics.ts';
import { chainsOf, type ReportedValue, reliableBy, standingIn } from '../../../figures/revisions/revision-chain.ts';
import type { Handler } from '../../handler.ts';
import { type CoveredSecurity, coveredSecurity } from '../covered-security.ts';
import { metricValueId, rawFactId } from '../identity.ts';
import { selectedFigures } from './company-figures.ts';
import { periodFields, requireMetric, subjectFields } from './metric-fields.ts';

/** The revision chain of one value: as each filing reported it, in filing order; there is at least one. */
interface Chain {
  readonly id: string;
  readonly values: readonly ReportedValue[];
  /** Null where filings show every value to be wrong. */
  readonly standing: ReportedValue | null;
  /** What the figure is of. */
  readonly subject: ReportedValue;
}

export const revisions: Handler<'revisions'> = async ({ release, parameters }) => {
  const covered = await coveredSecurity(release, parameters.ticker);
  const { metric_key: key, metric_value_id: id, fiscal_year: year, fiscal_period: period, limit } = parameters;
  requireMetric(key);
  const { cik } = covered.company;
  // No filing reports a derived figure, so it has no chain.
  const { standing, contradicted } = await selectedFigures(release, cik, { keys: [key], contradicted: true });
  // A balance sheet's share count is no figure where a cover has one for the period.
  const ids = new Set([...standing, ...contradicted].map((figure) => metricValueId(cik, figure)));
  const chains = chainsOf(await release.reportedValues(cik, [key]))
    .map((values) => identify(cik, values))
    .filter(
      (chain) =>
        ids.has(chain.id) &&
        (id === undefined || chain.id === id) &&
        (year === undefined || chain.subject.fiscalYear === year) &&
        (period === undefined || chain.subject.fiscalPeriod === period),
    )
    .sort((a, b) => compareChains(a.subject, b.subject));
  const rows = chains.flatMap((chain) => chain.values.map((value, index) => ({ chain, value, index })));
  const data = rows.slice(0, limit).map(({ chain, value, index }) => rowOf(covered, chain, value, index));
  return { data, meta: { ticker: covered.security.ticker } };
};

function identify(cik: number, values: readonly ReportedValue[]): Chain {
  const standing = standingIn(reliableBy(values, null));
  const subject = standing ?? standingIn(values);
  if (subject === null) throw new Error('a revision chain without a value');
  return { id: metricValueId(cik, subject), values, standing, subject };
}

/** The latest period first; of periods that end on one day the shortest. Within a chain, filing order. */
function compareChains(a: ReportedValue, b: ReportedValue): number {
  return compareText(b.end, a.end) || compareText(b.start ?? '', a.start ?? '') || compareText(a.unit, b.unit);
}

function rowOf(covered: CoveredSecurity, chain: Chain, reported: ReportedValue, index: number): MetricRevision {
  const before = chain.values.slice(0, index);
  const previous = (reliableBy(before, reported.filed).at(-1) ?? before.at(-1))?.value ?? null;
  return {
    ...subjectFields(covered, chain.subject),
    metric_unit: reported.unit,
    ...periodFields(reported),
    revision_rank: reported.rank,
    kind: reported.kind,
    value: reported.value,
    previous_value: previous,
    delta: reported.kind === 'revised' && previous !== null ? subtract(reported.value, previous) : null,
    split_ratio: reported.splitRatio,
    standing: reported === chain.standing,
    raw_fact_id: rawFactId(covered.company.cik, reported),
    accession_number: reported.accession,
    form: reported.form,
    filed_at: reported.filed,
  };
}
