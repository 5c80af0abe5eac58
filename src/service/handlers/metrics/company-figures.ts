/** The figures of one company as a release holds them, as they stand or as they stood on a day. */
import { type FigureQuery, figureValues, metricsBehind } from '../../../figures/figure-values.ts';
import type { FigureValue } from '../../../figures/metrics/figure.ts';
import type { ReleaseReader } from '../../../release/store/reader.ts';

/** The one ratio that compares counts of shares over time; only it needs the splits read. */
const NEEDS_SPLITS = 'shares_change';

/** In the order of a statement, then the latest end first. */
export async function companyFigures(
  release: ReleaseReader,
  cik: number,
  question: Pick<FigureQuery, 'keys' | 'asOf' | 'period'>,
): Promise<FigureValue[]> {
  const needed = question.keys ? metricsBehind(question.keys) : null;
  const statements = await release.reportedValues(cik, needed ?? undefined);
  const splits = question.keys?.includes(NEEDS_SPLITS) === true ? await release.splits(cik) : [];
  return figureValues(statements, { ...question, splits });
}
