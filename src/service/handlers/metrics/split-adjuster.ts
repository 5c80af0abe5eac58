/** Adjusts the figures of one company in a release to the shares of today, or of a past day. */
import { createSplitAdjuster, RESTATED_METRICS } from '../../../figures/derived/shares-of-today.ts';
import { selectSplitsProvenBy } from '../../../figures/shares/splits.ts';
import type { ReleaseReader } from '../../../store/reader.ts';

export type SplitAdjuster = ReturnType<typeof createSplitAdjuster>;

/**
 * Reads a company's splits and returns the adjuster of its figures. For figures as of a past day, applies only splits
 * that filings had proven by that day.
 */
export async function openSplitAdjuster(
  release: ReleaseReader,
  cik: number,
  asOf: string | null,
): Promise<SplitAdjuster> {
  const splits = selectSplitsProvenBy(asOf, await release.splits(cik));
  const restatedShareValues = splits.length === 0 ? [] : await release.reportedValues(cik, RESTATED_METRICS);
  return createSplitAdjuster(
    restatedShareValues.filter(({ filed }) => asOf === null || filed <= asOf),
    splits,
  );
}
