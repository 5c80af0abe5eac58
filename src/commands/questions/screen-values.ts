/** Numbers in a filter that neither the screener takes nor this program writes out: refused with what was meant. */
import { parseDecimal } from '../../contract/decimal-text.ts';
import { Failure } from '../../contract/failure.ts';
import { isClauseValue, OPERATORS } from '../../contract/question/where-clause.ts';
import { quote } from '../../contract/quote.ts';
import type { RawParameters } from '../command.ts';
import { expandClauses } from './shared/screen-filters.ts';

const CLAUSE = new RegExp(`^([^:]+:(?:${OPERATORS.join('|')}):)([^:]*)$`);
const TAKEN =
  'A value is digits, with a minus sign or a dot where needed (0.2), and %, K, M, B or T after them (20%, 1.5B); written out it has at most 32 characters.';

/** Throws a usage Failure for the first value that is no number. Whatever else is wrong, the contract says. */
export function refuseValues(given: RawParameters): void {
  for (const [name, text] of given) {
    const [, head = '', value = ''] = CLAUSE.exec(text) ?? [];
    if (name !== 'where' || head === '' || isTaken(text)) continue;
    const meant = head + spelled(value);
    const suggestion = isTaken(meant) ? ` Did you mean ${meant}?` : '';
    throw new Failure('usage', `where: ${quote(value)} in ${quote(text)} is no value of a filter.${suggestion}`, {
      hint: TAKEN,
    });
  }
}

function isTaken(text: string): boolean {
  const [clause] = expandClauses([['where', text]]).parameters;
  return isClauseValue(clause?.[1].split(':')[2] ?? '');
}

const UNITS: Readonly<Record<string, string>> = {
  thousand: 'K',
  mn: 'M',
  mm: 'M',
  million: 'M',
  bn: 'B',
  billion: 'B',
  tn: 'T',
  trillion: 'T',
  percent: '%',
};

/** The same number in a way that is taken, as far as that can be told: `10bn`, `1,000`, `1e9`. */
function spelled(value: string): string {
  const bare = value.replace(/^\$/, '').replace(/(?<=\d)_(?=\d)/g, '');
  const plain = /^-?\d{1,3}(,\d{3})+(?!\d)/.test(bare) ? bare.replaceAll(',', '') : bare;
  const [, digits = plain, unit = ''] = /^([^a-z%\s]+)\s*([a-z]+|%)$/i.exec(plain) ?? [];
  return (parseDecimal(digits) ?? digits) + (UNITS[unit.toLowerCase()] ?? unit);
}
