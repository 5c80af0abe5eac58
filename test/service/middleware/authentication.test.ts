import { expect, test, vi } from 'vitest';
import type { AuthenticationResult } from '../../../src/service/keys/key-ring.ts';
import { type Claim, refuseClaim } from '../../../src/service/limits/counters.ts';
import { STANDARD_LIMITS } from '../../../src/service/limits/limits.ts';
import { withAuthentication } from '../../../src/service/middleware/authentication.ts';
import type { ServiceRequest } from '../../../src/service/responses/service.ts';

const USAGE = { minute: 1, month: 1, concurrent: 1 };
const REFUNDED = { minute: 0, month: 0, concurrent: 1 };
const NOW = Date.UTC(2026, 10, 21, 12, 15, 10);
const REQUEST: ServiceRequest = {
  ...{ method: 'GET', target: '/v1/release', headers: {}, id: 'r-1', baseUrl: 'http://localhost' },
};

/** Returns a handler whose service answers with `status`, and spies on each call. */
function setUp({
  status = 200,
  authenticate = (): AuthenticationResult => ({ account: 'ada' }),
  violated = [] as Claim['violated'],
} = {}) {
  const claim = {
    violated,
    usage: USAGE,
    now: NOW,
    keep: vi.fn(async () => {}),
    refund: vi.fn(async () => REFUNDED),
    finish: vi.fn(),
  };
  const respond = vi.fn(async () => ({ status, headers: { etag: 'W/"1"' }, body: ['{}'] }));
  const claimSlot = vi.fn(
    async (): Promise<Claim> => (violated.length > 0 ? refuseClaim(violated, USAGE, NOW) : claim),
  );
  const onError = vi.fn();
  const service = withAuthentication(respond, {
    keys: { authenticate, close: async () => {} } as never,
    counters: { claim: claimSlot, close: async () => {} },
    findLimits: () => STANDARD_LIMITS,
    onError,
  });
  return { service, claim, respond, claimSlot, onError };
}

const readCode = (body: readonly (string | Buffer)[]): unknown => JSON.parse(body.join('')).code;

test('an answered request is counted, and its slot is freed when it is finished', async () => {
  const { service, claim } = setUp();
  const { account, finish, ...response } = await service(REQUEST);
  expect([response.status, account, response.headers.etag]).toEqual([200, 'ada', 'W/"1"']);
  expect(response.headers.ratelimit).toBeDefined();
  expect(claim.keep).toHaveBeenCalledOnce();
  expect(claim.refund).not.toHaveBeenCalled();
  expect(claim.finish).not.toHaveBeenCalled();
  finish?.();
  expect(claim.finish).toHaveBeenCalledOnce();
});

test('a failed request is not counted, unless its client disconnected', async () => {
  const failed = setUp({ status: 503 });
  const counted = (await setUp().service(REQUEST)).headers.ratelimit;
  expect((await failed.service(REQUEST)).headers.ratelimit).not.toBe(counted);
  expect(failed.claim.refund).toHaveBeenCalledOnce();
  const aborted = setUp({ status: 503 });
  await aborted.service({ ...REQUEST, signal: AbortSignal.abort() });
  expect(aborted.claim.keep).toHaveBeenCalledOnce();
});

test('a refused key reaches neither the limits nor the service', async () => {
  const refusal = { code: 'invalid_key', detail: 'The key is invalid.', challenge: 'Bearer realm="fin"' } as const;
  const { service, respond, claimSlot } = setUp({ authenticate: () => refusal });
  const response = await service(REQUEST);
  expect([response.status, response.account, readCode(response.body)]).toEqual([401, undefined, 'invalid_key']);
  expect(response.headers['www-authenticate']).toBe(refusal.challenge);
  expect(claimSlot).not.toHaveBeenCalled();
  expect(respond).not.toHaveBeenCalled();
});

test('a request above several limits names all of them and the longest wait', async () => {
  const { service, respond } = setUp({ violated: ['minute', 'month'] });
  const response = await service(REQUEST);
  expect([response.status, readCode(response.body)]).toEqual([429, 'rate_limited']);
  expect(JSON.parse(response.body.join(''))['violated-policies']).toEqual(['minute', 'month']);
  // The month ends after the minute: 9 days, 11 hours, 44 minutes and 50 seconds from NOW.
  expect(response.headers['retry-after']).toBe(String(9 * 86_400 + 11 * 3600 + 44 * 60 + 50));
  expect(respond).not.toHaveBeenCalled();
});

test('no request is served if keys or counts cannot be read', async () => {
  const error = new Error('cannot be read');
  const fail = () => {
    throw error;
  };
  const unreadable = setUp({ authenticate: fail });
  const uncounted = setUp();
  uncounted.claimSlot.mockRejectedValue(error);
  for (const { service, respond, onError } of [unreadable, uncounted]) {
    const response = await service(REQUEST);
    expect([response.status, readCode(response.body)]).toEqual([503, 'unavailable']);
    expect(onError).toHaveBeenCalledWith(error, 'r-1');
    expect(respond).not.toHaveBeenCalled();
  }
});

test('an answer is sent even if it cannot be counted', async () => {
  const { service, claim, onError } = setUp();
  claim.keep.mockRejectedValue(new Error('disk full'));
  expect((await service(REQUEST)).status).toBe(200);
  expect(onError).toHaveBeenCalledOnce();
});
