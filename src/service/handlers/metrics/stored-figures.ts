/** Reads the latest figures that a release stores, because deriving them would take much longer. */
import type { Question } from '../../../contract/question.ts';
import { isDerivedOnRequest } from '../../../figures/derived/formulas.ts';
import type { ResponseFigure } from '../../../figures/response-figure.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import { LATEST_FIGURES } from '../../../store/schema/latest-figures.ts';

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
 * `collapse` would change nothing, because the table has one row per metric and unit.
 */
export async function readStoredFigures(
  release: ReleaseReader,
  cik: number,
  keys: readonly string[] | null,
): Promise<readonly ResponseFigure[] | null> {
  if (keys?.some(isDerivedOnRequest) === true || !release.includes(LATEST_FIGURES)) return null;
  const figures = await release.rowsOf(LATEST_FIGURES, cik);
  return keys === null ? figures : figures.filter(({ metricKey }) => keys.includes(metricKey));
}
