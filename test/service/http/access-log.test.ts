import { expect, test } from 'vitest';
import { formatLogLine } from '../../../src/service/http/request-listener.ts';
import { makeKey } from '../../../src/service/keys/key-store.ts';

const ENTRY = {
  ...{ requestId: 'r-1', account: 'acme', remote: '127.0.0.1', method: 'GET', target: '/v1/screen', status: 200 },
  ...{ bytes: 10, milliseconds: 1.23 },
};
const formatAndParse = (entry: Partial<typeof ENTRY>) => JSON.parse(formatLogLine({ ...ENTRY, ...entry }, 0));

test('a log line has the fields of the request', () => {
  expect(formatAndParse({ target: '/v1/screen?where=revenue_yoy:gt:1' })).toEqual({
    ...{ time: '1970-01-01T00:00:00.000Z', request_id: 'r-1', account: 'acme', remote: '127.0.0.1', method: 'GET' },
    ...{ target: '/v1/screen?where=revenue_yoy:gt:1', status: 200, bytes: 10, ms: 1.2 },
  });
});

test('a key in a target or a request id is not logged, even if it is encoded or cut at the maximum length', () => {
  const secret = makeKey().slice(4);
  for (const key of [`svc_${secret}`, `live_${secret}`, `svc%5F${secret}`, `svc%5f${secret}`]) {
    expect(formatAndParse({ target: `/v1?a=${key}&b=1` }).target).toMatch(/^\/v1\?a=\w+(?:_|%5F)…&b=1$/i);
    expect(formatAndParse({ requestId: key }).request_id).not.toContain(secret.slice(0, 8));
    for (const keyStart of [1960, 1975, 1990]) {
      const { target } = formatAndParse({ target: `/${'-'.repeat(keyStart)}${key}` });
      expect(target).not.toContain(secret.slice(0, 4));
      expect(target.length).toBeLessThanOrEqual(2000);
    }
  }
});

test('a long target that resembles the start of a key again and again is logged in linear time', () => {
  // In quadratic time, a text of this length would take longer than the timeout of the test.
  expect(formatAndParse({ target: `/${'a%5F'.repeat(250_000)}` }).target).toHaveLength(2000);
});
