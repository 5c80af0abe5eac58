import { defineCommand } from '../ask/command/command.ts';
import { INSIDER_FILTER_HELP, INSIDER_OPTIONS, makeTradesFilter } from './insider-trades/insider-filters.ts';
import { INSIDER_ROWS_OPTION, makeInsiderResult } from './insider-trades/insider-trades.ts';

export default defineCommand({
  operation: 'insider-activity',
  args: [],
  examples: {
    'insider-activity --kind sale': 'the latest sales across companies',
    'insider-activity --tickers ADBE,JPM,V --since 2024-01-01': 'trades of some companies since a date',
    'insider-activity --kind purchase --min-value 1M --exclude-plans --sort value':
      'large purchases outside trading plans, largest first',
  },
  help: `Lists open-market purchases and sales that Forms 4 and 5 report. --limit and --offset count filings. Totals cover all trades, not only the page shown.\n\n${INSIDER_FILTER_HELP}`,
  options: [...INSIDER_OPTIONS, INSIDER_ROWS_OPTION],
  request: ({ givenParameters, options }) => ({ parameters: givenParameters, narrowing: makeTradesFilter(options) }),
  result: (answer, context) => makeInsiderResult(answer, context, true),
});
