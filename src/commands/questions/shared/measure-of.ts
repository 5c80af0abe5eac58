/** How a figure is measured, and so how it is shown: by its metric where that is known, else by its unit. */
import { figureOf, type Measure } from '../../../contract/figures.ts';

export function measureOf(metricKey: string, unit: string): Measure {
  const known = figureOf(metricKey)?.measure;
  if (known !== undefined) return known;
  if (unit === 'shares') return 'shares';
  if (unit === 'pure') return 'multiple';
  return unit.includes('/') ? 'per_share' : 'money';
}
