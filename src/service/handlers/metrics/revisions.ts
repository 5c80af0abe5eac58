/**
 * `/v1/securities/{ticker}/metrics/{metric_key}/revisions`: the values that filings reported for each period.
 */
import { compareText } from '../../../contract/compare-text.ts';
import { subtract } from '../../../contract/decimal.ts';
import type { MetricRevision } from '../../../contract/resources/metrics.ts';
import { convertRatioToDecimal } from '../../../contract/split-ratio.ts';
import { toReportedFigure } from '../../../figures/derived/figure.ts';
import { preferCoverCounts, SHARE_COUNT_KEY } from '../../../figures/derived/share-counts.ts';
import type { AdjustedFigure } from '../../../figures/derived/shares-of-today.ts';
import {
  type ReportedValue,
  type SelectedValue,
  selectReliableValues,
  selectValueAsOf,
  splitIntoChains,
} from '../../../figures/revisions/revision-chain.ts';
import { assertDefined } from '../../../platform/assert-defined.ts';
import type { Handler } from '../../request/handler.ts';
import { type CoveredSecurity, findCoveredSecurity } from '../coverage/covered-security.ts';
import { makeMetricValueId, makeRawFactId } from '../coverage/identity.ts';
import { makePeriodFields, makeSubjectFields, markPartialFacts, requireMetric } from './metric-fields.ts';
import { openSplitAdjuster } from './split-adjuster.ts';

/** The revision chain of one value: the value in each filing that reported it, in filing order; not empty. */
interface RevisionChain {
  readonly values: readonly ReportedValue[];
  /** The current value, usually the last value of the chain. */
  readonly standing: ReportedValue;
}

export const handleRevisions: Handler<'revisions'> = async ({ release, parameters }) => {
  const coveredSecurity = await findCoveredSecurity(release, parameters.ticker);
  const { metric_key: key, metric_value_id: valueId, fiscal_year: year, fiscal_period: period, limit } = parameters;
  const { split_adjusted: isSplitAdjusted } = parameters;
  requireMetric(key);
  const { cik } = coveredSecurity.company;
  const adjustFigure = isSplitAdjusted ? await openSplitAdjuster(release, cik, null) : null;
  const adjustValue: ValueAdjuster = (value) => adjustFigure?.(toReportedFigure(toSelectedValue(value))) ?? null;
  const data: MetricRevision[] = [];
  for (const chain of listShownChains(await release.reportedValues(cik, [key]))) {
    if (data.length === limit) break;
    const { values, standing } = chain;
    const isRequested =
      (valueId === undefined || makeMetricValueId(cik, standing) === valueId) &&
      (year === undefined || standing.fiscalYear === year) &&
      (period === undefined || standing.fiscalPeriod === period);
    const shownValues = isRequested ? values.slice(0, limit - data.length) : [];
    data.push(...shownValues.map((value, index) => toRevisionRow(coveredSecurity, chain, value, index, adjustValue)));
  }
  return { data: markPartialFacts(coveredSecurity, data), meta: { ticker: coveredSecurity.security.ticker } };
};

/**
 * Yields the revision chains from which the figures of one metric are read, in the order of the response. Omits derived
 * figures, which no filing reports, and chains in which other filings contradict every value.
 */
function* listShownChains(reportedValues: readonly ReportedValue[]): Generator<RevisionChain> {
  // All values of a chain have the same period.
  const chains = splitIntoChains(reportedValues).sort(([a], [b]) => comparePeriods(assertDefined(a), assertDefined(b)));
  const isShownValue = reportedValues[0]?.metricKey === SHARE_COUNT_KEY ? createShareCountTest(chains) : () => true;
  for (const values of chains) {
    const standingValue = selectValueAsOf(values, null)?.reported ?? null;
    if (standingValue !== null && isShownValue(standingValue)) yield { values, standing: standingValue };
  }
}

/**
 * Returns a test for share counts: it rejects a balance sheet's count if the cover of a filing has a count for the same
 * period.
 */
function createShareCountTest(chains: readonly (readonly ReportedValue[])[]): (standing: ReportedValue) => boolean {
  const standingValues = chains.map((chain) => selectValueAsOf(chain, null)).filter((source) => source !== null);
  const shownValues = new Set(
    preferCoverCounts(standingValues.map(toReportedFigure)).map(({ terms: [term] }) => term?.source.reported),
  );
  return (standingValue) => shownValues.has(standingValue);
}

/** Returns the figure adjusted for later splits; null unless the request has `split_adjusted`. */
type ValueAdjuster = (value: ReportedValue) => AdjustedFigure | null;

function toSelectedValue(reported: ReportedValue): SelectedValue {
  const chain = [reported];
  return { reported, chain, knownValues: chain, reports: chain };
}

/** Sorts the latest period first; among periods with the same end, the shortest first. */
function comparePeriods(a: ReportedValue, b: ReportedValue): number {
  return compareText(b.end, a.end) || compareText(b.start ?? '', a.start ?? '') || compareText(a.unit, b.unit);
}

function toRevisionRow(
  coveredSecurity: CoveredSecurity,
  chain: RevisionChain,
  reportedValue: ReportedValue,
  index: number,
  adjust: ValueAdjuster,
): MetricRevision {
  const previousValues = chain.values.slice(0, index);
  const previousReportedValue =
    selectReliableValues(previousValues, reportedValue.filed).at(-1) ?? previousValues.at(-1) ?? null;
  const [adjustedFigure, adjustedPreviousFigure] = [
    adjust(reportedValue),
    previousReportedValue && adjust(previousReportedValue),
  ];
  const value = adjustedFigure?.figure.value ?? reportedValue.value;
  const previousValue = adjustedPreviousFigure?.figure.value ?? previousReportedValue?.value ?? null;
  const isComparable = adjustedFigure?.ratio !== null && adjustedPreviousFigure?.ratio !== null;
  return {
    metric_value_id: makeMetricValueId(coveredSecurity.company.cik, chain.standing),
    ...makeSubjectFields(coveredSecurity, chain.standing),
    metric_unit: reportedValue.unit,
    ...makePeriodFields(reportedValue),
    revision_rank: reportedValue.rank,
    kind: reportedValue.kind,
    value,
    previous_value: previousValue,
    delta:
      reportedValue.kind === 'revised' && previousValue !== null && isComparable
        ? subtract(value, previousValue)
        : null,
    split_ratio: reportedValue.splitRatio,
    ...(reportedValue.unconfirmed === null ? {} : { unconfirmed: reportedValue.unconfirmed }),
    ...(adjustedFigure?.ratio === undefined
      ? {}
      : { adjustment_ratio: adjustedFigure.ratio && convertRatioToDecimal(adjustedFigure.ratio) }),
    standing: reportedValue === chain.standing,
    raw_fact_id: makeRawFactId(coveredSecurity.company.cik, reportedValue),
    accession_number: reportedValue.accession,
    form: reportedValue.form,
    filed_at: reportedValue.filed,
  };
}
