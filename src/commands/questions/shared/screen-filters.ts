/** The ways people write a filter's value, and what the screener takes. */
import { compareDecimals, shiftDecimal } from '../../../contract/decimal-text.ts';
import { SCREEN_FIGURES } from '../../../contract/screen-columns.ts';
import type { Prepared, RawParameters } from '../../command.ts';

const WRITTEN = /^([^:]+:[^:]+:)(-?\d+(?:\.\d+)?)([%KMBT])$/i;
/** Where a value begins with its dot. */
const DOT_FIRST = /(?<=^[^:]+:[^:]+:-?)(?=\.\d)/;
const PLACES: Readonly<Record<string, number>> = { '%': -2, K: 3, M: 6, B: 9, T: 12 };

const FRACTIONS = new Set(SCREEN_FIGURES.filter((entry) => entry.measure === 'fraction').map((entry) => entry.key));

/** Expands `20%`, `1.5B` and `.2` in `where`, digit by digit, and warns of a fraction that was probably meant as percent. */
export function expandClauses(given: RawParameters): Prepared {
  const warnings: string[] = [];
  const expanded = given.map(([name, typed]) => {
    if (name !== 'where') return [name, typed] as const;
    const text = typed.replace(DOT_FIRST, '0');
    const written = WRITTEN.exec(text);
    if (written === null) {
      const warning = percentMeant(text);
      if (warning !== null) warnings.push(warning);
      return [name, text] as const;
    }
    const [, head = '', digits = '', suffix = ''] = written;
    return [name, head + shiftDecimal(digits, PLACES[suffix.toUpperCase()] ?? 0)] as const;
  });
  return { parameters: expanded, warnings };
}

function percentMeant(text: string): string | null {
  const [column = '', op = '', value = ''] = text.split(':');
  if (!FRACTIONS.has(column) || !/^-?\d+(\.\d+)?$/.test(value)) return null;
  const magnitude = value.startsWith('-') ? value.slice(1) : value;
  if (compareDecimals(magnitude, '1') <= 0) return null;
  const [asked, meant] = [`${shiftDecimal(value, 2)} %`, `${column}:${op}:${value}%`];
  return `${column} is a fraction: ${value} is ${asked}. For ${value} % write ${meant}.`;
}
