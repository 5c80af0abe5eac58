import { Failure } from '../../contract/failure.ts';
import { isDay } from '../../contract/identifiers.ts';
import { fields, note } from '../../output/blocks.ts';
import { pick } from '../../output/rows.ts';
import { createKey } from '../../service/keys/key-store.ts';
import type { UtilityCall, UtilityCommand } from '../utility.ts';
import { KEY_COLUMNS, keyRow } from './keys-view.ts';
import { serviceHome } from './service-home.ts';

const keysCreate: UtilityCommand = {
  name: 'keys create',
  summary: 'Make an API key for an account of this service',
  help: 'The key is shown once and kept only as a hash; in a pipe or a file, or with --quiet, it stands alone. An account is made by its first key, and holds at most ten. A running server takes the key at once.',
  args: [],
  options: [
    { name: 'account', value: 'name', help: 'The account whose limits the key shares' },
    { name: 'expires', value: 'date', help: 'Last day on which the key is good (UTC), or the moment it ends' },
  ],
  examples: [
    { line: 'keys create --account acme', shows: 'a key of the account acme, once' },
    {
      line: 'keys create --account team > key.txt && fin auth login --base-url http://127.0.0.1:8080 < key.txt',
      shows: 'a key made and stored on the machine of fin serve',
    },
    { line: 'keys create --account acme --expires 2099-12-31', shows: 'a key that is good to the end of that day' },
  ],
  run: async (call) => {
    const { globals, io } = call;
    const now = Date.now();
    const wanted = { account: accountOf(call), expires: expiryOf(call.options.expires) };
    const { key, record } = createKey(serviceHome(call).keys, wanted, now);
    const made = { key, ...keyRow(record, now) };
    if (globals.format === 'table' && (globals.quiet || !io.outIsTerminal)) {
      // So that a file or a pipe holds what fin auth login takes.
      io.print(`${key}\n`);
      if (!globals.quiet) io.log(`${keptNote(made)} This is the only time the key is shown.`);
      return undefined;
    }
    return {
      json: made,
      rows: pick(['key', ...KEY_COLUMNS], [made]),
      view: [
        fields([
          ['Key', { text: key, tone: 'strong' }],
          ['Id', made.id],
          ['Account', made.account],
          ['Good until', made.expires ?? 'revoked'],
        ]),
        note('This is the only time the key is shown.'),
      ],
    };
  },
};

export default keysCreate;

const keptNote = ({ id, account, expires }: ReturnType<typeof keyRow>): string =>
  `The key ${id} of the account ${account} is good until ${expires ?? 'it is revoked'}.`;

export function accountOf({ options }: Pick<UtilityCall, 'options'>): string {
  if (typeof options.account === 'string') return options.account;
  throw new Failure('usage', 'Which account? Give --account <name>.');
}

const DAY_MS = 24 * 3600 * 1000;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/** The first moment at which the key is refused: of a day, the midnight that ends it. */
function expiryOf(given: unknown): string | null {
  if (given === undefined) return null;
  const text = String(given);
  if (isDay(text)) return new Date(Date.parse(`${text}T00:00:00Z`) + DAY_MS).toISOString();
  if (INSTANT.test(text) && !Number.isNaN(Date.parse(text))) return new Date(text).toISOString();
  throw new Failure('usage', `--expires ${JSON.stringify(text.slice(0, 60))} is neither a day nor a moment.`, {
    hint: 'Write 2027-12-31, or 2027-12-31T18:00:00Z.',
  });
}
