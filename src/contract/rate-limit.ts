/**
 * Response headers about limits: `Retry-After`, and `RateLimit` and `RateLimit-Policy`, which are lists of quoted
 * policy names with parameters (https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/).
 */

/**
 * A limit: `quota` requests per `window` seconds. With `unit`, the quota counts something else, such as concurrent
 * requests.
 */
export interface QuotaPolicy {
  readonly name: string;
  readonly quota: number;
  readonly window?: number | undefined;
  readonly unit?: string | undefined;
}

/** Number of remaining requests of a limit, and number of seconds until it resets. */
export interface LimitRemainder {
  readonly name: string;
  readonly remaining: number;
  readonly reset?: number | undefined;
}

export const formatPolicies = (policies: readonly QuotaPolicy[]): string =>
  policies
    .map(({ name, quota, window, unit }) => {
      const windowText = window === undefined ? '' : `;w=${window}`;
      const unitText = unit === undefined ? '' : `;qu="${unit}"`;
      return `"${name}";q=${quota}${windowText}${unitText}`;
    })
    .join(', ');

export const formatRemainders = (remainders: readonly LimitRemainder[]): string =>
  remainders
    .map(({ name, remaining, reset }) => `"${name}";r=${remaining}${reset === undefined ? '' : `;t=${reset}`}`)
    .join(', ');

/** Returns the policies in a `RateLimit-Policy` header; skips unrecognized items. */
export const parsePolicies = (header: string): QuotaPolicy[] =>
  parseHeaderList(header).flatMap(({ name, parameters }) => {
    const quota = parseWholeNumber(parameters.q);
    return quota === undefined ? [] : [{ name, quota, window: parseWholeNumber(parameters.w), unit: parameters.qu }];
  });

/** Returns the remainders in a `RateLimit` header; skips unrecognized items. */
export const parseRemainders = (header: string): LimitRemainder[] =>
  parseHeaderList(header).flatMap(({ name, parameters }) => {
    const remaining = parseWholeNumber(parameters.r);
    return remaining === undefined ? [] : [{ name, remaining, reset: parseWholeNumber(parameters.t) }];
  });

interface HeaderItem {
  readonly name: string;
  readonly parameters: Partial<Readonly<Record<string, string>>>;
}

/** Maximum number of characters of a header that are parsed; valid headers are far shorter. */
const MAX_HEADER_LENGTH = 2000;

const parseHeaderList = (header: string): HeaderItem[] =>
  header
    .slice(0, MAX_HEADER_LENGTH)
    .split(',')
    .flatMap((member) => {
      const [itemName = '', ...texts] = member.split(';').map((part) => part.trim());
      const name = /^"([^"\\]+)"$/.exec(itemName)?.[1];
      if (name === undefined) return [];
      const pairs = texts.flatMap((part) => {
        const match = /^([a-z*][a-z0-9_\-.*]*)=(?:"([^"\\]*)"|([^"]*))$/.exec(part);
        return match?.[1] === undefined ? [] : [[match[1], match[2] ?? match[3] ?? ''] as const];
      });
      return [{ name, parameters: Object.fromEntries(pairs) }];
    });

const parseWholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

/** Limits stated in the headers of one response. */
interface LimitHeaders {
  readonly policies: readonly QuotaPolicy[];
  readonly remainders: readonly LimitRemainder[];
}

/**
 * Reads the limits in any of the draft's three syntaxes, newest first: named policies (`"minute";r=59;t=42`), one
 * header for the closest limit (`limit=60, remaining=59, reset=42`), or three headers (`RateLimit-Limit`,
 * `RateLimit-Remaining`, `RateLimit-Reset`, with or without `X-`).
 * @param headers by lowercase name
 */
export function readLimitHeaders(headers: Readonly<Record<string, string>>): LimitHeaders {
  const { 'ratelimit-policy': policy = '', ratelimit: header = '' } = headers;
  const parsed = { policies: parsePolicies(policy), remainders: parseRemainders(header) };
  if (parsed.policies.length > 0 || parsed.remainders.length > 0) return parsed;
  const readOldHeader = (name: string) => headers[`ratelimit-${name}`] ?? headers[`x-ratelimit-${name}`];
  const readField = (name: string) =>
    new RegExp(`(?:^|[,;\\s])${name}=(\\d{1,15})`).exec(header.slice(0, MAX_HEADER_LENGTH))?.[1];
  const read = (name: string) => parseWholeNumber(readField(name) ?? readOldHeader(name)?.split(/[,;]/)[0]?.trim());
  const quota = read('limit');
  const remaining = read('remaining');
  const reset = read('reset');
  const unnamedPolicies = policy
    .slice(0, MAX_HEADER_LENGTH)
    .split(',')
    .flatMap((member) => {
      const match = /^\s*(\d{1,15})\s*;(?:.*;)?\s*w=(\d{1,15})/.exec(member);
      return match === null ? [] : [{ quota: Number(match[1]), window: Number(match[2]) }];
    });
  const namedPolicies = unnamedPolicies.map(({ quota, window }) => ({ name: guessLimitName(window), quota, window }));
  // An unnamed limit is identified by its quota, or else by the time until it resets.
  const limitName =
    namedPolicies.find(({ quota: policyQuota }) => policyQuota === quota)?.name ??
    (reset === undefined ? undefined : guessLimitName(reset));
  if (limitName === undefined) return { policies: namedPolicies, remainders: [] };
  const isKnown = namedPolicies.some(({ name }) => name === limitName) || quota === undefined;
  return {
    policies: isKnown ? namedPolicies : [...namedPolicies, { name: limitName, quota }],
    remainders: remaining === undefined ? [] : [{ name: limitName, remaining, reset }],
  };
}

const HOUR_SECONDS = 3600;

/**
 * Guesses the name of a limit that the headers do not name. `seconds` is the length of its window, or the time until it
 * resets. The HTTP API has only two limits: per minute and per month.
 */
const guessLimitName = (seconds: number) => (seconds <= HOUR_SECONDS ? 'minute' : 'month');

/** Returns `Retry-After` as milliseconds from now; null if the header is missing or invalid. */
export function parseRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | null {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  const time = parseHttpDate(text);
  if (time === null) return null;
  // A date is relative to the service's clock, which the `Date` header states.
  return Math.max(0, time - (parseHttpDate(headers.date ?? '') ?? now));
}

const HTTP_DATE_PATTERN = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/;

/**
 * Parses any of the three formats of an HTTP date (RFC 9110, 5.6.7) to epoch milliseconds; returns null for other text.
 */
export function parseHttpDate(text: string): number | null {
  if (!HTTP_DATE_PATTERN.test(text)) return null;
  // The asctime format has no time zone, and means GMT.
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? null : time;
}
