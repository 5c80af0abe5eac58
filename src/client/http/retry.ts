/**
 * Whether an outcome is the end, and if not, how long to wait before asking again. One pure decision:
 * the clock, the chance and all that was waited so far come in as values.
 */
import { readLimitHeaders } from '../../contract/rate-limit.ts';
import type { ConnectionErrorKind } from './transport.ts';

export type Outcome =
  | {
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly violated: readonly string[];
    }
  | { readonly broken: ConnectionErrorKind };

export interface RetryContext {
  /** Retries made before this outcome. */
  readonly attempt: number;
  /** How often to ask again; null for as often as such a failure is worth. */
  readonly retries: number | null;
  /** What all waits for this answer have taken so far, and may take in all. */
  readonly waited: number;
  readonly maxWait: number;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly deadline: number | null;
  /** From 0 up to 1. */
  readonly chance: number;
}

export type Decision =
  /** Not a case for retrying: what came is the answer, or will be the same when asked again. */
  | { readonly end: 'final' }
  | { readonly end: 'retry'; readonly ms: number; readonly limit: boolean }
  /** Asking again may help, but not now: tries are used up, or the wait does not fit. */
  | { readonly end: 'give-up'; readonly ms: number | null; readonly because: 'retries' | 'max-wait' | 'deadline' };

const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;
const RETRIES = 4;
/** What is being restarted on this machine is there in a moment; what was never started will not come. */
const ABSENT = { retries: 1, ms: 200 };
const RETRIED: ReadonlySet<number> = new Set([500, 502, 503, 504]);

export function decideRetry(outcome: Outcome, context: RetryContext): Decision {
  if ('broken' in outcome) {
    if (outcome.broken !== 'absent' || context.retries !== null) return again(backoff(context), context);
    return again(ABSENT.ms, { ...context, retries: ABSENT.retries });
  }
  const told = retryAfter(outcome.headers, context.now);
  if (outcome.status === 429) return within(told ?? untold(outcome, context), context, true);
  if (!RETRIED.has(outcome.status)) return { end: 'final' };
  // Jitter comes on top of what a service asks for, so that those it sent away do not come back as one.
  return again(backoff(context) + (told ?? 0), context);
}

function again(ms: number, context: RetryContext): Decision {
  if (context.attempt >= (context.retries ?? RETRIES)) return { end: 'give-up', ms: null, because: 'retries' };
  return within(ms, context, false);
}

/** A wait that does not fit is not begun. */
function within(ms: number, context: RetryContext, limit: boolean): Decision {
  if (context.waited + ms > context.maxWait) return { end: 'give-up', ms, because: 'max-wait' };
  if (context.deadline !== null && context.now + ms > context.deadline)
    return { end: 'give-up', ms, because: 'deadline' };
  return { end: 'retry', ms, limit };
}

/** Exponential, with full jitter: anything from nothing to the whole of the step. */
function backoff({ attempt, chance }: RetryContext): number {
  return Math.ceil(chance * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(attempt, 16)));
}

/** A 429 that does not say how long: the reset of the limits reached, else a growing wait. */
function untold(outcome: Extract<Outcome, { status: number }>, context: RetryContext): number {
  const resets = readLimitHeaders(outcome.headers)
    .remainders.filter(({ name, remaining }) => outcome.violated.includes(name) || remaining === 0)
    .flatMap(({ reset }) => (reset === undefined ? [] : [reset * 1000]));
  return resets.length > 0 ? Math.max(...resets, 1000) : 1000 + backoff(context);
}

/** `Retry-After` in milliseconds from now, or null where it is absent or cannot be read. */
export function retryAfter(headers: Readonly<Record<string, string>>, now: number): number | null {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  const at = parseHttpDate(text);
  if (at === null) return null;
  // A date is of the service's clock; its own `Date` says what that clock showed.
  return Math.max(0, at - (parseHttpDate(headers.date ?? '') ?? now));
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Any of the three forms of an HTTP date, in epoch milliseconds, or null. */
export function parseHttpDate(text: string): number | null {
  const fixed = /^\w{3}, (?<d>\d{2}) (?<m>\w{3}) (?<y>\d{4}) (?<t>\d{2}:\d{2}:\d{2}) GMT$/.exec(text);
  const old = /^\w{6,9}, (?<d>\d{2})-(?<m>\w{3})-(?<y>\d{2}) (?<t>\d{2}:\d{2}:\d{2}) GMT$/.exec(text);
  const c = /^\w{3} (?<m>\w{3}) (?<d>[ \d]\d) (?<t>\d{2}:\d{2}:\d{2}) (?<y>\d{4})$/.exec(text);
  const { d = '', m = '', y = '', t = '' } = (fixed ?? old ?? c)?.groups ?? {};
  const month = MONTHS.indexOf(m);
  if (month < 0) return null;
  const year = y.length === 2 ? 2000 + Number(y) : Number(y);
  const [hours = 0, minutes = 0, seconds = 0] = t.split(':').map(Number);
  return Date.UTC(year, month, Number(d), hours, minutes, seconds);
}
