import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const undici = resolve(import.meta.dirname, '../../../node_modules/undici/lib');

test('what the bundle leaves out of undici, and what it takes, stands where it was', () => {
  const names = [
    'dispatcher/client-h2.js',
    'web/fetch/body.js',
    'llhttp/llhttp-wasm.js',
    'llhttp/llhttp_simd-wasm.js',
    'dispatcher/agent.js',
    'dispatcher/env-http-proxy-agent.js',
    'dispatcher/dispatcher.js',
    'api/api-request.js',
    'api/api-connect.js',
  ];
  for (const name of names) expect(existsSync(resolve(undici, name)), name).toBe(true);
});

test('the parts left out are reached by requests with a body, or over HTTP/2, alone', () => {
  const h1 = readFileSync(resolve(undici, 'dispatcher/client-h1.js'), 'utf8');
  expect(h1.match(/require\('\.\.\/web\//g)).toHaveLength(1);
  expect(h1).toMatch(/extractBody = require\('\.\.\/web\/fetch\/body\.js'\)/);
});
