/** How a figure is measured, and so how it is shown: by its metric where that is known, else by its unit. */
import { METRICS, type Measure } from '../../../contract/figures.ts';
import { SCREEN_FIGURES } from '../../../contract/screen-columns.ts';

const BY_KEY: ReadonlyMap<string, Measure> = new Map(
  [...SCREEN_FIGURES, ...METRICS].map(({ key, measure }) => [key, measure]),
);

export function measureOf(metricKey: string, unit: string): Measure {
  const known = BY_KEY.get(metricKey);
  if (known !== undefined) return known;
  if (unit === 'shares') return 'shares';
  if (unit === 'pure') return 'multiple';
  return unit.includes('/') ? 'per_share' : 'money';
}
