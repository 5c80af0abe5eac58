/**
 * The keys of all accounts: one small file per key, named by the key's hash. Files are written atomically, so no lock
 * is needed. A running server checks the file of each key that it receives, so creating and revoking a key take effect
 * immediately.
 */

import { createHash, randomInt } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { compareText } from '../../contract/compare-text.ts';
import { Failure } from '../../contract/failure.ts';
import { writeAtomically } from '../../platform/files/atomic-write.ts';
import { readRegularFile } from '../../platform/files/regular-file.ts';
import { makeSystemFailure, readIfPresent } from '../../platform/files/system-error.ts';
import { parseObject } from '../../platform/json-object.ts';

/** The stored record of a key. Times are ISO 8601. The key is refused from `expires` on. */
export interface KeyRecord {
  readonly hash: string;
  readonly account: string;
  readonly created: string;
  readonly expires: string | null;
  readonly revoked: string | null;
}

type KeyState = 'active' | 'expired' | 'revoked';

/** Maximum number of active keys of an account. */
const MAX_ACTIVE_KEYS = 10;

const ACCOUNT_PATTERN = /^[a-z0-9][a-z0-9._-]{0,63}$/;
/** Maximum size of a key's file: more than ten times the longest record. */
const MAX_KEY_FILE_BYTES = 8_192;
const KEY_FILE_PATTERN = /^[0-9a-f]{64}\.json$/;

export function determineKeyState(record: KeyRecord, now: number): KeyState {
  if (record.revoked !== null) return 'revoked';
  return record.expires !== null && Date.parse(record.expires) <= now ? 'expired' : 'active';
}

/** Returns the id of a key, which is the beginning of its hash and may be shown after the key's creation. */
const getKeyId = (record: KeyRecord): string => record.hash.slice(0, 12);

export const getKeyDirectory = (directory: string): string => join(directory, 'service', 'keys');

export type DescribedKey = ReturnType<typeof describeKey>;

/** Returns what may be shown of a key, in the order of the columns. */
export function describeKey(record: KeyRecord, now: number) {
  const { account, created, expires, revoked } = record;
  return { id: getKeyId(record), account, state: determineKeyState(record, now), created, expires, revoked };
}

export const getKeyPath = (folder: string, hash: string): string => join(folder, `${hash}.json`);

/**
 * Creates a key and stores its hash.
 * @returns the key, which is not stored
 * @throws {Failure} usage: an invalid account name, an expiry in the past, an eleventh active key
 */
export function createKey(
  folder: string,
  settings: { readonly account: string; readonly expires: string | null },
  now: number,
): { readonly key: string; readonly record: KeyRecord } {
  requireAccountName(settings.account);
  const { account, expires } = settings;
  if (expires !== null && Date.parse(expires) <= now) {
    throw new Failure('usage', `The expiry ${expires} is in the past.`, { hint: 'Give a later date with --expires.' });
  }
  const key = makeKey();
  const record = { hash: hashKey(key), account, created: new Date(now).toISOString(), expires, revoked: null };
  writeRecord(folder, record);
  // Counts after writing the key: if two processes each create a key at the same time, at least one of them counts
  // both.
  const activeKeys = listKeyRecords(folder, account).filter((row) => determineKeyState(row, now) === 'active');
  if (activeKeys.length > MAX_ACTIVE_KEYS) {
    rmSync(getKeyPath(folder, record.hash));
    throw new Failure('usage', `The account ${account} has ${MAX_ACTIVE_KEYS} active keys, which is the maximum.`, {
      hint: `Revoke a key first. To list the keys: fin keys list --account ${account}`,
    });
  }
  return { key, record };
}

/**
 * Returns all keys, or the keys of one account, oldest first; ignores other files in the directory.
 * @throws {Failure} usage: an invalid account name
 */
export function listKeyRecords(folder: string, account: string | null): KeyRecord[] {
  if (account !== null) requireAccountName(account);
  const names = readIfPresent([], 'data', `The keys in ${folder} cannot be listed`, () => readdirSync(folder));
  return names
    .filter((name) => KEY_FILE_PATTERN.test(name))
    .flatMap((name) => readKeyRecord(folder, name.slice(0, 64)) ?? [])
    .filter((record) => account === null || record.account === account)
    .sort((a, b) => compareText(a.created, b.created) || compareText(a.hash, b.hash));
}

/** Returns the record of the key with this hash; null if there is no such key. */
export function readKeyRecord(folder: string, hash: string): KeyRecord | null {
  const file = getKeyPath(folder, hash);
  const text = readIfPresent(null, 'data', `The key file ${file} cannot be read`, () =>
    readRegularFile(file, 'utf8', MAX_KEY_FILE_BYTES),
  );
  if (text === null) return null;
  const record = parseRecord(text);
  if (record === null || record.hash !== hash) {
    throw new Failure('data', `The key file ${getKeyPath(folder, hash)} is damaged.`, {
      hint: 'Remove the file and create a new key: fin keys create --account <name>',
    });
  }
  return record;
}

export function revokeKey(folder: string, record: KeyRecord, now: number): KeyRecord {
  const revoked = { ...record, revoked: record.revoked ?? new Date(now).toISOString() };
  writeRecord(folder, revoked);
  return revoked;
}

/** @throws {Failure} usage, with the rules for account names */
export function requireAccountName(account: string): void {
  if (ACCOUNT_PATTERN.test(account)) return;
  throw new Failure('usage', `${JSON.stringify(account.slice(0, 80))} is not a valid account name.`, {
    hint: 'Use up to 64 lower-case letters, digits, dots, dashes and underscores, beginning with a letter or digit.',
  });
}

function writeRecord(folder: string, record: KeyRecord): void {
  const file = getKeyPath(folder, record.hash);
  try {
    writeAtomically(file, `${JSON.stringify(record)}\n`, { isDurable: true });
  } catch (cause) {
    throw makeSystemFailure('data', `The key file ${file} cannot be written`, cause);
  }
}

function parseRecord(text: string): KeyRecord | null {
  const { hash, account, created, expires, revoked } = parseObject(text) ?? {};
  if (typeof hash !== 'string' || typeof account !== 'string' || !ACCOUNT_PATTERN.test(account)) return null;
  if (!isTime(created) || !(expires == null || isTime(expires)) || !(revoked == null || isTime(revoked))) return null;
  return { hash, account, created, expires: expires ?? null, revoked: revoked ?? null };
}

const isTime = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/*
 * The format of a key: `svc_`, 32 random letters and digits, and a checksum of 6 characters: the CRC-32 of all earlier
 * characters in base 62. The checksum detects typos without a lookup.
 */

const KEY_PREFIX = 'svc_';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const BASE62_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_PATTERN = new RegExp(`^${KEY_PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

export function makeKey(): string {
  let body = KEY_PREFIX;
  for (let index = 0; index < RANDOM_LENGTH; index += 1) body += BASE62_DIGITS.charAt(randomInt(BASE62_DIGITS.length));
  return body + computeChecksum(body);
}

/** Whether the text has the format and the checksum of a key, even if the key does not exist. */
export const isKey = (text: string): boolean =>
  KEY_PATTERN.test(text) && computeChecksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);

/** Returns the hash of a key, the only form in which keys are stored. Keys are random, so a fast hash is secure. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex');

function computeChecksum(body: string): string {
  let remainder = crc32(body);
  let checksum = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    checksum = BASE62_DIGITS.charAt(remainder % BASE62_DIGITS.length) + checksum;
    remainder = Math.floor(remainder / BASE62_DIGITS.length);
  }
  return checksum;
}
