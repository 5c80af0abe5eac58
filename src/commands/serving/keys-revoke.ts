import { Failure } from '../../contract/failure.ts';
import { note, table } from '../../output/blocks.ts';
import { type KeyRecord, keyId, listKeys, requireAccount, revokeKey, stateOf } from '../../service/keys/key-store.ts';
import type { UtilityCall, UtilityCommand } from '../utility.ts';
import { keyRow, keyRows } from './keys-view.ts';
import { serviceHome } from './service-home.ts';

const keysRevoke: UtilityCommand = {
  name: 'keys revoke',
  summary: 'Revoke API keys by their ids, or all of an account, at once and for good',
  help: 'Keys are named by their ids, as "fin keys list" shows them, or all active ones of an account are meant: --account with --all.',
  args: [{ name: 'id', help: 'the id of a key, or its beginning', optional: true, many: true }],
  options: [
    { name: 'account', value: 'name', help: 'Only keys of this account' },
    { name: 'all', help: 'Every active key of the account that --account names' },
  ],
  examples: [],
  run: async (call) => {
    const wanted = readWanted(call);
    const { keys: directory } = serviceHome(call);
    const now = Date.now();
    const chosen = choose(listKeys(directory, wanted.account), wanted, now);
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

interface Wanted {
  readonly ids: readonly string[];
  /** The only account whose keys may be meant, or null; never null without ids. */
  readonly account: string | null;
}

/** What cannot be taken back is never guessed: without ids nothing short of `--account` and `--all` will do. */
function readWanted({ args: ids, options }: Pick<UtilityCall, 'args' | 'options'>): Wanted {
  const account = typeof options.account === 'string' ? options.account : null;
  if (account !== null) requireAccount(account);
  if (ids.length > 0 && options.all !== true) return { ids, account };
  if (ids.length === 0 && options.all === true && account !== null) return { ids, account };
  const said = ids.length === 0 ? 'Which keys?' : 'The ids name some keys, and --all names all of them.';
  throw new Failure('usage', `${said} Name their ids, or give --account <name> --all for all of an account.`, {
    hint: `${hintOf(account)} shows the ids. Nothing was revoked.`,
  });
}

const hintOf = (account: string | null): string =>
  account === null ? 'fin keys list' : `fin keys list --account ${account}`;

function choose(records: readonly KeyRecord[], { ids, account }: Wanted, now: number): readonly KeyRecord[] {
  const hint = `${hintOf(account)} shows the ids. Nothing was revoked.`;
  const whose = account === null ? 'This service' : `The account ${account}`;
  if (ids.length === 0) {
    const active = records.filter((record) => stateOf(record, now) === 'active');
    if (active.length > 0) return active;
    throw new Failure('usage', `${whose} has no active key.`, { hint: hintOf(account) });
  }
  return ids.map((id) => {
    const [record, ...more] = records.filter((candidate) => id !== '' && keyId(candidate).startsWith(id));
    if (record !== undefined && more.length === 0) return record;
    const shown = JSON.stringify(id.slice(0, 20));
    const said = record === undefined ? 'has no key' : 'has several keys that begin with';
    throw new Failure('usage', `${whose} ${said} ${shown}.`, { hint });
  });
}
