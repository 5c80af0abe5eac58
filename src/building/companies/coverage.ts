/** How many companies have figures of each metric and ratio: counted where they are derived, and added up. */

import { compareText } from '../../contract/compare-text.ts';
import type { CompanyFigures } from '../../figures/company.ts';
import type { Coverage } from '../../store/schema/screen.ts';

/** The keys of metrics and ratios that a company has figures of, each once: the screener's stand in the catalog too. */
export function coveredBy({ coveredKeys, screen }: Pick<CompanyFigures, 'coveredKeys' | 'screen'>): Set<string> {
  const shown = Object.entries(screen?.figures ?? {}).filter(([, value]) => value !== null);
  return new Set([...coveredKeys, ...shown.map(([key]) => key)]);
}

/** Counts companies more for each of some keys. */
export function addCovered(
  counts: Map<string, number>,
  keys: Iterable<readonly [key: string, companies: number]>,
): void {
  for (const [key, companies] of keys) counts.set(key, (counts.get(key) ?? 0) + companies);
}

export function coverageRows(counts: ReadonlyMap<string, number>): Coverage[] {
  return [...counts]
    .map(([metricKey, companyCount]) => ({ metricKey, companyCount }))
    .sort((a, b) => compareText(a.metricKey, b.metricKey));
}
