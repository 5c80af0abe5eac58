/** Options of `metrics` that select and compare figures of statements. The HTTP API has none of these parameters. */

import type { GivenOptions, OptionSpec } from '../../ask/command/option-spec.ts';
import { respellParameters } from '../../ask/values/spellings.ts';
import { failUsage } from '../../contract/failure.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { getOperation } from '../../contract/operations.ts';
import { quote } from '../../contract/text/quote.ts';
import { option, say } from '../../contract/text/text.ts';
import { FORMULA_OPTIONS, type Formulas, readMetricFormulas } from '../formulas/formulas.ts';
import { PERIOD_COUNT_OPTIONS, readPeriodCounts } from '../periods/period-counts.ts';
import type { StatementId } from './layouts.ts';
import type { PeriodChoice } from './periods.ts';

const STATEMENT_IDS = ['income', 'balance', 'cash_flow', 'ratios'] as const;
const toOptionValue = (id: StatementId): string => id.replace('_', '-');
const STATEMENT_NAMES = STATEMENT_IDS.map(toOptionValue);

export const STATEMENT_OPTIONS: readonly OptionSpec[] = [
  { name: 'statement', value: 'names', values: STATEMENT_NAMES, help: 'Show these financial statements, line by line' },
  ...PERIOD_COUNT_OPTIONS,
  { name: 'ttm', help: 'Add a column for trailing twelve months; the period "ttm" has only such columns' },
  { name: 'growth', help: 'Show the growth of each amount over the previous year' },
  { name: 'common-size', help: 'Show amounts in percent of revenue; in balance sheets, of total assets' },
  ...FORMULA_OPTIONS,
];

export interface StatementRequest extends PeriodChoice {
  /** Requested statements; null if the user named no statement, so that `keys` or all statements are requested. */
  readonly statements: readonly StatementId[] | null;
  /** Requested metric keys and formulas; null for all metrics of the requested statements. */
  readonly keys: readonly string[] | null;
  /** The period parameter to request from the service. */
  readonly period: string;
  readonly growth: boolean;
  readonly commonSize: boolean;
  readonly formulas: Formulas | null;
}

const PERIOD_KINDS = { annual: 'annual', quarterly: 'quarter', ttm: 'ttm', all: null, latest: null } as const;
type Period = keyof typeof PERIOD_KINDS;

/**
 * Returns the request for the statement options and `--period ttm`; null if none of these is given. Throws a usage
 * Failure for options that cannot be combined.
 */
export function readStatementRequest(options: GivenOptions, unchecked = false): StatementRequest | null {
  const names = STATEMENT_OPTIONS.map(({ name }) => name).filter((name) => options.has(name));
  const namedPeriod = readPeriod(options);
  if (names.length === 0 && namedPeriod !== 'ttm') return null;
  const { years, quarters } = readPeriodCounts(options);
  const period = namedPeriod ?? (quarters === null ? 'annual' : 'quarterly');
  // An invalid period is accepted here, because the later check of all parameters reports it with the list of valid
  // periods.
  if (!isPeriod(period)) return { ...EMPTY_REQUEST, period };
  if (years !== null && period !== 'annual')
    failUsage(say`${option('years')} shows fiscal years; it cannot be combined with ${option('period', period)}.`);
  if (quarters !== null && period !== 'quarterly' && period !== 'ttm')
    failUsage(say`${option('quarters')} shows quarters; it cannot be combined with ${option('period', period)}.`);
  const comparison = names.find((name) => NOT_LATEST.has(name));
  if (period === 'latest' && comparison !== undefined) {
    const latest = option('period', period);
    failUsage(say`${option(comparison)} cannot be combined with ${latest}, whose figures are from different periods.`);
  }
  const periodOption = names.find((name) => name !== 'statement');
  if (options.has('limit') && periodOption !== undefined) {
    const text = say`${option('limit')} counts rows, but statements with ${option(periodOption)} need all rows of their periods: remove ${option('limit')}.`;
    failUsage(text);
  }
  const statements = readStatements(options);
  if (statements !== null && options.has('keys'))
    failUsage(say`${option('statement')} and ${option('keys')} cannot be combined; choose one.`);
  const formulas = readMetricFormulas(options, unchecked);
  const keys = options.get('keys')?.flatMap((text) => text.split(',').map((key) => key.trim())) ?? null;
  const wantsTtm = options.has('ttm') || period === 'ttm';
  if (wantsTtm && statements?.every((statement) => statement === 'balance') === true)
    failUsage('A balance sheet is for one day, so it has no trailing twelve months.');
  return {
    statements,
    keys: formulas === null || statements !== null ? keys : [...new Set([...(keys ?? []), ...formulas.names])],
    period: wantsTtm ? 'all' : period,
    kind: PERIOD_KINDS[period],
    count: years ?? quarters,
    ttm: wantsTtm && period !== 'ttm',
    growth: options.has('growth'),
    commonSize: options.has('common-size'),
    formulas,
  };
}

/** Options that need figures of one period. */
const NOT_LATEST = new Set(['growth', 'common-size', 'ttm', ...FORMULA_OPTIONS.map(({ name }) => name)]);

/** Returns the period in the spelling of the HTTP API, or `ttm`, which only fin accepts. */
function readPeriod(options: GivenOptions): string | undefined {
  const text = options.get('period')?.at(-1)?.toLowerCase();
  if (text === undefined) return undefined;
  return respellParameters(getOperation('metrics'), [['period', text]])[0]?.[1] ?? text;
}

const EMPTY_REQUEST = {
  ...{ statements: null, keys: null, kind: null, count: null },
  ...{ ttm: false, growth: false, commonSize: false, formulas: null },
} as const;

const isPeriod = (text: string): text is Period => Object.hasOwn(PERIOD_KINDS, text);

function readStatements(options: GivenOptions): readonly StatementId[] | null {
  const texts = options.get('statement')?.flatMap((text) => text.split(','));
  if (texts === undefined) return null;
  const ids = texts.map((text) => {
    const name = text.trim().toLowerCase().replaceAll('_', '-');
    const id = STATEMENT_IDS.find((statementId) => toOptionValue(statementId) === name);
    if (id !== undefined) return id;
    const fault = say`${option('statement')} ${quote(text)} is not a statement.${didYouMean(name, STATEMENT_NAMES)}`;
    return failUsage(fault, `Statements: ${STATEMENT_NAMES.join(', ')}`);
  });
  return [...new Set(ids)];
}
