import { expect, test } from 'vitest';
import {
  findEnvelopeFailure,
  isFromAnotherServer,
  listViolatedPolicies,
  makeResponseFailure,
  readEnvelope,
  readRequestId,
  type TransportResponse,
} from '../../../src/client/request/response.ts';
import type { Failure } from '../../../src/contract/failure.ts';
import { validateResponse } from '../../../src/contract/validate-response.ts';

const ORIGIN = 'https://filings.example';
const JSON_HEADERS = { 'content-type': 'application/json' };

const makeResponse = (status: number, body: unknown, headers: Record<string, string> = JSON_HEADERS) =>
  ({ status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }) satisfies TransportResponse;

const META = { schema: 'svc.data.v1', request_id: 'r-1', ticker: null };

function catchFailure(read: () => unknown): Failure {
  try {
    read();
  } catch (error) {
    return error as Failure;
  }
  throw new Error('the response was accepted');
}

test('an envelope is read without the null entries of meta', () => {
  const envelope = readEnvelope(makeResponse(200, { data: [1], meta: META }), '/v1/release', ORIGIN);
  expect(envelope).toEqual({ data: [1], meta: { schema: 'svc.data.v1', request_id: 'r-1' } });
  expect(readRequestId(envelope)).toBe('r-1');
});

test.each([
  ['text', 'hello'],
  ['a list', []],
  ['an object without data and meta', { error: 'no' }],
  ['another schema', { data: [], meta: { schema: 'v0' } }],
  ['no schema', { data: [], meta: {} }],
])('%s comes from another server', (_, body) => {
  const failure = catchFailure(() => readEnvelope(makeResponse(200, body), '/v1/release', ORIGIN));
  expect(failure.kind).toBe('network');
  expect(isFromAnotherServer(failure)).toBe(true);
});

test.each([
  ['the field "data" is missing', { meta: META }],
  ['the field "meta" is missing', { data: [] }],
  ['the field "meta" is null', { data: [], meta: null }],
  ['the field "meta" is not an object', { data: [], meta: 'text' }],
  [
    'the field "meta" has 1001 fields',
    { data: [], meta: { schema: META.schema, ...Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [i, 0])) } },
  ],
])('a malformed envelope is a defect of the service: %s', (text, body) => {
  const failure = catchFailure(() => readEnvelope(makeResponse(200, body), '/v1/release', ORIGIN));
  expect(failure.message).toContain(`release: ${text}`);
  expect(failure.kind).toBe('network');
  expect(isFromAnotherServer(failure)).toBe(false);
});

test('an envelope has a Failure if a field is invalid or an added parameter was ignored', () => {
  const find = (target: string, meta: object = {}) =>
    findEnvelopeFailure(target, { data: {}, meta: { ...meta } }, ORIGIN, validateResponse, new Map());
  expect(find('/v1/release')?.kind).toBe('network');
  expect(find('/v1/unknown')).toBeNull();
  const failure = find('/v1/screen?as_of=2024-01-31');
  expect(failure?.kind).toBe('usage');
  expect(failure?.message).toContain('the response ignores the parameter');
});

test.each([
  [400, 'usage'],
  [401, 'key'],
  [404, 'not_found'],
  [405, 'usage'],
  [429, 'limit'],
  [418, 'service'],
  [503, 'service'],
] as const)('a problem with the status %i becomes a Failure of the kind %s', (status, kind) => {
  const problem = { type: 'about:blank', title: 'Refused', detail: 'Refused because of a rule.' };
  const headers = { 'content-type': 'application/problem+json', 'x-request-id': 'r-2' };
  const failure = makeResponseFailure(makeResponse(status, problem, headers), ORIGIN, 7);
  expect([failure.kind, failure.message, failure.retryAfter]).toEqual([kind, problem.detail, 7]);
  expect(failure.problem?.request_id).toBe('r-2');
  expect(isFromAnotherServer(failure)).toBe(false);
});

test.each([
  [200, {}, 'answered 200'],
  [304, {}, 'although the request had no If-None-Match header'],
  [302, {}, 'without naming an address'],
  [302, { location: 'ftp://elsewhere.example/' }, 'not a web address (ftp:)'],
  [302, { location: '/v1/release' }, 'too many times'],
  [302, { location: 'https://elsewhere.example/' }, 'to https://elsewhere.example; a key is not sent along'],
  [404, { 'content-type': 'text/html' }, 'without an error message of the HTTP API (text/html)'],
  [407, {}, 'without an error message of the HTTP API'],
])('a status %i without a problem comes from another server', (status, headers, text) => {
  const failure = makeResponseFailure(makeResponse(status, '<html>', headers as Record<string, string>), ORIGIN);
  expect(failure.message).toContain(text);
  expect(isFromAnotherServer(failure)).toBe(true);
});

test('a 429 or a 5xx without a problem is from the service', () => {
  expect(makeResponseFailure(makeResponse(429, ''), ORIGIN, 3)).toMatchObject({ kind: 'limit', retryAfter: 3 });
  expect(makeResponseFailure(makeResponse(502, ''), ORIGIN)).toMatchObject({
    kind: 'service',
    hint: 'Try again later.',
  });
});

test('a long text of a problem is cut', () => {
  const failure = makeResponseFailure(makeResponse(400, { code: 'bad_request', detail: 'x'.repeat(5000) }), ORIGIN);
  expect(failure.message).toBe(`${'x'.repeat(4000)}…`);
});

test('the violated limits are read only from a 429', () => {
  const body = { code: 'rate_limited', detail: 'Too many.', 'violated-policies': ['minute'] };
  expect(listViolatedPolicies(makeResponse(429, body))).toEqual(['minute']);
  expect(listViolatedPolicies(makeResponse(400, body))).toEqual([]);
  expect(listViolatedPolicies(makeResponse(429, { ...body, 'violated-policies': 'minute' }))).toEqual([]);
});
