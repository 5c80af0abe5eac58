/** Decimals as texts that sort as texts do: made once a row, where comparing decimals takes them apart every time. */
import { type Decimal, isZero } from '../../contract/decimal-text.ts';

/** Whole digits that the length in front can count. */
const LENGTH_DIGITS = 5;

/** `sortKey(a) < sortKey(b)` exactly where a is below b, and equal where a equals b (2.3 and 2.30). */
export function sortKey(value: Decimal): string {
  const negative = value.startsWith('-');
  const [whole = '', fraction = ''] = (negative ? value.slice(1) : value).split('.');
  const digits = whole.replace(/^0+/, '');
  const magnitude = String(digits.length).padStart(LENGTH_DIGITS, '0') + digits + fraction.replace(/0+$/, '');
  if (!negative || isZero(value)) return `1${magnitude}`;
  // The larger its magnitude, the smaller a negative number: each digit stands for nine less itself, and the end
  // of a shorter one is above any digit.
  return `0${magnitude.replace(/\d/g, (digit) => '9876543210'.charAt(digit.charCodeAt(0) - 48))}:`;
}
