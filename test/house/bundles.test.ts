import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const DIST = resolve(import.meta.dirname, '../../dist');

/**
 * esbuild escapes non-ASCII characters in strings but not in regular expressions, which need escapes such as \u2019.
 */
test('bundles contain only ASCII, so that their encoding does not matter', () => {
  const bundles = readdirSync(DIST).filter((name) => name.endsWith('.cjs'));
  expect(bundles.length).toBeGreaterThan(20);
  const nonAsciiBundles = bundles.filter((name) => readFileSync(join(DIST, name)).some((byte) => byte > 0x7f));
  expect(nonAsciiBundles).toEqual([]);
});
