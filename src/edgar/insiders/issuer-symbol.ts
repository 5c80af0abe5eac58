/** Reads the issuer's ticker symbol in an ownership form; the form's field is free text. */
import { normalizeTicker } from '../../contract/identifiers.ts';

/** An exchange or market before the symbol: `NYSE: X`, `NASDAQ/X`, `OTCQB:X`. */
const EXCHANGE_PREFIX_PATTERN = /^(?:NYSE(?: (?:AMERICAN|ARCA|MKT))?|NASDAQ|AMEX|OTC(?:BB|QB|QX)?)\s*[:/-]\s*/;
/** Quotation services after the symbol: `X.PK`, `X.OB`. */
const QUOTATION_SUFFIX_PATTERN = /\.(?:PK|OB)$/;
/**
 * Matches the second symbol and everything after it: `X, XA`, `X AND XA`, `ABC/ABCD`. A single letter after a slash is
 * a share class and is not matched.
 */
const SECOND_SYMBOL_PATTERN = /\s*(?:[,;&]|\bAND\b|\/(?=[A-Z]{2})).*$/;
/** Up to five letters, possibly with a class letter A to E. Other letters denote units, warrants, rights and so on. */
const SYMBOL_PATTERN = /^[A-Z]{1,5}(?:[. /-][A-E])?$/;
/** Maximum number of characters of a text that are read. */
const MAX_SYMBOL_TEXT_LENGTH = 60;
/** Placeholders and names of exchanges that look like a symbol. */
const PLACEHOLDER_PATTERN = /^(?:N[ ./-]?A|NONE|NULL|NIL|TBD|TBA|OTC|NYSE|AMEX)$/;

/** Returns the first symbol in the text, in the form that `normalizeTicker` returns; null if the text has no symbol. */
export function parseIssuerSymbol(text: string | null): string | null {
  const symbol = (text ?? '')
    .slice(0, MAX_SYMBOL_TEXT_LENGTH)
    .toUpperCase()
    .replace(/[()[\]"']/g, '')
    .trim()
    .replace(EXCHANGE_PREFIX_PATTERN, '')
    .replace(SECOND_SYMBOL_PATTERN, '')
    .replace(QUOTATION_SUFFIX_PATTERN, '');
  return SYMBOL_PATTERN.test(symbol) && !PLACEHOLDER_PATTERN.test(symbol) ? normalizeTicker(symbol) : null;
}
