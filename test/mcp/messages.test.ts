/** Messages and arguments as assistants send them, in other forms than the protocol and the schemas ask for. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeHome } from '../end-to-end/run-fin.ts';
import { type Service, startService } from '../end-to-end/serve-process.ts';
import { startFin } from '../fin-process.ts';

let service: Service;

beforeAll(async () => {
  service = await startService({}, { options: ['--mcp', '--no-auth'] });
});
afterAll(async () => service.stop());

// biome-ignore lint/suspicious/noExplicitAny: an answer is asserted on, field by field
type RpcAnswer = any;

/** Sends lines to `fin mcp`, and returns its answers by id. */
async function answersOf(lines: readonly string[]): Promise<Map<unknown, RpcAnswer>> {
  const env = { PATH: process.env.PATH ?? '', HOME: makeHome() };
  const { code, out } = await startFin(['mcp'], { env, input: lines.join('\n') }).done;
  expect(code).toBe(0);
  const answers = out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  return new Map(answers.map((answer) => [answer.id, answer]));
}

const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 'first', method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const START = [JSON.stringify(INITIALIZE), '{"jsonrpc":"2.0","method":"notifications/initialized"}'];

const INVALID_MESSAGES = [
  '{"id":1,"method":"ping"}',
  '{"jsonrpc":"2.0","id":2,"method":"ping","params":null}',
  '{"jsonrpc":"2.0","id":3,"method":"ping","params":[]}',
  '{"jsonrpc":"1.0","id":4,"method":"ping"}',
  '{"jsonrpc":"2.0","id":5}',
  '{"jsonrpc":"2.0","id":6,"method":7}',
  '{"jsonrpc":"2.0","id":7.5,"method":"ping"}',
  '{"jsonrpc":"2.0","id":"eight","method":"ping","params":"text"}',
  '[{"jsonrpc":"2.0","id":9,"method":"ping"},{"jsonrpc":"2.0","id":10,"method":"ping"}]',
];

test('every invalid message with an id is answered, and valid messages after it too', async () => {
  const answers = await answersOf([...START, ...INVALID_MESSAGES, 'text', '{"jsonrpc":"2.0","id":11,"method":"ping"}']);
  expect([...answers.keys()].sort()).toEqual([1, 10, 11, 2, 3, 4, 5, 6, 7.5, 9, 'eight', 'first'].sort());
  for (const [id, answer] of answers) {
    if (id === 11 || id === 'first') expect(answer.result).toBeDefined();
    else expect([id, answer.error?.code]).toEqual([id, -32600]);
  }
});

test('a byte order mark before the first message is ignored, and a last line needs no line break', async () => {
  const answers = await answersOf([`\ufeff${START[0]}`, START[1] ?? '', '{"jsonrpc":"2.0","id":1,"method":"ping"}']);
  expect(answers.get('first')?.result.protocolVersion).toBe('2025-06-18');
  expect(answers.get(1)?.result).toEqual({});
});

test('over HTTP, an invalid message is answered with its id', async () => {
  for (const message of INVALID_MESSAGES) {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${service.baseUrl}/mcp`, { method: 'POST', body: message, headers });
    const [first] = [JSON.parse(message)].flat();
    expect([message, response.status, await response.json()]).toEqual([
      message,
      400,
      { jsonrpc: '2.0', id: first.id, error: { code: -32600, message: expect.any(String) } },
    ]);
  }
});

test.each([
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['application/*;q=0.9', 'application/json'],
  ['text/event-stream', 'text/event-stream'],
  ['application/json, text/event-stream', 'text/event-stream'],
])('a client that accepts %s is answered over HTTP with %s', async (accept, type) => {
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'find', arguments: { query: 'apple' } },
  };
  const headers = { 'content-type': 'application/json', accept };
  const response = await fetch(`${service.baseUrl}/mcp`, { method: 'POST', body: JSON.stringify(message), headers });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
  expect(await response.text()).toContain('ticker: AAPL');
});

/** Each pair of calls asks for the same. */
const EQUAL_CALLS: readonly (readonly [tool: string, exact: object, sent: object])[] = [
  ['metrics', { keys: ['revenue', 'net_income'] }, { keys: '["revenue","net_income"]' }],
  [
    'metrics',
    { keys: ['revenue', 'net_income'], period: 'annual' },
    { keys: 'revenue, net_income', period: '"annual"' },
  ],
  ['metrics', { statement: 'income', years: 3, ttm: false }, { statement: 'income', years: '3', ttm: 'False' }],
  [
    'metrics',
    { keys: ['revenue'], ttm: true, years: 2 },
    { keys: ['revenue', ''], ttm: 'true', years: '2.0', as_of: '' },
  ],
  ['metrics', { keys: ['revenue'] }, { keys: 'revenue', statement: '', as_of: null, values: '' }],
  ['filings', { forms: ['10-K'], limit: 2 }, { forms: '["10-K"]', limit: '2', items: '', since: '', show: '' }],
  ['filings', { forms: ['10-K', '10-K/A'] }, { forms: '10-K,10-K/A', accession: '', date: '', items: '[]' }],
  ['explain', { metric_key: 'revenue', fiscal_year: 2024 }, { metric_key: ['revenue'], fiscal_year: '2024' }],
  ['prices', { range: '1m' }, { range: '1m', from: '', to: '' }],
];

test('arguments are read by the schema: lists as text, numbers as text, empty texts as unset', async () => {
  const messages = EQUAL_CALLS.flatMap(([name, ...both], index) =>
    both.map((given, part) => ({
      ...{ jsonrpc: '2.0', id: `${index} ${part}`, method: 'tools/call' },
      params: { name, arguments: { ticker: 'AAPL', ...given } },
    })),
  );
  const answers = await answersOf([...START, ...messages.map((message) => JSON.stringify(message))]);
  for (const [index, call] of EQUAL_CALLS.entries()) {
    const [exact, sent] = [0, 1].map((part) => answers.get(`${index} ${part}`)?.result);
    expect([call, exact?.isError]).toEqual([call, undefined]);
    // The call for the next rows repeats the arguments as they were read.
    expect([call, sent]).toEqual([call, exact]);
  }
});

test('filters and tickers may be JSON text, and a text that is no list stays one', async () => {
  const call = (id: number, name: string, given: object) =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } });
  const where = ['revenue:gt:100B', 'net_margin:gt:20%'];
  const answers = await answersOf([
    ...START,
    call(1, 'screen', { where: JSON.stringify(where), sort: 'revenue' }),
    call(2, 'screen', { where: where.join(','), sort: 'revenue' }),
    call(3, 'screen', { where, sort: 'revenue' }),
    call(4, 'compare', { ticker: '["AAPL","MSFT"]', keys: 'revenue' }),
    call(5, 'compare', { ticker: ['AAPL', 'MSFT'], keys: ['revenue'] }),
    call(6, 'find', { query: 'berkshire, hathaway' }),
    call(7, 'screen', { where: 'revenue:gt:[1' }),
  ]);
  const textOf = (id: number) => answers.get(id)?.result.content[0].text;
  expect(textOf(3)).toContain('AAPL');
  expect([textOf(1), textOf(2)]).toEqual([textOf(3), textOf(3)]);
  expect(textOf(4)).toBe(textOf(5));
  expect(textOf(6)).toContain('BRK');
  expect(answers.get(7)?.result).toMatchObject({ isError: true });
});
