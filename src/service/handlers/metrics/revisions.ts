/**
 * `/v1/securities/{ticker}/metrics/{metric_key}/revisions`: the values that filings reported for each period.
 */
import { compareText } from '../../../contract/compare-text.ts';
import { subtract } from '../../../contract/decimal.ts';
import type { MetricRevision } from '../../../contract/resources/metrics.ts';
import { convertToDecimal } from '../../../contract/split-ratio.ts';
import { toReportedFigure } from '../../../figures/derived/figure.ts';
import { preferCoverCounts, SHARE_COUNT_KEY } from '../../../figures/derived/share-counts.ts';
import type { AdjustedFigure } from '../../../figures/derived/shares-of-today.ts';
import type { ReportedValue, SelectedValue } from '../../../figures/revisions/revision-chain.ts';
import { selectReliableValues, selectValueAsOf, splitIntoChains } from '../../../figures/revisions/revision-chain.ts';
import { assertDefined } from '../../../platform/collections.ts';
import type { Handler } from '../../request/handler.ts';
import { type CoveredSecurity, findSecurity } from '../coverage/covered-security.ts';
import { makeMetricValueId, makeRawFactId } from '../coverage/identity.ts';
import { openAdjuster } from './company-figures.ts';
import { makePeriodFields, makeSubjectFields, markPartialFacts, requireMetric } from './metric-fields.ts';

/** The revision chain of one value: the value in each filing that reported it, in filing order; not empty. */
interface RevisionChain {
  readonly values: readonly ReportedValue[];
  /** The current value, usually the last value of the chain. */
  readonly standing: ReportedValue;
}

export const handleRevisions: Handler<'revisions'> = async ({ release, parameters }) => {
  const security = await findSecurity(release, parameters.ticker);
  const { metric_key: key, metric_value_id: valueId, fiscal_year: year, fiscal_period: period, limit } = parameters;
  const { split_adjusted: adjusted } = parameters;
  requireMetric(key);
  const { cik } = security.company;
  const adjustFigure = adjusted ? await openAdjuster(release, cik, null) : null;
  const adjust: ValueAdjuster = (value) => adjustFigure?.(toReportedFigure(toSelectedValue(value))) ?? null;
  const data: MetricRevision[] = [];
  for (const chain of listShownChains(await release.reportedValues(cik, [key]))) {
    if (data.length === limit) break;
    const { values, standing } = chain;
    const isRequested =
      (valueId === undefined || makeMetricValueId(cik, standing) === valueId) &&
      (year === undefined || standing.fiscalYear === year) &&
      (period === undefined || standing.fiscalPeriod === period);
    const selection = isRequested ? values.slice(0, limit - data.length) : [];
    data.push(...selection.map((value, index) => toRevisionRow(security, chain, value, index, adjust)));
  }
  return { data: markPartialFacts(security, data), meta: { ticker: security.security.ticker } };
};

/**
 * Yields the revision chains from which the figures of one metric are read, in the order of the response. Omits derived
 * figures, which no filing reports, and chains in which other filings contradict every value.
 */
function* listShownChains(reported: readonly ReportedValue[]): Generator<RevisionChain> {
  // Compares the first values, because all values of a chain have the same period.
  const chains = splitIntoChains(reported).sort(([a], [b]) => comparePeriods(assertDefined(a), assertDefined(b)));
  const isShown = reported[0]?.metricKey === SHARE_COUNT_KEY ? createShareCountTest(chains) : () => true;
  for (const values of chains) {
    const standing = selectValueAsOf(values, null)?.reported ?? null;
    if (standing !== null && isShown(standing)) yield { values, standing };
  }
}

/**
 * Returns a test for share counts: it rejects a balance sheet's count if the cover of a filing has a count for the same
 * period.
 */
function createShareCountTest(chains: readonly (readonly ReportedValue[])[]): (standing: ReportedValue) => boolean {
  const values = chains.map((chain) => selectValueAsOf(chain, null)).filter((source) => source !== null);
  const figures = preferCoverCounts(values.map(toReportedFigure));
  const shownValues = new Set(figures.map(({ terms: [term] }) => term?.source.reported));
  return (standing) => shownValues.has(standing);
}

/** Returns the figure adjusted for later splits; null unless the request has `split_adjusted`. */
type ValueAdjuster = (value: ReportedValue) => AdjustedFigure | null;

function toSelectedValue(reported: ReportedValue): SelectedValue {
  const chain = [reported];
  return { reported, chain, knownValues: chain, reports: chain };
}

/** Sorts the latest period first; among periods with the same end, the shortest first. */
const comparePeriods = (a: ReportedValue, b: ReportedValue): number =>
  compareText(b.end, a.end) || compareText(b.start ?? '', a.start ?? '') || compareText(a.unit, b.unit);

function toRevisionRow(
  security: CoveredSecurity,
  chain: RevisionChain,
  reported: ReportedValue,
  index: number,
  adjust: ValueAdjuster,
): MetricRevision {
  const previouss = chain.values.slice(0, index);
  const earlier = selectReliableValues(previouss, reported.filed).at(-1) ?? previouss.at(-1) ?? null;
  const result = adjust(reported);
  const earlierResult = earlier && adjust(earlier);
  const value = result?.figure.value ?? reported.value;
  const previous = earlierResult?.figure.value ?? earlier?.value ?? null;
  const isComparable = result?.ratio !== null && earlierResult?.ratio !== null;
  return {
    metric_value_id: makeMetricValueId(security.company.cik, chain.standing),
    ...makeSubjectFields(security, chain.standing),
    metric_unit: reported.unit,
    ...makePeriodFields(reported),
    revision_rank: reported.rank,
    kind: reported.kind,
    value,
    previous_value: previous,
    delta: reported.kind === 'revised' && previous !== null && isComparable ? subtract(value, previous) : null,
    split_ratio: reported.splitRatio,
    ...(reported.unconfirmed === null ? {} : { unconfirmed: reported.unconfirmed }),
    ...(result?.ratio === undefined ? {} : { adjustment_ratio: result.ratio && convertToDecimal(result.ratio) }),
    standing: reported === chain.standing,
    raw_fact_id: makeRawFactId(security.company.cik, reported),
    accession_number: reported.accession,
    form: reported.form,
    filed_at: reported.filed,
  };
}
