/**
 * Sends one request until it is answered: waits for the rate limiter, uses the transport, and retries while that may
 * help.
 */
import { Failure } from '../../contract/failure.ts';
import { readLimitHeaders } from '../../contract/rate-limit.ts';
import { isConnectionError } from '../../http/connection-error.ts';
import type { Outcome } from '../../http/retry.ts';
import type { End } from '../../http/try-until-final.ts';
import type { ClientEvent } from '../events.ts';
import type { RateLimiter } from '../limiter/rate-limiter.ts';
import type { ClientOptions } from '../options.ts';
import { failureOf, violatedPolicies } from '../response.ts';
import { throwIfAborted, tryInTime } from './deadline.ts';
import type { Transport, TransportResponse } from './transport.ts';

export interface ExchangeSetup {
  readonly baseUrl: string;
  readonly transport: () => Promise<Transport>;
  readonly limiter: RateLimiter | null;
  readonly options: ClientOptions;
  readonly report: (event: ClientEvent) => void;
}

export type Exchange = (target: string, headers: Readonly<Record<string, string>>) => Promise<FinalResponse>;

export interface FinalResponse {
  /** A 200 or a 304. */
  readonly answer: TransportResponse;
  /** When the answered request was sent (epoch ms). */
  readonly sent: number;
}

/** Throws a Failure for every response except 200 and 304. */
export function openExchange(setup: ExchangeSetup): Exchange {
  const { baseUrl, options, report } = setup;
  const from = new URL(baseUrl).origin;
  return async (target, headers) => {
    const once = async (signal: AbortSignal | null) => {
      const attempt = await sendOnce(setup, target, headers, signal);
      return { ...attempt, why: () => reasonOf(attempt, from) };
    };
    const { last, end, failed } = await tryInTime(once, options, report);
    const { answer, sent } = last;
    if (answer?.status === 200 || answer?.status === 304) return { answer, sent };
    throw failureOfAttempt(last, end, from, failed);
  };
}

interface Attempt {
  readonly answer: TransportResponse | null;
  readonly broken: Error | null;
  readonly outcome: Outcome;
  readonly sent: number;
}

async function sendOnce(
  { baseUrl, transport, limiter, options, report }: ExchangeSetup,
  target: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | null,
): Promise<Attempt> {
  // Loads the network while the request waits for the rate limiter.
  const loading = transport();
  loading.catch(() => {});
  const permit = await admit(limiter, signal, options);
  if (permit !== null && permit.waited > 0) report({ type: 'waited', ms: permit.waited });
  let sent = Date.now();
  let answer: TransportResponse | null = null;
  let underWay = false;
  let unsent = true;
  try {
    const way = await loading;
    sent = Date.now();
    underWay = true;
    unsent = false;
    answer = await way.send({ target, headers, ...(signal === null ? {} : { signal }) });
    underWay = false;
    return { answer, broken: null, sent, outcome: { ...answer, violated: violatedPolicies(answer) } };
  } catch (error) {
    throwIfAborted(signal, options);
    underWay = isConnectionError(error) && error.kind === 'timeout';
    unsent ||= isConnectionError(error) && (error.kind === 'refused' || error.kind === 'absent');
    if (isConnectionError(error)) return { answer: null, broken: error, sent, outcome: { broken: error.kind } };
    throw error;
  } finally {
    const received = Date.now();
    const status = answer?.status ?? null;
    const answered = answer?.headers ?? {};
    permit?.settle({
      status,
      headers: answered,
      violated: answer === null ? [] : violatedPolicies(answer),
      sent,
      received,
      underWay,
      unsent,
    });
    const requestId = answered['x-request-id'] ?? null;
    report({ type: 'request', method: 'GET', url: baseUrl + target, status, ms: received - sent, requestId });
    reportRemaining(answered, report);
  }
}

function reportRemaining(headers: Readonly<Record<string, string>>, report: (event: ClientEvent) => void): void {
  const { remainders, policies } = readLimitHeaders(headers);
  if (remainders.length > 0) report({ type: 'remaining', remainders, policies });
}

function failureOfAttempt(once: Attempt, end: End, from: string, failed: number): Failure {
  const wait = end.end === 'give-up' ? end.ms : null;
  const later = wait === null ? undefined : Math.ceil(wait / 1000);
  const base =
    once.answer === null
      ? new Failure('network', once.broken?.message ?? `${from} did not answer.`, { cause: once.broken })
      : failureOf(once.answer, from, later);
  if (end.end === 'final') return base;
  const tries = failed === 0 ? '' : ` after ${failed + 1} tries`;
  const hint =
    wait === null
      ? `fin gave up${tries}. ${adviceOn(once.outcome, from)}`
      : `Try again ${whenToReturn(wait, Date.now())}; waiting until then would exceed --${end.because}.`;
  const { kind, message, problem, answered, cause } = base;
  return new Failure(kind, message, { hint, problem, retryAfter: later, answered, saysWhen: wait !== null, cause });
}

function adviceOn(outcome: Outcome, from: string): string {
  if (!('broken' in outcome) || outcome.broken !== 'absent')
    return 'Try again later, or allow more retries: --retries.';
  const { protocol, hostname, port } = new URL(from);
  // A server with TLS needs a certificate, which only the user knows.
  if (protocol === 'https:') return 'Is the service running?';
  const host = ['localhost', '127.0.0.1'].includes(hostname) ? '' : ` --host ${hostname.replace(/[[\]]/g, '')}`;
  return `Is the service running? To start one: fin serve${host} --port ${port === '' ? 80 : port}`;
}

/** Returns `in 42 s`, or day and time for a long wait. */
export function whenToReturn(ms: number, now: number): string {
  if (ms < 10 * 60_000) return `in ${Math.ceil(ms / 1000)} s`;
  return `after ${new Date(now + ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function reasonOf({ answer, broken }: Attempt, from: string): string {
  if (answer === null) return broken?.message ?? `${from} did not answer.`;
  return failureOf(answer, from).message;
}

async function admit(limiter: RateLimiter | null, signal: AbortSignal | null, options: ClientOptions) {
  try {
    return limiter === null ? null : await limiter.admit(signal);
  } catch (error) {
    throwIfAborted(signal, options);
    throw error;
  }
}
