/** A hint for figures that only the screener has: of a price, of twelve months, of the year before. */
import { PRICED_COLUMNS } from '../../../contract/screen-columns.ts';

/** The command that shows them. */
export function screenOnlyHint(keys: readonly string[]): string {
  const priced = keys.some((key) => PRICED_COLUMNS.has(key)) ? ', where there is a price' : '';
  return `${keys.join(', ')} ${keys.length === 1 ? 'is a figure' : 'are figures'} of the screener: fin screen --columns ${keys.join(',')} shows ${keys.length === 1 ? 'it' : 'them'}${priced}.`;
}
