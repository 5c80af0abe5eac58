/** `/v1/metrics`: every canonical metric, how it is read, and every figure that the screener reckons. */
import { METRICS, type Measure } from '../../../contract/figures.ts';
import type { MetricCatalogEntry, MetricMapping } from '../../../contract/resources/metrics.ts';
import { SCREEN_FIGURES } from '../../../contract/screen-columns.ts';
import { MAPPINGS } from '../../../figures/metrics/mappings.ts';
import type { Handler } from '../../handler.ts';

type Entry = Omit<MetricCatalogEntry, 'covered_company_count'>;

/** Null where the unit is the filing's own currency. */
const UNITS: Readonly<Record<Measure, string | null>> = {
  money: null,
  per_share: null,
  shares: 'shares',
  fraction: 'pure',
  multiple: 'pure',
};

export const catalog: Handler<'catalog'> = async ({ release }) => {
  const counts = await release.coverage();
  return { data: ENTRIES.map((entry) => ({ ...entry, covered_company_count: counts.get(entry.key) ?? 0 })) };
};

const METRIC_KEYS = new Set(METRICS.map((metric) => metric.key));
const FORMULAS = new Map(SCREEN_FIGURES.map((figure) => [figure.key, figure.formula]));

const ENTRIES: readonly Entry[] = [
  ...METRICS.map((metric): Entry => {
    const mappings = mappingsOf(metric.key);
    return {
      key: metric.key,
      label: metric.label,
      description: metric.description,
      value_kind: mappings.length === 0 ? 'derived' : 'reported',
      mappings,
      formula: FORMULAS.get(metric.key) ?? null,
      statement: metric.statement,
      unit: UNITS[metric.measure],
    };
  }),
  ...SCREEN_FIGURES.filter((figure) => figure.formula !== null && !METRIC_KEYS.has(figure.key)).map(
    (figure): Entry => ({
      key: figure.key,
      label: figure.label,
      description: `Reckoned: ${figure.formula}.`,
      value_kind: 'derived',
      mappings: [],
      formula: figure.formula,
      statement: null,
      unit: UNITS[figure.measure],
    }),
  ),
];

function mappingsOf(key: string): MetricMapping[] {
  return MAPPINGS.filter((mapping) => mapping.metricKey === key).map((mapping) => ({
    taxonomy: mapping.taxonomy,
    concept: mapping.concept,
    priority: mapping.priority,
    sign_multiplier: mapping.signMultiplier,
    unit: mapping.unit,
  }));
}
