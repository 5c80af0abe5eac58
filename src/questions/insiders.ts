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
  operation: 'insiders',
  listsFilings: true,
  args: [{ parameter: 'ticker', many: true }],
  examples: {
    'insiders ADBE': 'purchases and sales by insiders, latest first',
    'insiders JPM --kind sale --since 2024-01-01': 'sales since a date',
    'insiders ADBE --all --csv': 'one row for each transaction',
    'insiders TSLA --group owner': 'purchases summed up by buyer',
  },
  delegate: async (parsed) =>
    parsed.options.has('group')
      ? (await import('./insider-trades/purchase-groups.ts')).delegateGroups('insiders', parsed)
      : null,
  help: `Lists open-market purchases and sales that Forms 4 and 5 report. --limit and --offset count filings. Totals cover all trades, not only the page shown.\n\n${INSIDER_FILTER_HELP}\n\n${GROUP_HELP}`,
  options: [...INSIDER_OPTIONS, GROUP_OPTION, INSIDER_ROWS_OPTION],
  request: ({ givenParameters, options }) => ({ parameters: givenParameters, narrowing: makeTradesFilter(options) }),
  result: (answer, context) => makeInsiderResult(answer, context, false),
});
