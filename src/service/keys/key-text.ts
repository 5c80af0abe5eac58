/**
 * What a key of ours looks like: `svc_`, 32 random letters and digits, and 6 of checksum (choices.md, "Keys").
 *
 * The checksum is the CRC-32 of all that stands before it, in base 62: a typo is told from a key that was
 * never made without a look at any store.
 */
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'svc_';
const RANDOM = 32;
const CHECKSUM = 6;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM + CHECKSUM}}$`);

export function makeKey(): string {
  let body = PREFIX;
  for (let index = 0; index < RANDOM; index += 1) body += DIGITS.charAt(randomInt(DIGITS.length));
  return body + checksum(body);
}

/** Whether the text has the shape and the checksum of a key; whether it was ever made is another question. */
export function isKey(text: string): boolean {
  return SHAPE.test(text) && checksum(text.slice(0, -CHECKSUM)) === text.slice(-CHECKSUM);
}

/** The one form in which a key is kept. A key is random through and through, so a fast hash is enough. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Text with whatever looks like a key, ours or another service's, taken out: for logs. */
export function withoutKeys(text: string): string {
  return text.replace(/[a-z]+_[0-9A-Za-z]{38}/g, '[key]');
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
