import { Failure } from '../contract/failure.ts';
import { isDay } from '../contract/identifiers.ts';
import { fields, note } from '../output/blocks.ts';
import { pick } from '../output/rows.ts';
import { createKey } from '../service/keys/key-store.ts';
import { KEY_COLUMNS, keyRow } from './keys-view.ts';
import { serviceHome } from './service-home.ts';
import type { UtilityCall, UtilityCommand } from './utility.ts';

const keysCreate: UtilityCommand = {
  name: 'keys create',
  summary: 'Make an API key for an account of this service',
  help: 'The key is shown once and kept only as a hash. An account is made by its first key, and holds at most ten. A running server takes the key at once.',
  args: [],
  options: [
    { name: 'account', value: 'name', help: 'The account whose limits the key shares' },
    { name: 'expires', value: 'date', help: 'Last day on which the key is good (UTC), or the moment it ends' },
  ],
  examples: [
    { line: 'keys create --account acme', shows: 'a key of the account acme, once' },
    { line: 'keys create --account acme --expires 2099-12-31', shows: 'a key that is good to the end of that day' },
  ],
  run: async (call) => {
    const now = Date.now();
    const wanted = { account: accountOf(call), expires: expiryOf(call.options.expires) };
    const { key, record } = createKey(serviceHome(call).keys, wanted, now);
    const made = { key, ...keyRow(record, now) };
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
