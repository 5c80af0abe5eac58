import { defineCommand } from '../ask/command/command.ts';
import {
  GROUP_HELP,
  GROUP_OPTION,
  INSIDER_FILTER_HELP,
  INSIDER_OPTIONS,
  makeTradesFilter,
} from './insider-trades/insider-filters.ts';
import { INSIDER_ROWS_OPTION, makeInsiderResult } from './insider-trades/insider-trades.ts';

export default defineCommand({
  operation: 'insider-activity',
  listsFilings: true,
  args: [],
  examples: {
    'insider-activity --kind sale': 'the latest sales across companies',
    'insider-activity --tickers ADBE,JPM,V --since 2024-01-01': 'trades of some companies since a date',
    'insider-activity --kind purchase --min-value 1M --exclude-plans --sort value':
      'large purchases outside trading plans, largest first',
    'insider-activity --tickers TSLA,XYZ,NTRA --group company':
      'purchases summed up by company, with the number of buyers',
  },
  delegate: async (parsed) =>
    parsed.options.has('group')
      ? (await import('./insider-trades/purchase-groups.ts')).delegateGroups('insider-activity', parsed)
      : null,
  help: `Lists open-market purchases and sales that Forms 4 and 5 report. --limit and --offset count filings. Totals cover all trades, not only the page shown.\n\n${INSIDER_FILTER_HELP}\n\n${GROUP_HELP}`,
  options: [...INSIDER_OPTIONS, GROUP_OPTION, INSIDER_ROWS_OPTION],
  request: ({ givenParameters, options }) => ({ parameters: givenParameters, narrowing: makeTradesFilter(options) }),
  result: (answer, context) => makeInsiderResult(answer, context, true),
});
