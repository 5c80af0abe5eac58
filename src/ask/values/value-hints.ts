/** Hints that explain how to write a parameter's value after a value was rejected. */
import type { Parameter } from '../../contract/parameters.ts';
import { call, option, say, type Text } from '../../contract/text/text.ts';
import { DAYS_HINT } from './past-day.ts';

const FIGURES_HINT = say`See: ${call('help figures')}`;

const HINT_BY_PARAMETER: Readonly<Record<string, Text>> = {
  keys: say`List of metrics: ${call('catalog')}`,
  where: say`Write ${option('where', 'column:op:value')}, such as revenue_yoy:gt:20%; op is gte, lte, gt or lt. ${FIGURES_HINT}`,
  columns: FIGURES_HINT,
  sort: say`Write ${option('sort', 'revenue')}, or ${option('sort', 'revenue:desc')} for the largest first. ${FIGURES_HINT}`,
  accession: say`Find accession numbers: ${call('filings', { ticker: '<ticker>' })}`,
  cik: say`Find the CIK of a manager: ${call('managers', { query: '<name>' })}`,
};

export const findValueHint = (name: string, parameter: Parameter | undefined): Text | undefined =>
  HINT_BY_PARAMETER[name] ?? (parameter?.kind === 'date' ? DAYS_HINT : undefined);
