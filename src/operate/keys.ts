/** `fin keys create|list|revoke`: API keys of the service on this machine. */

import { findOptionText, type UtilityCall, type UtilityCommand } from '../commands/command-line/utility.ts';
import { Failure } from '../contract/failure.ts';
import { isDay } from '../contract/identifiers.ts';
import { formatInstant } from '../contract/text/format-counts.ts';
import { requireDirectory } from '../platform/files/directories.ts';
import { makeFieldsBlock, makeNoteBlock, makeRecordTable } from '../result/blocks.ts';
import { pickFields } from '../result/rows.ts';
import type { DescribedKey } from '../service/keys/key-store.ts';

const COLUMNS = ['id', 'account', 'state', 'created', 'expires', 'revoked'] as const;

export const keysCreateCommand: UtilityCommand = {
  local: true,
  help: 'The key is shown only once, and stored only as a hash. If the output goes to a pipe or a file, or with --quiet, only the key is printed. The first key creates the account, which can have at most ten active keys. A running server accepts the key immediately.',
  options: [
    { name: 'account', value: 'name', help: 'Account of the key; all keys of an account share its limits' },
    {
      name: 'expires',
      value: 'date',
      help: 'Last date (UTC) on which the key is valid, or the exact time at which it expires',
    },
  ],
  examples: {
    'keys create --account acme': 'creates a key of the account acme, and prints it once',
    'keys create --account team > key.txt && fin auth login --base-url http://127.0.0.1:8346 < key.txt':
      'on the machine that runs "fin serve": creates a key, and stores it for later commands',
    'keys create --account acme --expires 2099-12-31': 'a key that is valid until the end of that day',
  },
  run: async (call) => {
    const { globals, io } = call;
    const account = findOptionText(call, 'account');
    if (account === null) throw new Failure('usage', 'The account is missing. Give --account <name>.');
    const expires = readExpiry(findOptionText(call, 'expires'));
    const data = requireDirectory('data', io.env);
    const { createKey, describeKey, getKeyDirectory } = await import('../service/keys/key-store.ts');
    const now = Date.now();
    const { key, record } = createKey(getKeyDirectory(data), { account, expires }, now);
    const created = { key, ...describeKey(record, now) };
    if (globals.format === 'table' && (globals.quiet || !io.outIsTerminal)) {
      // Prints nothing but the key on stdout, so that it can be piped into `fin auth login`.
      io.print(`${created.key}\n`);
      if (!globals.quiet) {
        const untilText = created.expires ?? 'it is revoked';
        io.log(`The key ${created.id} of the account ${account} is valid until ${untilText}. ${SHOWN_ONCE_NOTE}`);
      }
      return undefined;
    }
    return {
      json: created,
      rows: pickFields(['key', ...COLUMNS], [created]),
      view: [
        makeFieldsBlock([
          ['Key', { text: created.key, tone: 'strong' }],
          ['Id', created.id],
          ['Account', created.account],
          ['Valid until', created.expires ?? 'it is revoked'],
        ]),
        makeNoteBlock(SHOWN_ONCE_NOTE),
      ],
    };
  },
};

const SHOWN_ONCE_NOTE = 'This is the only time the key is shown.';
const DAY_MS = 24 * 3600 * 1000;
const INSTANT_PATTERN = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Parses the expiry of a key. Returns the time from which the key is refused: for a date, the midnight at the end of
 * that date.
 */
function readExpiry(text: string | null): string | null {
  if (text === null) return null;
  if (isDay(text)) return new Date(Date.parse(`${text}T00:00:00Z`) + DAY_MS).toISOString();
  if (INSTANT_PATTERN.test(text) && !Number.isNaN(Date.parse(text))) return new Date(text).toISOString();
  const quoted = JSON.stringify(text.slice(0, 60));
  throw new Failure('usage', `--expires ${quoted} is neither a date nor a date with a time.`, {
    hint: 'Write 2027-12-31, or 2027-12-31T18:00:00Z.',
  });
}

const STATE_COLUMNS = { id: 'Key', account: 'Account', state: 'State' };

export const keysListCommand: UtilityCommand = {
  local: true,
  options: [{ name: 'account', value: 'name', help: 'Show only the keys of this account' }],
  examples: { 'keys list': 'all keys, with their accounts and states' },
  run: async (call) => {
    const data = requireDirectory('data', call.io.env);
    const { describeKey, getKeyDirectory, listKeyRecords } = await import('../service/keys/key-store.ts');
    const account = findOptionText(call, 'account');
    const now = Date.now();
    const keys = listKeyRecords(getKeyDirectory(data), account).map((record) => describeKey(record, now));
    return {
      json: keys,
      rows: pickFields(COLUMNS, keys),
      view: [
        makeRecordTable(
          { ...STATE_COLUMNS, created: { title: 'Created', drop: 1 }, expires: 'Valid until' },
          keys.map((key) => ({ ...key, created: formatInstant(key.created), expires: formatInstant(key.expires) })),
        ),
        ...(keys.length === 0 ? [makeNoteBlock(describeNoKeys(account))] : []),
      ],
    };
  },
};

const describeNoKeys = (account: string | null): string =>
  `${account === null ? 'No API keys exist yet' : `The account ${account} has no API keys`}. To create a key: fin keys create --account ${account ?? '<name>'}`;

export const keysRevokeCommand: UtilityCommand = {
  local: true,
  help: 'Takes ids of keys, as "fin keys list" shows them. To revoke all active keys of an account: --account with --all.',
  args: [{ name: 'id', help: 'Id of a key, or the beginning of an id', optional: true, many: true }],
  options: [
    { name: 'account', value: 'name', help: 'Account of the keys' },
    { name: 'all', help: 'Revoke all active keys of the account given by --account' },
  ],
  examples: { 'keys revoke --account acme --all': 'every active key of the account acme' },
  run: async (call) => {
    const data = requireDirectory('data', call.io.env);
    const { describeKey, getKeyDirectory, listKeyRecords, revokeKey } = await import('../service/keys/key-store.ts');
    const directory = getKeyDirectory(data);
    const selection = readSelection(call);
    const now = Date.now();
    const records = listKeyRecords(directory, selection.account);
    const keys = records.map((record) => ({ ...describeKey(record, now), record }));
    const revoked = chooseKeys(keys, selection).map(({ record }) =>
      describeKey(revokeKey(directory, record, now), now),
    );
    return {
      json: revoked,
      rows: pickFields(COLUMNS, revoked),
      view: [
        makeRecordTable(STATE_COLUMNS, revoked),
        makeNoteBlock('A running server refuses these keys from now on.'),
      ],
    };
  },
};

type KeySelection = ReturnType<typeof readSelection>;

/**
 * Returns which keys to revoke. Revoking without ids requires both `--account` and `--all`, because it cannot be
 * undone.
 */
function readSelection(call: UtilityCall) {
  const { args: ids, options } = call;
  const account = findOptionText(call, 'account');
  if (ids.length > 0 && options.all !== true) return { ids, account };
  if (ids.length === 0 && options.all === true && account !== null) return { ids, account };
  const problem = ids.length === 0 ? 'The ids of keys are missing.' : 'Ids of keys and --all cannot be combined.';
  throw new Failure('usage', `${problem} Give the ids of keys, or --account <name> --all for all keys of an account.`, {
    hint: `Nothing was revoked. To list the ids: ${formatListCommand(account)}`,
  });
}

const formatListCommand = (account: string | null): string =>
  account === null ? 'fin keys list' : `fin keys list --account ${account}`;

/**
 * Returns the selected keys; `ids` may be shortened to their first characters. Without `ids`, selects all
 * active keys. Throws a usage Failure if no key is found, or if a shortened id matches several keys.
 */
function chooseKeys<Key extends DescribedKey>(keys: readonly Key[], { ids, account }: KeySelection): readonly Key[] {
  const subject = account === null ? 'The service on this machine' : `The account ${account}`;
  if (ids.length === 0) {
    const active = keys.filter(({ state }) => state === 'active');
    if (active.length > 0) return active;
    const hint = `To list the keys: ${formatListCommand(account)}`;
    throw new Failure('usage', `${subject} has no active key.`, { hint });
  }
  return ids.map((prefix) => {
    const [match, ...otherMatches] = keys.filter(({ id }) => prefix !== '' && id.startsWith(prefix));
    if (match !== undefined && otherMatches.length === 0) return match;
    const quoted = JSON.stringify(prefix.slice(0, 20));
    const problem = match === undefined ? 'has no key with the id' : 'has several keys whose ids begin with';
    throw new Failure('usage', `${subject} ${problem} ${quoted}.`, {
      hint: `Nothing was revoked. To list the ids: ${formatListCommand(account)}`,
    });
  });
}
