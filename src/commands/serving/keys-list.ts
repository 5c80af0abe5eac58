import { note, table } from '../../output/blocks.ts';
import { formatInstant } from '../../output/format-values.ts';
import { listKeys, requireAccount } from '../../service/keys/key-store.ts';
import { optionText } from '../option-text.ts';
import type { UtilityCommand } from '../utility.ts';
import { keyRow, keyRows } from './keys-view.ts';
import { serviceHome } from './service-home.ts';

const keysList: UtilityCommand = {
  name: 'keys list',
  summary: 'List the API keys of this service by their ids',
  args: [],
  options: [{ name: 'account', value: 'name', help: 'Only the keys of this account' }],
  examples: [{ line: 'keys list', shows: 'every key that was made, with its account and state' }],
  run: async (call) => {
    const account = optionText(call, 'account');
    if (account !== null) requireAccount(account);
    const now = Date.now();
    const records = listKeys(serviceHome(call).keys, account);
    const rows = records.map((record) => keyRow(record, now));
    return {
      json: rows,
      rows: keyRows(records, now),
      view: [
        table(
          [
            { key: 'id', title: 'Key' },
            { key: 'account', title: 'Account' },
            { key: 'state', title: 'State' },
            { key: 'created', title: 'Made', drop: 1 },
            { key: 'expires', title: 'Good until' },
          ],
          rows.map(({ id, account, state, created, expires }) => [
            id,
            account,
            state,
            formatInstant(created),
            formatInstant(expires),
          ]),
        ),
        ...(rows.length === 0 ? [note('No key has been made. Make one: fin keys create --account <name>')] : []),
      ],
    };
  },
};

export default keysList;
