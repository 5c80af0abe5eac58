/**
 * Headers of responses about limits: `Retry-After`, and `RateLimit` and `RateLimit-Policy`, lists of quoted policy
 * names with integer parameters according to https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/.
 */

/** One limit: `quota` requests in a window of `window` seconds, or of another `unit`. */
export interface Policy {
  readonly name: string;
  readonly quota: number;
  readonly window?: number;
  readonly unit?: string;
}

/** Remaining requests of one limit, and the seconds until it resets. */
export interface Remainder {
  readonly name: string;
  readonly remaining: number;
  readonly reset?: number;
}

export function printPolicies(policies: readonly Policy[]): string {
  return policies
    .map(({ name, quota, window, unit }) => {
      const w = window === undefined ? '' : `;w=${window}`;
      const qu = unit === undefined ? '' : `;qu="${unit}"`;
      return `"${name}";q=${quota}${w}${qu}`;
    })
    .join(', ');
}

export function printRemainders(remainders: readonly Remainder[]): string {
  return remainders
    .map(({ name, remaining, reset }) => `"${name}";r=${remaining}${reset === undefined ? '' : `;t=${reset}`}`)
    .join(', ');
}

/** Returns the policies of a `RateLimit-Policy` header; skips other items. */
export function parsePolicies(header: string): Policy[] {
  return parseList(header).flatMap(({ name, parameters }) => {
    const quota = whole(parameters.q);
    if (quota === undefined) return [];
    const window = whole(parameters.w);
    const unit = parameters.qu;
    return [{ name, quota, ...(window === undefined ? {} : { window }), ...(unit === undefined ? {} : { unit }) }];
  });
}

/** Returns the remainders of a `RateLimit` header; skips other items. */
export function parseRemainders(header: string): Remainder[] {
  return parseList(header).flatMap(({ name, parameters }) => {
    const remaining = whole(parameters.r);
    if (remaining === undefined) return [];
    const reset = whole(parameters.t);
    return [{ name, remaining, ...(reset === undefined ? {} : { reset }) }];
  });
}

interface Item {
  readonly name: string;
  readonly parameters: Partial<Readonly<Record<string, string>>>;
}

/** Maximum length of a header; valid ones are far shorter, and the rest of a longer one is ignored. */
const MAX_HEADER_LENGTH = 2000;

function parseList(header: string): Item[] {
  return header
    .slice(0, MAX_HEADER_LENGTH)
    .split(',')
    .flatMap((member) => {
      const [head = '', ...rest] = member.split(';').map((part) => part.trim());
      const name = /^"([^"\\]+)"$/.exec(head)?.[1];
      if (name === undefined) return [];
      const pairs = rest.flatMap((part) => {
        const match = /^([a-z*][a-z0-9_\-.*]*)=(?:"([^"\\]*)"|([^"]*))$/.exec(part);
        return match?.[1] === undefined ? [] : [[match[1], match[2] ?? match[3] ?? ''] as const];
      });
      return [{ name, parameters: Object.fromEntries(pairs) }];
    });
}

function whole(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The limits in the headers of one response. */
export interface LimitHeaders {
  readonly policies: readonly Policy[];
  readonly remainders: readonly Remainder[];
}

/**
 * Reads all three forms of the draft's versions, newest first: named policies (`"minute";r=59;t=42`), one header for
 * the closest limit (`limit=60, remaining=59, reset=42`), and three headers (`RateLimit-Limit`,
 * `RateLimit-Remaining`, `RateLimit-Reset`, with or without `X-`).
 * @param headers by name, in lower case
 */
export function readLimitHeaders(headers: Readonly<Record<string, string>>): LimitHeaders {
  const [policy = '', limit = ''] = [headers['ratelimit-policy'], headers.ratelimit];
  const named = { policies: parsePolicies(policy), remainders: parseRemainders(limit) };
  if (named.policies.length > 0 || named.remainders.length > 0) return named;
  const old = (name: string) => headers[`ratelimit-${name}`] ?? headers[`x-ratelimit-${name}`];
  const combined = (name: string) =>
    new RegExp(`(?:^|[,;\\s])${name}=(\\d{1,15})`).exec(limit.slice(0, MAX_HEADER_LENGTH))?.[1];
  const of = (name: string) => whole(combined(name) ?? old(name)?.split(/[,;]/)[0]?.trim());
  const [quota, remaining, reset] = [of('limit'), of('remaining'), of('reset')];
  const unnamed = policy
    .slice(0, MAX_HEADER_LENGTH)
    .split(',')
    .flatMap((member) => {
      const match = /^\s*(\d{1,15})\s*;(?:.*;)?\s*w=(\d{1,15})/.exec(member);
      return match === null ? [] : [{ quota: Number(match[1]), window: Number(match[2]) }];
    });
  const policies = unnamed.map(({ quota: q, window }) => ({ name: nameOf(window), quota: q, window }));
  // The quota tells which limit an unnamed one is, or otherwise the time until it resets.
  const own = policies.find(({ quota: q }) => q === quota)?.name ?? (reset === undefined ? undefined : nameOf(reset));
  if (own === undefined) return { policies, remainders: [] };
  const known = policies.some(({ name }) => name === own) || quota === undefined;
  return {
    policies: known ? policies : [...policies, { name: own, quota }],
    remainders: remaining === undefined ? [] : [{ name: own, remaining, ...(reset === undefined ? {} : { reset }) }],
  };
}

const HOUR = 3600;

/** The older forms do not name limits; the interface has one per minute and one per month. */
const nameOf = (seconds: number) => (seconds <= HOUR ? 'minute' : 'month');

/** Returns `Retry-After` in milliseconds from now; null if it is absent or invalid. */
export function retryAfter(headers: Readonly<Record<string, string>>, now: number): number | null {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  const at = parseHttpDate(text);
  if (at === null) return null;
  // A date is by the service's clock, which its `Date` header shows.
  return Math.max(0, at - (parseHttpDate(headers.date ?? '') ?? now));
}

const HTTP_DATE_PATTERN = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/;

/** Returns epoch milliseconds for any of the three forms of an HTTP date (RFC 9110, 5.6.7); null for other text. */
export function parseHttpDate(text: string): number | null {
  if (!HTTP_DATE_PATTERN.test(text)) return null;
  // The form of C's asctime has no time zone; it is GMT.
  const position = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(position) ? null : position;
}
