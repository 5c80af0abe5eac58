/** The figures of one company in a release: as they stand, or as they stood on a day. */
import { type FigureQuery, figureValues, inputMetrics } from '../../../figures/figure-values.ts';
import type { FigureValue } from '../../../figures/metrics/figure.ts';
import type { ReleaseReader } from '../../../release/store/reader.ts';

/** In the order of the statements, then the latest end first. */
export async function companyFigures(
  release: ReleaseReader,
  cik: number,
  query: Pick<FigureQuery, 'keys' | 'asOf' | 'period' | 'twelveMonths' | 'contradicted'>,
): Promise<FigureValue[]> {
  if (!query.keys) return figureValues(await release.reportedValues(cik), query);
  const inputs = inputMetrics(query.keys);
  if (inputs !== null) return figureValues(await release.reportedValues(cik, inputs), query);
  // Figures of fiscal years need every value that says when those are, and the splits between them.
  const values = await release.reportedValues(cik);
  return figureValues(values, { ...query, splits: await release.splits(cik) });
}
