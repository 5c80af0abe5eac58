/** Implements `fin keys`: API keys of the service on this machine. */
import { join } from 'node:path';
import type { KeyDescription } from '../commands/ports/keys.ts';
import * as store from '../service/keys/key-store.ts';

export const getKeyDirectory = (dataDirectory: string): string => join(dataDirectory, 'service', 'keys');

export function createKey(
  dataDirectory: string,
  account: string,
  expires: string | null,
): { readonly key: string } & KeyDescription {
  const now = Date.now();
  const { key, record } = store.createKey(getKeyDirectory(dataDirectory), { account, expires }, now);
  return { key, ...toStoredKey(record, now) };
}

export function listKeys(dataDirectory: string, account: string | null): KeyDescription[] {
  if (account !== null) store.requireAccountName(account);
  const now = Date.now();
  return store.listKeyRecords(getKeyDirectory(dataDirectory), account).map((record) => toStoredKey(record, now));
}

export function revokeKeys(dataDirectory: string, ids: readonly string[]): KeyDescription[] {
  const directory = getKeyDirectory(dataDirectory);
  const now = Date.now();
  const recordById = new Map(store.listKeyRecords(directory, null).map((record) => [store.getKeyId(record), record]));
  return ids.map((id) => {
    const record = recordById.get(id);
    if (record === undefined) throw new Error(`There is no key with the id ${id}.`);
    return toStoredKey(store.revokeKey(directory, record, now), now);
  });
}

function toStoredKey(record: store.KeyRecord, now: number): KeyDescription {
  const { account, created, expires, revoked } = record;
  return {
    id: store.getKeyId(record),
    account,
    state: store.determineKeyState(record, now),
    created,
    expires,
    revoked,
  };
}
