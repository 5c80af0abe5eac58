/** Calls `fin serve --mcp` over HTTP: it has the keys and limits of the HTTP API, and no sessions. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OlderStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OlderHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../end-to-end/serve-process.ts';
import { FIN_PATH } from '../fin-process.ts';

const CLIENT_INFO = { name: 'test', version: '1' };
const METRICS_TOOL_CALL = { name: 'metrics', arguments: { ticker: 'AAPL', keys: ['revenue'], period: 'annual' } };

let service: Service;
let url: URL;

beforeAll(async () => {
  service = await startService({ accounts: { account1: { minute: 3 } } }, { accounts: 2, options: ['--mcp'] });
  url = new URL(`${service.baseUrl}/mcp`);
});

afterAll(async () => service.stop());

const makeKeyHeader = (index = 0) => ({ authorization: `Bearer ${service.keys[index]}` });

const post = (body: string, headers: Record<string, string> = makeKeyHeader()) =>
  fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  });

/** Sends a request without fetch, which would replace the headers Host and Connection. */
async function postWithHost(host: string, connection: string): Promise<IncomingMessage> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...makeKeyHeader(),
  };
  const sentRequest = request(url, { method: 'POST', headers: { ...headers, host, connection } });
  sentRequest.end(makeMessage('tools/list'));
  const [response] = await once(sentRequest, 'response');
  response.resume();
  await once(response, 'close');
  return response;
}

const makeMessage = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

test.each([
  ['2026-07-28', { mode: { pin: '2026-07-28' } }],
  ['2025-11-25', { mode: 'legacy' }],
] as const)('a client of the protocol revision %s is answered', async (revision, versionNegotiation) => {
  const client = new Client(CLIENT_INFO, { versionNegotiation });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: makeKeyHeader() } }));
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  const { content } = await client.callTool(METRICS_TOOL_CALL);
  expect(content[0]).toMatchObject({ text: expect.stringContaining('391035000000,2024,2023-10-01,2024-09-28') });
  await client.close();
});

test('a client of the previous SDK is answered', async () => {
  const client = new OlderClient(CLIENT_INFO);
  await client.connect(
    new OlderHttp(url, { requestInit: { headers: makeKeyHeader() } }) as Parameters<typeof client.connect>[0],
  );
  const { content } = await client.callTool(METRICS_TOOL_CALL);
  expect(content).toMatchObject([{ text: expect.stringContaining('391035000000,2024,2023-10-01,2024-09-28') }]);
  await client.close();
});

test('fin mcp asks a service with its key, and answers like /mcp of that service', async () => {
  const { env } = service.home;
  const mcpEnv = { ...env, FIN_BASE_URL: service.baseUrl, FIN_API_KEY: service.keys[0] ?? '' };
  const client = new OlderClient(CLIENT_INFO);
  await client.connect(new OlderStdio({ command: process.execPath, args: [FIN_PATH, 'mcp'], env: mcpEnv }));
  const stdioAnswer = await client.callTool(METRICS_TOOL_CALL);
  await client.close();
  const httpAnswer = JSON.parse(
    /^data: (.*)$/m.exec(await (await post(makeMessage('tools/call', METRICS_TOOL_CALL))).text())?.[1] ?? '',
  );
  expect(stdioAnswer.content).toEqual(httpAnswer.result.content);
});

test('fin serve --mcp, which derives figures in threads, answers like fin mcp', async () => {
  const call = { name: 'metrics', arguments: { ticker: 'AAPL', keys: ['revenue', 'roe'], period: 'all', limit: 500 } };
  const client = new OlderClient(CLIENT_INFO);
  await client.connect(new OlderStdio({ command: process.execPath, args: [FIN_PATH, 'mcp'], env: service.home.env }));
  const stdioAnswer = await client.callTool(call);
  await client.close();
  const httpAnswer = JSON.parse(
    /^data: (.*)$/m.exec(await (await post(makeMessage('tools/call', call))).text())?.[1] ?? '',
  );
  expect(httpAnswer.result.content).toEqual(stdioAnswer.content);
  expect(JSON.stringify(stdioAnswer.content).length).toBeGreaterThan(10_000);
});

test('a request without a key, or with an invalid key, is a 401 problem', async () => {
  for (const [headers, code] of [
    [{}, 'missing_key'],
    [{ authorization: 'Bearer svc_no' }, 'invalid_key'],
  ] as const) {
    const response = await post(makeMessage('tools/list'), { ...headers });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('Bearer');
    expect(await response.json()).toMatchObject({ code });
  }
});

test('every request counts once against the limits of its account', async () => {
  const statuses: number[] = [];
  let lastResponse: Response | undefined;
  // The fourth request within a minute is refused; if the minute ends in between, a later request is.
  for (let attempt = 0; attempt < 8 && lastResponse?.status !== 429; attempt++) {
    lastResponse = await post(makeMessage('tools/list'), makeKeyHeader(1));
    statuses.push(lastResponse.status);
  }
  expect(statuses.slice(0, 3)).toEqual([200, 200, 200]);
  expect(lastResponse?.status).toBe(429);
  expect(lastResponse?.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await lastResponse?.json()).toMatchObject({ code: 'rate_limited', 'violated-policies': ['minute'] });
});

test('answers have headers with the limits, are not cached, and have no session', async () => {
  const response = await post(makeMessage('tools/list'));
  expect(response.headers.get('ratelimit-policy')).toContain('"minute"');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('mcp-session-id')).toBeNull();
  expect(response.headers.get('x-request-id')).not.toBeNull();
});

test('GET for a stream and DELETE of a session are 405', async () => {
  for (const method of ['GET', 'DELETE']) {
    const response = await fetch(url, { method, headers: { ...makeKeyHeader(), accept: 'text/event-stream' } });
    expect(response.status).toBe(405);
  }
});

test('a request with the Origin of another site is refused, whatever its Host', async () => {
  expect((await post(makeMessage('tools/list'), { ...makeKeyHeader(), origin: 'https://evil.example' })).status).toBe(
    403,
  );
  expect((await post(makeMessage('tools/list'), { ...makeKeyHeader(), origin: url.origin })).status).toBe(200);
});

test('on loopback a Host from DNS rebinding is refused, with or without a key', async () => {
  for (const [host, status] of [
    ['evil.example', 403],
    [`127.0.0.1.evil.example:${url.port}`, 403],
    [`localhost:${url.port}`, 200],
    [url.host, 200],
  ] as const) {
    expect([host, (await postWithHost(host, 'keep-alive')).statusCode]).toEqual([host, status]);
  }
});

test('a connection is closed if the client requests it', async () => {
  const { headers } = await postWithHost(url.host, 'close');
  expect(headers.connection).toBe('close');
});

test('batches, oversized bodies and bodies that are not JSON are refused, and the service continues', async () => {
  const batchResponse = await post(`[${makeMessage('tools/list')},${makeMessage('tools/list')}]`);
  expect(batchResponse.status).toBe(400);
  expect(await batchResponse.json()).toMatchObject({ error: { message: expect.stringContaining('one message') } });
  expect((await post(makeMessage('tools/list', { padding: 'x'.repeat(70_000) }))).status).toBe(413);
  expect((await post('{')).status).toBe(400);
  expect((await post(makeMessage('tools/list'))).status).toBe(200);
});

test('the interface is served at its paths, next to /mcp', async () => {
  const releaseResponse = await fetch(`${service.baseUrl}/v1/release`, { headers: makeKeyHeader() });
  expect(releaseResponse.status).toBe(200);
  expect((await fetch(`${service.baseUrl}/v1/release`, { method: 'POST', headers: makeKeyHeader() })).status).toBe(405);
});

test('the log has no errors and no keys', async () => {
  expect(service.stderrText()).toContain('"method":"POST"');
  expect(service.stderrText()).not.toContain('Error:');
  for (const key of service.keys) expect(service.stderrText()).not.toContain(key);
});
