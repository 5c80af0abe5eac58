/**
 * The format of a key: `svc_`, 32 random letters and digits, and a checksum of 6 characters: the CRC-32 of all earlier
 * characters in base 62. The checksum detects typos without a lookup.
 */
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

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
