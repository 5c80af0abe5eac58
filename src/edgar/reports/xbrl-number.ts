/**
 * The figure that an inline XBRL tag displays: "1,234.5" at scale 6 is 1234500000, exactly. Formats are those of the
 * transformation registries, https://www.xbrl.org/specification/inlinexbrl-transformationregistry/
 */
import type { Decimal } from '../../contract/decimal-text.ts';
import { isZero, parseDecimal, shiftDecimal } from '../../contract/decimal-text.ts';

export interface DisplayedNumber {
  readonly text: string;
  readonly format: string | undefined;
  readonly scale: string | undefined;
  readonly sign: string | undefined;
}

const LONGEST = 100;
const LARGEST_SCALE = 40;
const SPACES = /[\s\u00a0\u2000-\u200b\u202f\u2060\ufeff]/g;

/** The format without its registry's prefix, hyphens or case: `ixt:num-dot-decimal` is numdotdecimal. */
function transformation(format: string): string {
  return format
    .slice(format.indexOf(':') + 1)
    .replaceAll('-', '')
    .toLowerCase();
}

const ZEROS: ReadonlySet<string> = new Set(['fixedzero', 'zerodash', 'numdash']);
const COMMA_DECIMALS: ReadonlySet<string> = new Set(['numcommadecimal', 'numdotcomma', 'numspacecomma']);
const DOT_DECIMALS: ReadonlySet<string> = new Set(['numdotdecimal', 'numcommadot', 'numspacedot', 'numcomma']);

/** The exact figure, or the reason why the text is none. */
export function readDisplayedNumber({ text, format, scale, sign }: DisplayedNumber): { value: Decimal } | string {
  const bare = text.replace(SPACES, '');
  if (bare.length > LONGEST) return 'a number that cannot be read';
  const form = format === undefined ? null : transformation(format);
  let digits: string | null;
  if (form === null) digits = bare;
  else if (ZEROS.has(form)) digits = '0';
  else if (COMMA_DECIMALS.has(form)) digits = bare.replace(/[.'\u2019]/g, '').replace(',', '.');
  else if (DOT_DECIMALS.has(form)) digits = bare.replace(/[,'\u2019]/g, '');
  else if (form === 'numwordsen') digits = numberInWords(text);
  else return 'a number in a form that is not known';
  if (digits === null) return 'a number in words';
  // Inline XBRL has the sign in an attribute, so a sign in the text is an error.
  const value = /^\d*\.?\d*$/.test(digits) ? parseDecimal(digits) : null;
  if (value === null) return 'a number that cannot be read';
  const places = scale === undefined || scale === '' ? '0' : scale.replace(/^\+/, '');
  if (!/^-?\d{1,2}$/.test(places) || Math.abs(Number(places)) > LARGEST_SCALE) return 'a scale that cannot be read';
  const shifted = shiftDecimal(value, Number(places));
  return { value: sign === '-' && !isZero(shifted) ? `-${shifted}` : shifted };
}

const WORDS: ReadonlyMap<string, string> = new Map(
  [
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen',
    'sixteen seventeen eighteen nineteen twenty',
  ]
    .join(' ')
    .split(' ')
    .map((word, value) => [word, String(value)]),
);

const NONE = /^(?:no|none|nil|-|[\u2010-\u2015\u2212])$/;

/** The digits of a number in English words up to twenty, "no" and dashes being zero; null for other words. */
function numberInWords(text: string): string | null {
  const word = text.trim().toLowerCase();
  return NONE.test(word) ? '0' : (WORDS.get(word) ?? null);
}
