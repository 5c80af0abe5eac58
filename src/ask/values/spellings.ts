/** Accepts alternative spellings of parameter values if their meaning is certain. */
import { Failure } from '../../contract/failure.ts';
import type { Operation } from '../../contract/operations.ts';
import type { RawParameters } from '../../contract/question.ts';
import { option, say } from '../../contract/text/text.ts';
import { OPERATORS } from '../../contract/where-clause.ts';
import { readPastDay } from './past-day.ts';

const QUARTERLY_SPELLINGS = ['q', 'quarter', 'quarters'];
const ANNUAL_SPELLINGS = ['a', 'fy', 'year', 'years', 'yearly', 'annually'];

/** The HTTP API's spelling by parameter and lowercase value. */
const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  period: {
    ...Object.fromEntries(QUARTERLY_SPELLINGS.map((text) => [text, 'quarterly'])),
    ...Object.fromEntries(ANNUAL_SPELLINGS.map((text) => [text, 'annual'])),
  },
  range: { all: 'max', '12m': '1y', '24m': '2y', '60m': '5y' },
  kind: { buy: 'purchase', buys: 'purchase', purchases: 'purchase', sell: 'sale', sells: 'sale', sales: 'sale' },
  dir: { ascending: 'asc', descending: 'desc' },
};

const OPERATOR_BY_SYMBOL: Readonly<Record<string, string>> = {
  ...{ '>=': 'gte', '\u2265': 'gte', '>': 'gt' },
  ...{ '<=': 'lte', '\u2264': 'lte', '<': 'lt' },
};

/**
 * Returns the parameters in the HTTP API's spelling. Does not reject unknown values, because the contract does so
 * later. Throws a usage Failure for two directions of a sort.
 */
export const respellParameters = ({ parameters }: Operation, rawParameters: RawParameters): RawParameters =>
  rawParameters.flatMap(([name, text]): RawParameters => {
    const kind = parameters.find((parameter) => parameter.name === name)?.kind;
    if (name === 'quarter') return [[name, respellQuarter(text)]];
    if (kind === 'date') return [[name, readPastDay(text)]];
    if (kind === 'clauses') return [[name, normalizeClause(text)]];
    const [, figure, direction] = name === 'sort' ? (/^(\w+):(asc|desc)$/i.exec(text) ?? []) : [];
    if (figure !== undefined && direction !== undefined) {
      if (rawParameters.some(([other]) => other === 'dir'))
        throw new Failure('usage', say`${option('sort', text)} and ${option('dir')} both give a direction; give one.`);
      return Object.entries({ [name]: figure, dir: direction.toLowerCase() });
    }
    return [[name, kind === 'choice' ? respellValue(name, text) : text]];
  });

/** Normalizes a filter: `revenue>10B` and `revenue:GT:10B` become `revenue:gt:10B`. */
function normalizeClause(text: string): string {
  const [, figure, symbol = '', value] = /^\s*(\w+)\s*(>=|<=|\u2265|\u2264|>|<)\s*([^<>=]+?)\s*$/.exec(text) ?? [];
  if (figure !== undefined) return `${figure}:${OPERATOR_BY_SYMBOL[symbol]}:${value}`;
  const isOperator = (word: string) => (OPERATORS as readonly string[]).includes(word.toLowerCase());
  return text.replace(/:(\w+):/, (match, word: string) => (isOperator(word) ? match.toLowerCase() : match));
}

const QUARTER_ENDS = ['03-31', '06-30', '09-30', '12-31'];

/** Returns the last day of a quarter such as 2025Q2, 2025-Q2 or Q2 2025; other texts unchanged. */
function respellQuarter(text: string): string {
  const [, year, number] = /^(\d{4})[ -]?q([1-4])$/i.exec(text.trim()) ?? [];
  const [, secondNumber, secondYear] = /^q([1-4])[ -]?(\d{4})$/i.exec(text.trim()) ?? [];
  const end = QUARTER_ENDS[Number(number ?? secondNumber) - 1];
  return end === undefined ? text : `${year ?? secondYear}-${end}`;
}

function respellValue(name: string, text: string): string {
  const lower = text.trim().toLowerCase();
  return Object.hasOwn(VALUES, name) ? (VALUES[name]?.[lower] ?? lower) : text;
}
