/**
 * Sends a request until it is answered: waits for the rate limiter, uses the transport, and retries if a retry may
 * succeed.
 */
import { Failure } from '../../contract/failure.ts';
import { readLimitHeaders } from '../../contract/rate-limit.ts';
import { option, say, type Text } from '../../contract/text/text.ts';
import { type ConnectionError, isConnectionError } from '../../http/network-errors.ts';
import type { AttemptOutcome, FinalDecision } from '../../http/retry.ts';
import type { RateLimiter } from '../limiter/rate-limiter.ts';
import type { ClientContext } from '../request/client-options.ts';
import type { Transport, TransportRequest, TransportResponse } from '../request/response.ts';
import { listViolatedPolicies, makeResponseFailure } from '../request/response.ts';
import { throwIfEnded, tryBeforeDeadline } from './question-deadline.ts';

interface ExchangeSetup extends Pick<ClientContext, 'baseUrl' | 'options' | 'report'> {
  readonly transport: () => Promise<Transport>;
  readonly limiter: RateLimiter | null;
}

export type Exchange = (target: string, headers: Readonly<Record<string, string>>) => Promise<FinalResponse>;

interface FinalResponse {
  /** A response with status 200 or 304. */
  readonly answer: TransportResponse;
  /** Epoch milliseconds at which the answered request was sent. */
  readonly sent: number;
}

/** Returns the function that sends requests and throws a Failure for every response except 200 and 304. */
export function openExchange(setup: ExchangeSetup): Exchange {
  const { baseUrl, options, report } = setup;
  const origin = new URL(baseUrl).origin;
  return async (target, headers) => {
    const trySend = async (signal: AbortSignal | null) => {
      const attempt = await sendOnce(setup, { target, headers }, signal);
      const why = () => ('error' in attempt ? attempt.error : makeResponseFailure(attempt.answer, origin)).message;
      return { ...attempt, why };
    };
    const { last, decision, failedAttemptCount } = await tryBeforeDeadline(trySend, options, report);
    if ('answer' in last && (last.answer.status === 200 || last.answer.status === 304)) return last;
    throw explainAttempt(last, decision, origin, failedAttemptCount);
  };
}

type Attempt = { readonly outcome: AttemptOutcome; readonly sent: number } & (
  | { readonly answer: TransportResponse }
  | { readonly error: ConnectionError }
);

async function sendOnce(setup: ExchangeSetup, request: TransportRequest, signal: AbortSignal | null): Promise<Attempt> {
  const { baseUrl, transport, limiter, options, report } = setup;
  // Starts to load the network code while the request waits for the rate limiter.
  const loading = transport();
  loading.catch(() => {});
  const permit = limiter === null ? null : await limiter.admit(signal);
  if (permit !== null && permit.waited > 0) report({ type: 'waited', ms: permit.waited });
  let sentMs = Date.now();
  let answer: TransportResponse | null = null;
  let isRunning = false;
  let isUnsent = true;
  try {
    const loaded = await loading;
    sentMs = Date.now();
    isRunning = true;
    isUnsent = false;
    answer = await loaded.send({ ...request, ...(signal === null ? {} : { signal }) });
    isRunning = false;
    return { answer, sent: sentMs, outcome: { ...answer, violated: listViolatedPolicies(answer) } };
  } catch (error) {
    throwIfEnded(signal, options);
    isRunning = isConnectionError(error) && error.kind === 'timeout';
    isUnsent ||= isConnectionError(error) && (error.kind === 'refused' || error.kind === 'absent');
    if (isConnectionError(error)) return { error, sent: sentMs, outcome: { broken: error.kind } };
    throw error;
  } finally {
    const receivedMs = Date.now();
    const status = answer?.status ?? null;
    const headers = answer?.headers ?? {};
    const violated = answer === null ? [] : listViolatedPolicies(answer);
    permit?.settle({ status, headers, violated, sent: sentMs, received: receivedMs, isUnderWay: isRunning, isUnsent });
    const ms = receivedMs - sentMs;
    const url = baseUrl + request.target;
    report({ type: 'request', method: 'GET', url, status, ms, requestId: headers['x-request-id'] ?? null });
    const limits = readLimitHeaders(headers);
    if (limits.remainders.length > 0) report({ type: 'remaining', ...limits });
  }
}

function explainAttempt(attempt: Attempt, decision: FinalDecision, origin: string, failures: number): Failure {
  const waitMs = decision.end === 'give-up' ? decision.ms : null;
  const seconds = waitMs === null ? undefined : Math.ceil(waitMs / 1000);
  const failure =
    'error' in attempt
      ? new Failure('network', attempt.error.message, { cause: attempt.error })
      : makeResponseFailure(attempt.answer, origin, seconds);
  if (decision.end === 'final') return failure;
  const triesText = failures === 0 ? '' : ` after ${failures + 1} tries`;
  const hint =
    waitMs === null
      ? say`fin gave up${triesText}. ${makeAdvice(attempt.outcome, origin)}`
      : say`Try again ${formatRetryTime(waitMs, Date.now())}; waiting until then would exceed ${option(decision.because)}.`;
  const { kind, message, problem, responseSender, cause } = failure;
  const details = { hint, problem, retryAfter: seconds, responseSender, statesRetryTime: waitMs !== null, cause };
  return new Failure(kind, message, details);
}

function makeAdvice(result: AttemptOutcome, origin: string): Text {
  if (!('broken' in result) || result.broken !== 'absent')
    return say`Try again later, or allow more retries: ${option('retries')}.`;
  const { protocol, hostname, port } = new URL(origin);
  // Suggests no command, because a command that starts such a service needs a certificate that only the user knows.
  if (protocol === 'https:') return 'Is the service running?';
  const host = ['localhost', '127.0.0.1'].includes(hostname) ? '' : ` --host ${hostname.replace(/[[\]]/g, '')}`;
  return `Is the service running? To start one: fin serve${host} --port ${port === '' ? 80 : port}`;
}

/** Formats when to retry: `in 42 s`, or date and time if the wait is long. */
export function formatRetryTime(ms: number, now: number): string {
  if (ms < 10 * 60_000) return `in ${Math.ceil(ms / 1000)} s`;
  return `after ${new Date(now + ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
