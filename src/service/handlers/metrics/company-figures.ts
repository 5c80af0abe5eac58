/** The figures of one company in a release: as they stand, or as they stood on a day. */
import { type FigureQuery, inputMetrics, type SelectedFigures, selectFigures } from '../../../figures/figure-values.ts';
import type { ReportedValue } from '../../../figures/revisions/revision-chain.ts';
import type { ReleaseReader } from '../../../release/store/reader.ts';

/** Before values and lineage are made of them. */
export async function companyFigures(
  release: ReleaseReader,
  cik: number,
  query: FigureQuery,
): Promise<SelectedFigures> {
  const { values, known } = await reportedFor(release, cik, query);
  return selectFigures(values, known);
}

/** What the figures follow from, and the query with what is known of the company. */
async function reportedFor(
  release: ReleaseReader,
  cik: number,
  query: FigureQuery,
): Promise<{ readonly values: readonly ReportedValue[]; readonly known: FigureQuery }> {
  if (!query.keys) return { values: await release.reportedValues(cik), known: query };
  const inputs = inputMetrics(query.keys);
  if (inputs !== null) return { values: await release.reportedValues(cik, inputs), known: query };
  // Figures of fiscal years need every value that says when those are, and the splits between them.
  const values = await release.reportedValues(cik);
  return { values, known: { ...query, splits: await release.splits(cik) } };
}
