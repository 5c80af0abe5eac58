import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha1 } from '../../src/service/sha1.ts';

test('the digests are those of SHA-1, at every length around a block and for any bytes', () => {
  const known = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest('hex');
  expect(sha1(Buffer.from('abc'))).toBe('a9993e364706816aba3e25717850c26c9cd0d89d');
  for (let length = 0; length <= 200; length += 1) {
    const bytes = Buffer.alloc(length, length);
    expect(sha1(bytes)).toBe(known(bytes));
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 1000 }), (bytes) => {
      expect(sha1(bytes)).toBe(known(bytes));
    }),
  );
});
