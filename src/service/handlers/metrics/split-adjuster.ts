/** Adjusts the figures of one company in a release to the shares of today, or of a past day. */
import {
  createSplitAdjuster,
  limitToProvenRanges,
  RESTATED_METRICS,
  SPLIT_RANGE_METRICS,
} from '../../../figures/derived/shares-of-today.ts';
import { selectSplitsProvenBy } from '../../../figures/shares/splits.ts';
import type { ReleaseReader } from '../../../store/reader.ts';

export type SplitAdjuster = ReturnType<typeof createSplitAdjuster>;

/**
 * Reads a company's splits and returns the adjuster of its figures. For a past day, uses only what filings until then
 * had shown about splits and their dates.
 */
export async function openAdjuster(release: ReleaseReader, cik: number, asOf: string | null): Promise<SplitAdjuster> {
  const splits = selectSplitsProvenBy(asOf, await release.splits(cik));
  if (splits.length === 0) return createSplitAdjuster([], splits);
  if (asOf === null) return createSplitAdjuster(await release.reportedValues(cik, RESTATED_METRICS), splits);
  const filedValues = (await release.reportedValues(cik, SPLIT_RANGE_METRICS)).filter(({ filed }) => filed <= asOf);
  const restated = filedValues.filter(({ metricKey }) => RESTATED_METRICS.includes(metricKey));
  return createSplitAdjuster(restated, limitToProvenRanges(splits, filedValues));
}
