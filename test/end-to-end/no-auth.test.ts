/** `fin serve --no-auth`: the requests that it answers, and the answers that web pages may read. */
import { get } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from './serve-process.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({}, { options: ['--no-auth'] });
});
afterAll(() => service.stop());

interface HttpAnswer {
  readonly status: number | undefined;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

const fetchWithHost = (path: string, host: string): Promise<HttpAnswer> =>
  new Promise((resolve, reject) => {
    get(`${service.baseUrl}${path}`, { headers: { host } }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, body, headers: response.headers }));
    }).on('error', reject);
  });

test('a Host header with a remote name, as in DNS rebinding, is refused on every path, and loopback names are accepted', async () => {
  for (const path of ['/v1/release', '/livez', '/openapi.json', '/nothing']) {
    for (const host of [
      'attacker.example',
      'attacker.example:8346',
      '127.0.0.1.attacker.example',
      'localhost.example',
    ]) {
      const { status, body } = await fetchWithHost(path, host);
      expect([status, JSON.parse(body).code], `${path} ${host}`).toEqual([400, 'bad_request']);
      expect(body).toContain('--public-url');
    }
  }
  for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1:8346', '127.1.2.3', '[::1]:80']) {
    expect((await fetchWithHost('/v1/release', host)).status, host).toBe(200);
  }
});

test('web pages may read answers and problems, and preflight requests are refused', async () => {
  for (const path of ['/v1/release', '/v1/nothing', '/livez']) {
    expect((await fetchWithHost(path, 'localhost')).headers['access-control-allow-origin'], path).toBe('*');
  }
  const preflightResponse = await fetch(`${service.baseUrl}/v1/release`, { method: 'OPTIONS' });
  expect(preflightResponse.status).toBe(405);
  expect(preflightResponse.headers.get('access-control-allow-methods')).toBeNull();
});
