import { command } from '../../ask/command.ts';
import { INSIDER_FILTER_HELP, INSIDER_OPTIONS, narrowTrades } from './shared/insider-filters.ts';
import { INSIDER_ROWS, insiderResult } from './shared/insider-trades.ts';

export default command({
  operation: 'insiders',
  args: [{ parameter: 'ticker', many: true }],
  examples: [
    { line: 'insiders ADBE', shows: 'who bought and sold, latest first' },
    { line: 'insiders JPM --kind sale --since 2024-01-01', shows: 'sales since a day' },
    { line: 'insiders ADBE --all --csv', shows: 'a row for each transaction' },
  ],
  help: `Open-market purchases and sales of Forms 4 and 5. --limit and --offset count filings; totals are of the whole answer, never of a page.\n\n${INSIDER_FILTER_HELP}`,
  options: [...INSIDER_OPTIONS, INSIDER_ROWS],
  request: ({ given, options }) => ({ parameters: given, narrow: narrowTrades(options) }),
  result: (answer, context) => insiderResult(answer, context, false),
});
