/** How a key is shown once it is made: by its id, never by itself. */
import { pick, type Rows } from '../../output/rows.ts';
import { type KeyRecord, keyId, stateOf } from '../../service/keys/key-store.ts';

export const KEY_COLUMNS = ['id', 'account', 'state', 'created', 'expires', 'revoked'] as const;

export function keyRow(record: KeyRecord, now: number) {
  const { account, created, expires, revoked } = record;
  return { id: keyId(record), account, state: stateOf(record, now), created, expires, revoked };
}

export function keyRows(records: readonly KeyRecord[], now: number): Rows {
  return pick(
    KEY_COLUMNS,
    records.map((record) => keyRow(record, now)),
  );
}
