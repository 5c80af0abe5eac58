import { defineCommand } from '../ask/command/command.ts';
import { INSIDER_FILTER_HELP, INSIDER_OPTIONS, makeTradesFilter } from './insider-trades/insider-filters.ts';
import { INSIDER_ROWS_OPTION, makeInsiderResult } from './insider-trades/insider-trades.ts';

export default defineCommand({
  operation: 'insiders',
  args: [{ parameter: 'ticker', many: true }],
  examples: {
    'insiders ADBE': 'purchases and sales by insiders, latest first',
    'insiders JPM --kind sale --since 2024-01-01': 'sales since a date',
    'insiders ADBE --all --csv': 'one row for each transaction',
  },
  help: `Lists open-market purchases and sales that Forms 4 and 5 report. --limit and --offset count filings. Totals cover all trades, not only the page shown.\n\n${INSIDER_FILTER_HELP}`,
  options: [...INSIDER_OPTIONS, INSIDER_ROWS_OPTION],
  request: ({ givenParameters, options }) => ({ parameters: givenParameters, narrowing: makeTradesFilter(options) }),
  result: (answer, context) => makeInsiderResult(answer, context, false),
});
