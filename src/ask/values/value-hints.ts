/** Hints that explain how to write a parameter's value, or which command has a figure. */
import type { Parameter } from '../../contract/parameters.ts';
import { PRICED_COLUMNS } from '../../contract/screen-columns.ts';
import { call, option, say, type Text } from '../../contract/text/text.ts';
import { DAYS_HINT } from './past-day.ts';

const FIGURES_HINT = say`See: ${call('help figures')}`;

const HINT_BY_PARAMETER: Readonly<Record<string, Text>> = {
  keys: say`List of metrics: ${call('catalog')}`,
  where: say`Write ${option('where', 'column:op:value')}, such as revenue_yoy:gt:20%; op is gte, lte, gt or lt. ${FIGURES_HINT}`,
  columns: FIGURES_HINT,
  sort: say`Write ${option('sort', 'revenue')}, or ${option('sort', 'revenue:desc')} for the largest first. ${FIGURES_HINT}`,
  accession: say`Find accession numbers: ${call('filings', { ticker: '<ticker>' })}`,
  quarter: say`Write the last day of a quarter, such as 2025-06-30, or 2025Q2.`,
  cik: say`Find the CIK of a manager: ${call('managers', { query: '<name>' })}`,
};

export const findValueHint = (name: string, parameter: Parameter | undefined): Text | undefined =>
  HINT_BY_PARAMETER[name] ?? (parameter?.kind === 'date' ? DAYS_HINT : undefined);

/**
 * Returns a hint for figures that only the screener has, such as price ratios, trailing-twelve-month sums, and values of
 * the previous year: the command that shows the figures.
 */
export function makeScreenOnlyHint(keys: readonly string[]): Text {
  const names = keys.map((key) => (PRICED_COLUMNS.has(key) ? `${key} (needs a price)` : key));
  return say`Only the screener has ${names.join(', ')}. See: ${call('screen', { columns: keys })}`;
}
