/** Who asks: from an `Authorization` header to an account (interface, "Authentication"). */
import { timingSafeEqual } from 'node:crypto';
import { type Stats, statSync } from 'node:fs';
import type { ProblemCode } from '../../contract/problems.ts';
import { nextIteration } from '../event-loop.ts';
import { type KeyRecord, keyPath, readKey, stateOf } from './key-store.ts';
import { hashKey, isKey } from './key-text.ts';

export type AuthenticationResult =
  | { readonly account: string }
  | { readonly code: ProblemCode; readonly detail: string; readonly challenge: string };

export interface KeyRing {
  authenticate(authorization: string | undefined): AuthenticationResult;
}

/** Records held so as not to be read anew with every request; each is still looked at, so none goes stale. */
const HELD_MAX = 10_000;

export function createKeyRing(directory: string, now: () => number): KeyRing {
  const held = new Map<string, { readonly record: KeyRecord; readonly stats: Stats }>();

  /** The record as it is on the disk this moment: revoking replaces the file, and so changes its inode. */
  function lookUp(hash: string): KeyRecord | null {
    const stats = statSync(keyPath(directory, hash), { throwIfNoEntry: false });
    if (stats === undefined) {
      held.delete(hash);
      return null;
    }
    const known = held.get(hash);
    if (known !== undefined && isSame(known.stats, stats)) return known.record;
    const record = readKey(directory, hash);
    if (held.size >= HELD_MAX) held.clear();
    if (record !== null) held.set(hash, { record, stats });
    return record;
  }

  function judge(authorization: string): AuthenticationResult {
    const key = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (key === undefined) return MISSING;
    if (!isKey(key)) return INVALID;
    const hash = hashKey(key);
    const record = lookUp(hash);
    if (record === null || !timingSafeEqual(Buffer.from(record.hash), Buffer.from(hash))) return INVALID;
    const state = stateOf(record, now());
    return state === 'active' ? { account: record.account } : state === 'revoked' ? REVOKED : EXPIRED;
  }

  // One look does for all that came in together, and no key is held for longer.
  const judged = new Map<string, AuthenticationResult>();
  return {
    authenticate(authorization = '') {
      const known = judged.get(authorization);
      if (known !== undefined) return known;
      if (judged.size === 0) void nextIteration().then(() => judged.clear());
      const who = judge(authorization);
      judged.set(authorization, who);
      return who;
    },
  };
}

const isSame = (a: Stats, b: Stats): boolean =>
  a.ino === b.ino && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.size === b.size;

const REALM = 'Bearer realm="fin"';
const refusal = (code: ProblemCode, detail: string): AuthenticationResult => ({
  code,
  detail,
  // RFC 6750: no error is named where no credentials were shown.
  challenge: code === 'missing_key' ? REALM : `${REALM}, error="invalid_token", error_description="${code}"`,
});

const MISSING = refusal(
  'missing_key',
  'The request carries no API key. Send the header "Authorization: Bearer <key>".',
);
const INVALID = refusal('invalid_key', 'This is not a valid API key. Check that it was copied whole.');
const REVOKED = refusal('revoked_key', 'This API key has been revoked. Use another key of the account, or make one.');
const EXPIRED = refusal('expired_key', 'This API key is past its expiry date. Make a new one.');
