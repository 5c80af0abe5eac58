/** Finds the account of an `Authorization` header. */
import { timingSafeEqual } from 'node:crypto';
import { type Stats, statSync } from 'node:fs';
import type { ProblemCode } from '../../contract/problems.ts';
import { waitForNextIteration } from '../request/event-loop.ts';
import { determineKeyState, getKeyPath, hashKey, isKey, type KeyRecord, readKeyRecord } from './key-store.ts';

export type AuthenticationResult =
  | { readonly account: string }
  | { readonly code: ProblemCode; readonly detail: string; readonly challenge: string };

export type KeyRing = ReturnType<typeof createKeyRing>;

/** Maximum number of cached key records. A cached record is used only while its file is unchanged. */
const MAX_CACHED_RECORDS = 10_000;

export function createKeyRing(folder: string, clock: () => number) {
  const records = new Map<string, { readonly record: KeyRecord; readonly stats: Stats }>();

  /**
   * Returns the record of a key from its file, which is read again only if its inode, time or size has changed, for
   * example because the key was revoked.
   */
  function readCachedRecord(hash: string): KeyRecord | null {
    const stats = statSync(getKeyPath(folder, hash), { throwIfNoEntry: false });
    if (stats === undefined) {
      records.delete(hash);
      return null;
    }
    const cached = records.get(hash);
    if (cached !== undefined && areStatsEqual(cached.stats, stats)) return cached.record;
    const record = readKeyRecord(folder, hash);
    if (records.size >= MAX_CACHED_RECORDS) records.clear();
    if (record !== null) records.set(hash, { record, stats });
    return record;
  }

  function checkHeader(authorization: string): AuthenticationResult {
    const key = /^bearer +(\S.*)$/i.exec(authorization)?.[1]?.trimEnd();
    if (key === undefined) return MISSING_KEY;
    if (!isKey(key)) return INVALID_KEY;
    const hash = hashKey(key);
    const record = readCachedRecord(hash);
    if (record === null || !timingSafeEqual(Buffer.from(record.hash), Buffer.from(hash))) return INVALID_KEY;
    const state = determineKeyState(record, clock());
    return state === 'active' ? { account: record.account } : state === 'revoked' ? REVOKED_KEY : EXPIRED_KEY;
  }

  // Caches results for the requests of one event-loop iteration only, so that keys do not stay in memory.
  const results = new Map<string, AuthenticationResult>();
  return {
    authenticate(authorization = ''): AuthenticationResult {
      const cached = results.get(authorization);
      if (cached !== undefined) return cached;
      if (results.size === 0) void waitForNextIteration().then(() => results.clear());
      const result = checkHeader(authorization);
      results.set(authorization, result);
      return result;
    },
  };
}

const areStatsEqual = (a: Stats, b: Stats): boolean =>
  a.ino === b.ino && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.size === b.size;

const BEARER_CHALLENGE = 'Bearer realm="fin"';
const refuse = (code: ProblemCode, detail: string): AuthenticationResult => ({
  code,
  detail,
  // Gives no error code if the request has no credentials (https://www.rfc-editor.org/rfc/rfc6750#section-3.1).
  challenge:
    code === 'missing_key'
      ? BEARER_CHALLENGE
      : `${BEARER_CHALLENGE}, error="invalid_token", error_description="${code}"`,
});

const MISSING_KEY = refuse('missing_key', 'The request has no API key. Send the header "Authorization: Bearer <key>".');
const INVALID_KEY = refuse('invalid_key', 'This is not a valid API key. Check that it was copied completely.');
const REVOKED_KEY = refuse(
  'revoked_key',
  'This API key has been revoked. Use another key of the account, or ask the operator for a new key.',
);
const EXPIRED_KEY = refuse('expired_key', 'This API key has expired. Ask the operator of the service for a new key.');
