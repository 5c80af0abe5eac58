/** `/v1/securities/{ticker}/metrics`: what a company reported, and figures derived from it. */
import type { MetricValue } from '../../../contract/resources/metrics.ts';
import { ratioDecimal } from '../../../contract/split-ratio.ts';
import { type AnsweredFigure, answeredFigure } from '../../../figures/answered-figure.ts';
import { findBasisBreaks } from '../../../figures/derived/basis-breaks.ts';
import { isOnRequest } from '../../../figures/derived/formulas.ts';
import { createSplitAdjuster, RESTATED_METRICS } from '../../../figures/derived/shares-of-today.ts';
import { dropDuplicates, type FigureQuery } from '../../../figures/figure-values.ts';
import { metricOf } from '../../../figures/metrics/metric-rules.ts';
import { splitsProvenBy } from '../../../figures/shares/splits.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import { LATEST_FIGURES } from '../../../store/schema/latest-figures.ts';
import type { Handler } from '../../handler.ts';
import { type CoveredSecurity, coveredSecurity } from '../covered-security.ts';
import { metricValueId } from '../identity.ts';
import { companyFigures } from './company-figures.ts';
import { periodFields, subjectFields } from './metric-fields.ts';

/** Maximum number of rows, unless both `keys` and `collapse` narrow the answer. */
const WIDE_LIMIT = 500;

export const metrics: Handler<'metrics'> = async ({ release, parameters }) => {
  const covered = await coveredSecurity(release, parameters.ticker);
  const { keys = null, as_of: asOf = null, period, collapse: collapsed, values } = parameters;
  const { split_adjusted: splitAdjusted } = parameters;
  const limit = keys !== null && collapsed ? parameters.limit : Math.min(parameters.limit, WIDE_LIMIT);
  const { cik } = covered.company;
  const query = { keys, asOf, period, values, twelveMonths: period === 'all' };
  const latest = splitAdjusted ? null : await latestFigures(release, cik, query);
  const data =
    latest?.slice(0, limit).map((value) => rowOf(covered, value)) ??
    (await derivedRows(release, covered, query, { collapsed, limit, splitAdjusted }));
  return { data, meta: { ticker: covered.security.ticker, limit } };
};

/**
 * Returns rows stored in the release; null if it lacks the requested ones. There is one per metric and unit, so
 * collapsing changes nothing.
 */
async function latestFigures(
  release: ReleaseReader,
  cik: number,
  { keys, asOf, period, values }: Pick<FigureQuery, 'keys' | 'asOf' | 'period' | 'values'>,
): Promise<readonly AnsweredFigure[] | null> {
  const isStored = period === 'latest' && asOf === null && values !== 'first' && keys?.some(isOnRequest) !== true;
  if (!isStored || !release.includes(LATEST_FIGURES)) return null;
  const figures = await release.rowsOf(LATEST_FIGURES, cik);
  return keys == null ? figures : figures.filter(({ metricKey }) => keys.includes(metricKey));
}

async function derivedRows(
  release: ReleaseReader,
  covered: CoveredSecurity,
  query: FigureQuery,
  { collapsed, limit, splitAdjusted }: Narrowed,
): Promise<MetricValue[]> {
  // Reads more, because collapsing removes rows.
  const { standing } = await companyFigures(release, covered.company.cik, query, collapsed ? undefined : limit);
  const breaks = findBasisBreaks(standing);
  const adjusted = splitAdjusted ? await sharesOfToday(release, covered.company.cik, query.asOf ?? null) : null;
  return (collapsed ? dropDuplicates(standing) : standing).slice(0, limit).map((filed) => {
    const { figure, ratio } = adjusted?.(filed) ?? { figure: filed, ratio: undefined };
    const row = rowOf(covered, answeredFigure(figure));
    return {
      ...row,
      ...(breaks.has(filed) ? { basis_break: true } : {}),
      ...(ratio === undefined ? {} : { split_ratio: ratio === null ? null : ratioDecimal(ratio) }),
    };
  });
}

interface Narrowed {
  readonly collapsed: boolean;
  readonly limit: number;
  readonly splitAdjusted: boolean;
}

/** As of a day, today's shares are those of the splits that filings had proven by then. */
async function sharesOfToday(release: ReleaseReader, cik: number, asOf: string | null) {
  const splits = splitsProvenBy(asOf, await release.splits(cik));
  const restated = splits.length === 0 ? [] : await release.reportedValues(cik, RESTATED_METRICS);
  return createSplitAdjuster(
    restated.filter(({ filed }) => asOf === null || filed <= asOf),
    splits,
  );
}

function rowOf(covered: CoveredSecurity, value: AnsweredFigure): MetricValue {
  return {
    metric_value_id: metricValueId(covered.company.cik, value),
    ...subjectFields(covered, value),
    statement: metricOf(value.metricKey)?.statement ?? null,
    value: value.value,
    unit: value.unit,
    value_kind: value.valueKind,
    confidence: value.confidence,
    ...periodFields(value),
    revised: value.revisionCount > 0,
    revision_count: value.revisionCount,
    read_from: {
      accession_number: value.accession,
      revision_rank: value.rank,
      kind: value.kind,
      filed_at: value.filed,
      form: value.form,
    },
  };
}
