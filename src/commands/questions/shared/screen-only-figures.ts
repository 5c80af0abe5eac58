/** Figures that the screener reckons and no single company's metrics hold: of a price, of twelve months, of two years. */
import { METRIC_KEYS } from '../../../contract/figures.ts';
import { PRICED_COLUMNS, SCREEN_FILTERS } from '../../../contract/screen-columns.ts';

export const isScreenOnly = (key: string): boolean =>
  SCREEN_FILTERS.includes(key) &&
  !METRIC_KEYS.includes(key) &&
  (PRICED_COLUMNS.has(key) || /_(ttm|prior)$/.test(key) || key === 'fiscal_year');

/** Where they are to be had. */
export function screenOnlyHint(keys: readonly string[]): string {
  const priced = keys.some((key) => PRICED_COLUMNS.has(key)) ? ', where there is a price' : '';
  return `${keys.join(', ')} ${keys.length === 1 ? 'is a figure' : 'are figures'} of the screener: fin screen --columns ${keys.join(',')} shows ${keys.length === 1 ? 'it' : 'them'}${priced}.`;
}
