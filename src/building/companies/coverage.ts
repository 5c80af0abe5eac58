/** Counts the companies that have each metric and ratio, for the catalog. */

import { compareText } from '../../contract/compare-text.ts';
import type { CompanyFigures } from '../../figures/company.ts';
import type { Coverage } from '../../store/schema/screen.ts';

/** Returns the keys of the company's metrics, ratios and screener figures, without duplicates. */
export function listCoveredKeys({ coveredKeys, screen }: Pick<CompanyFigures, 'coveredKeys' | 'screen'>): Set<string> {
  const figures = Object.entries(screen?.figures ?? {}).filter(([, value]) => value !== null);
  return new Set([...coveredKeys, ...figures.map(([key]) => key)]);
}

export const makeCoverageRows = (counts: ReadonlyMap<string, number>): Coverage[] =>
  [...counts]
    .map(([metricKey, count]) => ({ metricKey, companyCount: count }))
    .sort((a, b) => compareText(a.metricKey, b.metricKey));
