/** `/v1/metrics`: every metric with its tagged concepts, and every other figure that has a formula. */

import { FIGURES, formatFallback, formatFormula, isMetric, isScreenOnly, METRICS } from '../../../contract/figures.ts';
import { onFirstUse } from '../../../contract/on-first-use.ts';
import type { MetricCatalogEntry, MetricMapping } from '../../../contract/resources/metrics.ts';
import type { Measure } from '../../../contract/statements/formula.ts';
import { listMappingsOfMetric } from '../../../figures/metrics/concepts.ts';
import type { Handler } from '../../request/handler.ts';

type CatalogEntry = Omit<MetricCatalogEntry, 'covered_company_count'>;

/** The unit of each measure; null means the currency of the filing. */
const UNIT_BY_MEASURE: Readonly<Record<Measure, string | null>> = {
  money: null,
  per_share: null,
  shares: 'shares',
  fraction: 'pure',
  multiple: 'pure',
  count: 'pure',
};

export const handleCatalog: Handler<'catalog'> = async ({ release }) => {
  // Coverage has no entry for a figure that no company has.
  const counts = await release.coverage();
  return {
    data: getCatalogEntries().map((entry) => ({ ...entry, covered_company_count: counts.get(entry.key) ?? 0 })),
  };
};

/** Appended to the description of figures that `/metrics` rejects in its parameter `keys`. */
const SCREEN_ONLY_TEXT = ' Available only in the screener, not in metrics.';

const getCatalogEntries = onFirstUse((): readonly CatalogEntry[] => [
  ...METRICS.map((metric) =>
    makeEntry(metric, metric, formatFormula(metric) ?? formatFallback(metric), toMappings(metric.key)),
  ),
  ...FIGURES.flatMap((figure): CatalogEntry[] => {
    const formula = formatFormula(figure);
    if (isMetric(figure) || formula === null) return [];
    const description = `Derived: ${formula}.${isScreenOnly(figure.key) ? SCREEN_ONLY_TEXT : ''}`;
    return [makeEntry(figure, { description, statement: null }, formula, [])];
  }),
]);

const makeEntry = (
  figure: Parameters<typeof formatFormula>[0],
  { description, statement }: { readonly description: string; readonly statement: string | null },
  formula: string | null,
  mappings: MetricMapping[],
): CatalogEntry => ({
  ...{ key: figure.key, label: figure.label, description },
  value_kind: mappings.length === 0 ? 'derived' : 'reported',
  ...{ mappings, formula, statement, unit: UNIT_BY_MEASURE[figure.measure] },
});

function toMappings(key: string): MetricMapping[] {
  return listMappingsOfMetric(key).map(({ taxonomy, concept, priority }) => ({
    taxonomy,
    concept,
    priority,
    // Values keep the sign of their fact, and may have any unit that matches the metric's measure.
    sign_multiplier: 1,
    unit: null,
  }));
}
