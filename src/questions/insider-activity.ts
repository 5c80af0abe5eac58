import { defineCommand } from '../ask/command/command.ts';
import { makeInsiderMembers } from './insider-trades/insider-trades.ts';

export default defineCommand({
  operation: 'insider-activity',
  args: [],
  examples: {
    'insider-activity --kind sale': 'the latest sales across companies',
    'insider-activity --tickers ADBE,JPM,V --since 2024-01-01': 'trades of some companies since a date',
    'insider-activity --kind purchase --min-value 1M --exclude-plans --sort value':
      'large purchases outside trading plans, largest first',
    'insider-activity --tickers TSLA,XYZ,NTRA --group company':
      'purchases summed up by company, with the number of buyers',
  },
  ...makeInsiderMembers('insider-activity'),
});
