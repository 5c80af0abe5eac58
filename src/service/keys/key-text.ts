/**
 * The form of a key: `svc_`, 32 random letters and digits, and a checksum of 6, the CRC-32 of everything before it in
 * base 62. The checksum detects typos without reading a store.
 */
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'svc_';
const RANDOM = 32;
const CHECKSUM = 6;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE_PATTERN = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM + CHECKSUM}}$`);

export function makeKey(): string {
  let body = PREFIX;
  for (let index = 0; index < RANDOM; index += 1) body += DIGITS.charAt(randomInt(DIGITS.length));
  return body + checksum(body);
}

/** Whether the text has the form and the checksum of a key; the key may not exist. */
export function isKey(text: string): boolean {
  return SHAPE_PATTERN.test(text) && checksum(text.slice(0, -CHECKSUM)) === text.slice(-CHECKSUM);
}

/** Returns the only form in which a key is stored. Keys are random, so a fast hash is secure. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Returns the text without anything that looks like a key, of this service or another; for logs. */
export function withoutKeys(text: string): string {
  return text.replace(/[0-9A-Za-z]+_[0-9A-Za-z]{38}/g, '[key]');
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let index = 0; index < CHECKSUM; index += 1) {
    text = DIGITS.charAt(rest % DIGITS.length) + text;
    rest = Math.floor(rest / DIGITS.length);
  }
  return text;
}
