import { defineCommand } from '../ask/command/command.ts';
import { makeInsiderMembers } from './insider-trades/insider-trades.ts';

export default defineCommand({
  operation: 'insiders',
  args: [{ parameter: 'ticker', many: true }],
  examples: {
    'insiders ADBE': 'purchases and sales by insiders, latest first',
    'insiders JPM --kind sale --since 2024-01-01': 'sales since a date',
    'insiders ADBE --all --csv': 'one row for each transaction',
    'insiders TSLA --group owner': 'purchases summed up by buyer',
  },
  ...makeInsiderMembers('insiders'),
});
