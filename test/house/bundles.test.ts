import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const DIST_FOLDER = resolve(import.meta.dirname, '../../dist');

/**
 * esbuild escapes non-ASCII characters in strings but not in regular expressions, which need escapes such as \u2019.
 */
test('bundles contain only ASCII, so that their encoding does not matter', () => {
  const bundleNames = readdirSync(DIST_FOLDER).filter((name) => name.endsWith('.cjs'));
  expect(bundleNames.length).toBeGreaterThan(20);
  const nonAsciiBundleNames = bundleNames.filter((name) =>
    readFileSync(join(DIST_FOLDER, name)).some((byte) => byte > 0x7f),
  );
  expect(nonAsciiBundleNames).toEqual([]);
});

test('bundles contain only modules that they use', () => {
  const readBundle = (name: string) => readFileSync(join(DIST_FOLDER, name), 'latin1');
  // start.cjs would load the shared bundle without compiled code.
  expect(readBundle('start.cjs')).not.toContain('shared.cjs');
  expect(readBundle('wiring-completion-tickers.cjs')).not.toContain('node:zlib');
  for (const name of ['questions-metrics.cjs', 'questions-screen.cjs', 'store-reader.cjs'])
    expect(readBundle(name)).not.toContain('DecimalError');
});
