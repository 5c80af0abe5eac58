/** A hint for figures that only the screener has: of a price, of twelve months, of the year before. */
import { PRICED_COLUMNS } from '../../contract/screen-columns.ts';
import { call, say, type Text } from '../../contract/text/text.ts';

/** Returns one sentence with the command that shows them. */
export function screenOnlyHint(keys: readonly string[]): Text {
  const needsPrice = keys.some((key) => PRICED_COLUMNS.has(key)) ? ' (needs a price)' : '';
  return say`Only fin screen has ${keys.join(', ')}${needsPrice}. See: ${call('screen', { columns: keys })}`;
}
