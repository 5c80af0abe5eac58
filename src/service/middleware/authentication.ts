/** What stands before the service where it is asked by strangers: key, then limits, then the question itself. */

import { nextIteration } from '../event-loop.ts';
import type { AuthenticationResult, KeyRing } from '../keys/key-ring.ts';
import type { Claim, Counters } from '../limits/counters.ts';
import { limitDetail, limitHeaders, retryAfter } from '../limits/limit-headers.ts';
import type { LimitsOf } from '../limits/limits.ts';
import { requestIdOf } from '../request-id.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import { problemResponse } from '../service.ts';

/** An answer on its way out. `finish` is called once the answer has left, or cannot leave any more. */
export interface HandledRequest {
  readonly response: ServiceResponse;
  readonly requestId: string;
  readonly account: string | null;
  finish(): void;
}

export interface RequestHandler {
  /** Never rejects. */
  handle(request: ServiceRequest): Promise<HandledRequest>;
}

export interface AuthenticationOptions {
  readonly keys: KeyRing;
  readonly counters: Counters;
  readonly limitsOf: LimitsOf;
  readonly baseUrl: string;
  /** Told of what stands behind a 503 or 500 that the gate itself answered. */
  readonly onError: (error: unknown, requestId: string) => void;
}

const nothing = () => {};

/** Everyone is let in, and nothing is counted: `--no-auth`. */
export function withoutAuthentication(service: Service): RequestHandler {
  return {
    async handle(request) {
      const requestId = requestIdOf(request.headers['x-request-id']);
      const answer = await service.respond(request, requestId);
      return { response: answer, requestId, account: null, finish: nothing };
    },
  };
}

export function withAuthentication(service: Service, gate: AuthenticationOptions): RequestHandler {
  const { baseUrl, onError: onTrouble } = gate;

  async function serve(request: ServiceRequest): Promise<HandledRequest> {
    const requestId = requestIdOf(request.headers['x-request-id']);
    const context = { requestId, baseUrl };
    let who: AuthenticationResult;
    try {
      who = gate.keys.authenticate(request.headers.authorization);
    } catch (error) {
      onTrouble(error, requestId);
      return { response: problemResponse(KEYS_UNREADABLE, context), requestId, account: null, finish: nothing };
    }
    if ('code' in who) {
      const answer = problemResponse({ ...who, headers: { 'www-authenticate': who.challenge } }, context);
      return { response: answer, requestId, account: null, finish: nothing };
    }
    return admit(who.account, request, requestId);
  }

  async function admit(account: string, request: ServiceRequest, requestId: string): Promise<HandledRequest> {
    const context = { requestId, baseUrl };
    const limits = gate.limitsOf(account);
    let claim: Claim;
    try {
      claim = await gate.counters.claim(account, limits);
    } catch (error) {
      onTrouble(error, requestId);
      return { response: problemResponse(COUNTS_UNREACHABLE, context), requestId, account, finish: nothing };
    }
    const headers = limitHeaders(limits, claim.usage, claim.now);
    if (claim.violated.length > 0) {
      const seconds = retryAfter(claim.violated, limits, claim.now);
      const detail = limitDetail(claim.violated, limits, seconds);
      const refusal = {
        code: 'rate_limited',
        detail,
        headers: { ...headers, 'retry-after': String(seconds) },
      } as const;
      return {
        response: problemResponse(refusal, { ...context, violated: claim.violated }),
        requestId,
        account,
        finish: nothing,
      };
    }
    // Requests that came in together run together, so that they are counted together against the slots.
    await nextIteration();
    const answer = await service.respond(request, requestId);
    // Whoever hangs up has asked all the same.
    const counted = answer.status < 500 || request.signal?.aborted === true;
    const settled = await settle(claim, counted, requestId);
    const told = settled === claim.usage ? headers : limitHeaders(limits, settled, claim.now);
    return {
      response: { ...answer, headers: { ...answer.headers, ...told } },
      requestId,
      account,
      finish: once(claim.finish),
    };
  }

  /** Answers count and failures do not (interface, "Limits"). An answer that cannot be counted is still given. */
  async function settle(claim: Claim, counted: boolean, requestId: string): Promise<Claim['usage']> {
    try {
      if (!counted) return await claim.refund();
      await claim.keep();
    } catch (error) {
      onTrouble(error, requestId);
    }
    return claim.usage;
  }

  return { handle: serve };
}

const KEYS_UNREADABLE = { code: 'unavailable', detail: 'Keys cannot be checked now. Ask again later.' } as const;
const COUNTS_UNREACHABLE = { code: 'unavailable', detail: 'Limits cannot be checked now. Ask again later.' } as const;

function once(run: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    run();
  };
}
