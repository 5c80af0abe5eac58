/**
 * A hint for figures that only the screener has, such as price ratios, trailing-twelve-month sums, and values of the
 * previous year.
 */
import { PRICED_COLUMNS } from '../../contract/screen-columns.ts';
import { call, say, type Text } from '../../contract/text/text.ts';

/** Returns a sentence with the command that shows the figures. */
export function makeScreenOnlyHint(keys: readonly string[]): Text {
  const names = keys.map((key) => (PRICED_COLUMNS.has(key) ? `${key} (needs a price)` : key));
  return say`Only the screener has ${names.join(', ')}. See: ${call('screen', { columns: keys })}`;
}
