/** Reads the figures of one company in a release, stored or derived: current, or as of a date; adjusts them for splits. */

import { METRIC_KEYS } from '../../../contract/figures.ts';
import type { Question } from '../../../contract/question.ts';
import { isDerivedOnRequest } from '../../../figures/derived/formulas.ts';
import { isEarningsPerShare } from '../../../figures/derived/quarterly-eps.ts';
import {
  createSplitAdjuster,
  limitToProvenRanges,
  RESTATED_METRICS,
  SPLIT_RANGE_METRICS,
} from '../../../figures/derived/shares-of-today.ts';
import type { FigureQuery } from '../../../figures/figure-values.ts';
import { findMetricsThatFillLimit, listInputMetrics, selectFigures } from '../../../figures/figure-values.ts';
import { selectSplitsProvenBy } from '../../../figures/shares/splits.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import { LATEST_FIGURES } from '../../../store/schema/reported-values.ts';

/**
 * Returns the figures that a query selects.
 * @param limit number of figures needed from the start of the list; more may be returned. Ignored if `query.keys` is
 * given.
 */
export async function selectCompanyFigures(release: ReleaseReader, cik: number, query: FigureQuery, limit?: number) {
  const { values, companyQuery } = await readInputs(release, cik, query, limit);
  return selectFigures(values, companyQuery);
}

/** Returns the reported values from which figures are derived, and the query together with data about the company. */
async function readInputs(release: ReleaseReader, cik: number, query: FigureQuery, limit: number | undefined) {
  if (!query.keys)
    return limit === undefined || query.period === 'latest'
      ? readEveryMetric(release, cik, query)
      : readFirstMetrics(release, cik, query, limit);
  const inputs = listInputMetrics(query.keys);
  if (inputs !== null) {
    const values = await release.reportedValues(cik, inputs);
    // The starts are determined from all metrics, so that a derived quarter does not depend on the requested metrics.
    const quarterStarts = await release.quarterStarts(cik, query.asOf ?? null);
    const splits = inputs.some(isEarningsPerShare) ? await readSplits(release, cik, query) : [];
    return { values, companyQuery: { ...query, quarterStarts, splits } };
  }
  // Deriving figures needs the values of all metrics, because they determine the fiscal years.
  return readEveryMetric(release, cik, query);
}

const readEveryMetric = async (release: ReleaseReader, cik: number, query: FigureQuery) => ({
  values: await release.reportedValues(cik),
  companyQuery: { ...query, splits: await readSplits(release, cik, query) } as FigureQuery,
});

/** Returns the splits that filings show until the day, to compare values per share over time. */
const readSplits = async (release: ReleaseReader, cik: number, { asOf = null }: FigureQuery) =>
  selectSplitsProvenBy(asOf, await release.splits(cik));

/** Approximate number of figures of a metric over ten years. */
const FIGURES_PER_METRIC = 60;

/**
 * Reads the values of metrics in the order of the catalog, until `limit` figures can be derived. For annual figures,
 * reads all metrics, because their values determine the fiscal years.
 */
async function readFirstMetrics(release: ReleaseReader, cik: number, query: FigureQuery, limit: number) {
  let metrics = query.period === 'annual' ? METRIC_KEYS.length : Math.ceil(limit / FIGURES_PER_METRIC);
  for (; metrics < METRIC_KEYS.length; metrics *= 2) {
    const values = await release.reportedValues(cik, listInputMetrics(METRIC_KEYS.slice(0, metrics)) ?? undefined);
    const firstFigures = findMetricsThatFillLimit(values, query, limit);
    if (firstFigures !== null) {
      const quarterStarts = await release.quarterStarts(cik, query.asOf ?? null);
      const splits = await readSplits(release, cik, query);
      return { values, companyQuery: { ...query, firstFigures, quarterStarts, splits } };
    }
  }
  const { values, companyQuery } = await readEveryMetric(release, cik, query);
  return { values, companyQuery: { ...companyQuery, firstFigures: findMetricsThatFillLimit(values, query, limit) } };
}

/**
 * Whether the request is for the latest figures, neither split-adjusted nor as of a past day. A release stores these
 * figures, except ratios.
 */
export const isLatestFiguresRequest = ({
  period,
  as_of: asOf,
  values,
  split_adjusted: adjusted,
}: Question['parameters']): boolean =>
  period === 'latest' && asOf === undefined && values !== 'first' && adjusted !== true;

/**
 * Returns the figures with one of the keys, or all figures if `keys` is null; null if the release does not store them.
 * The parameter `collapse` would change nothing, because the table has one row per metric and unit.
 */
export async function readStoredFigures(release: ReleaseReader, cik: number, keys: readonly string[] | null) {
  if (keys?.some(isDerivedOnRequest) === true || !release.includes(LATEST_FIGURES)) return null;
  const figures = await release.rowsOf(LATEST_FIGURES, cik);
  return keys === null ? figures : figures.filter(({ metricKey }) => keys.includes(metricKey));
}

/**
 * Reads a company's splits and returns the adjuster of its figures. For a past day, uses only filings up to that day to
 * determine splits and their dates.
 */
export async function openAdjuster(release: ReleaseReader, cik: number, asOf: string | null) {
  const splits = selectSplitsProvenBy(asOf, await release.splits(cik));
  if (splits.length === 0) return createSplitAdjuster([], splits);
  if (asOf === null) return createSplitAdjuster(await release.reportedValues(cik, RESTATED_METRICS), splits);
  const filedValues = (await release.reportedValues(cik, SPLIT_RANGE_METRICS)).filter(({ filed }) => filed <= asOf);
  const restated = filedValues.filter(({ metricKey }) => RESTATED_METRICS.includes(metricKey));
  return createSplitAdjuster(restated, limitToProvenRanges(splits, filedValues));
}
