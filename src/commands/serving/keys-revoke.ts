import { Failure } from '../../contract/failure.ts';
import { note, table } from '../../output/blocks.ts';
import { type KeyRecord, keyId, listKeys, requireAccount, revokeKey, stateOf } from '../../service/keys/key-store.ts';
import type { UtilityCommand } from '../utility.ts';
import { accountOf } from './keys-create.ts';
import { keyRow, keyRows } from './keys-view.ts';
import { serviceHome } from './service-home.ts';

const keysRevoke: UtilityCommand = {
  name: 'keys revoke',
  summary: 'Revoke API keys of an account, at once and for good',
  help: 'Keys are named by their ids, as "fin keys list" shows them. An id is needed where the account holds more than one active key; --all revokes them all.',
  args: [{ name: 'id', help: 'the id of a key, or its beginning', optional: true, many: true }],
  options: [
    { name: 'account', value: 'name', help: 'The account whose keys they are' },
    { name: 'all', help: 'Revoke every active key of the account' },
  ],
  examples: [],
  run: async (call) => {
    const account = accountOf(call);
    requireAccount(account);
    const { keys: directory } = serviceHome(call);
    const now = Date.now();
    const chosen = choose(listKeys(directory, account), account, call.args, call.options.all === true, now);
    const revoked = chosen.map((record) => revokeKey(directory, record, now));
    const rows = revoked.map((record) => keyRow(record, now));
    return {
      json: rows,
      rows: keyRows(revoked, now),
      view: [
        table(
          [
            { key: 'id', title: 'Key' },
            { key: 'account', title: 'Account' },
            { key: 'state', title: 'State' },
          ],
          rows.map((row) => [row.id, row.account, row.state]),
        ),
        note('A running server refuses them from now on.'),
      ],
    };
  },
};

export default keysRevoke;

function choose(
  records: readonly KeyRecord[],
  account: string,
  ids: readonly string[],
  all: boolean,
  now: number,
): readonly KeyRecord[] {
  const hint = `fin keys list --account ${account}`;
  if (ids.length > 0) {
    return ids.map((id) => {
      const [record, ...more] = records.filter((candidate) => id !== '' && keyId(candidate).startsWith(id));
      if (record !== undefined && more.length === 0) return record;
      const shown = JSON.stringify(id.slice(0, 20));
      const said = record === undefined ? 'has no key' : 'has several keys that begin with';
      throw new Failure('usage', `The account ${account} ${said} ${shown}.`, { hint });
    });
  }
  const active = records.filter((record) => stateOf(record, now) === 'active');
  if (active.length === 0) throw new Failure('usage', `The account ${account} has no active key.`, { hint });
  if (active.length > 1 && !all) {
    const names = active.map(keyId).join(', ');
    throw new Failure('usage', `The account ${account} has ${active.length} active keys: ${names}.`, {
      hint: 'Name those to revoke, or give --all.',
    });
  }
  return active;
}
