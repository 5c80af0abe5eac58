/**
 * A hint for figures that only the screener has, such as those that need a price, twelve months, or the year before.
 */
import { PRICED_COLUMNS } from '../../contract/screen-columns.ts';
import { call, say, type Text } from '../../contract/text/text.ts';

/** Returns a sentence with the command that shows the figures. */
export function screenOnlyHint(keys: readonly string[]): Text {
  const needsPrice = keys.some((key) => PRICED_COLUMNS.has(key)) ? ' (needs a price)' : '';
  return say`Only fin screen has ${keys.join(', ')}${needsPrice}. See: ${call('screen', { columns: keys })}`;
}
