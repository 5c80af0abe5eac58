/** The options and the request of `fin screen --summary`. */
import type { GivenOptions, OptionSpec } from '../../ask/option-spec.ts';
import { Failure } from '../../contract/failure.ts';
import { type RawParameters, withoutParameters, withParameter } from '../../contract/question/question.ts';
import { INDUSTRY_COLUMNS } from '../../contract/screen-columns.ts';
import { quote } from '../../contract/text/quote.ts';
import { option, say } from '../../contract/text/text.ts';
import { chooseTableColumns, readNamedColumns } from './screen-table.ts';

export const SUMMARY_OPTIONS: readonly OptionSpec[] = [
  { name: 'summary', help: 'Show the distribution of each figure instead of the companies' },
  { name: 'by', value: 'name', values: ['industry'], help: 'Show the distribution of each figure in each industry' },
];

export const wantsSummary = (options: GivenOptions): boolean => options.has('summary') || options.has('by');

/**
 * Returns the request of a summary: all companies, with the figures to summarize. The request has no limit and offset,
 * which apply to the rows of the summary. Throws a usage Failure if `--by` is given twice, or is not `industry`.
 */
export function makeSummaryRequest(parameters: RawParameters, options: GivenOptions) {
  const [groupKey, ...otherKeys] = options.get('by') ?? [];
  if (groupKey !== undefined && (groupKey !== 'industry' || otherKeys.length > 0))
    throw new Failure(
      'usage',
      say`${option('by')} must be industry, not ${quote([groupKey, ...otherKeys].join(', '))}.`,
    );
  const shownColumns = readNamedColumns(parameters) ?? chooseTableColumns(parameters);
  const columns = [...new Set([...shownColumns, ...(groupKey === undefined ? [] : INDUSTRY_COLUMNS)])];
  return { parameters: withParameter(withoutParameters(parameters, 'limit', 'offset'), 'columns', columns.join(',')) };
}
