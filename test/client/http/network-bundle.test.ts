import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const undici = resolve(import.meta.dirname, '../../../node_modules/undici');

test('the parts of undici that the bundle leaves out are still where it expects them', () => {
  const names = ['web', 'mock', 'interceptor', 'cache', 'handler', 'dispatcher/client-h2.js', 'web/fetch/body.js'];
  for (const name of [...names, 'llhttp/llhttp-wasm.js', 'llhttp/llhttp_simd-wasm.js']) {
    expect(existsSync(resolve(undici, 'lib', name)), name).toBe(true);
  }
});

test('the replaced index of undici exports one object', () => {
  const index = readFileSync(resolve(undici, 'index.js'), 'utf8');
  expect(index.match(/new [A-Z]\w+/g)?.filter((made) => !made.endsWith('Error') && made !== 'new URL')).toEqual([
    'new CacheStorage',
  ]);
});

test("the parts left out of undici's client serve only requests with a body, or HTTP/2", () => {
  const h1 = readFileSync(resolve(undici, 'lib/dispatcher/client-h1.js'), 'utf8');
  expect(h1.match(/require\('\.\.\/web\//g)).toHaveLength(1);
  expect(h1).toMatch(/extractBody = require\('\.\.\/web\/fetch\/body\.js'\)/);
});
