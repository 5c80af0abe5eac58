/**
 * The client: asks a service one question at a time, or several at once, and gives back answers.
 * question → held answer → budget → transport → retry → answer; one file per step.
 */

import { join } from 'node:path';
import { Failure, isFailure } from '../contract/failure.ts';
import { type Fault, parseQuestion, type Question, questionTarget } from '../contract/question/question.ts';
import type { Attribution } from '../contract/resources/envelope.ts';
import type { Directories } from '../platform/directories.ts';
import { reasonOf } from '../platform/system-error.ts';
import { attributionOf, openAttributionMemory } from './attribution.ts';
import {
  type CachedExchangeSetup,
  type GetResponse,
  openCachedExchange,
  planRequest,
  type RequestPlan,
} from './cache/cached-exchange.ts';
import { openKnownRelease } from './cache/known-release.ts';
import { openResponseCache } from './cache/response-cache.ts';
import { parseBaseUrl } from './destination.ts';
import type { ClientEvent } from './events.ts';
import { openExchange } from './http/exchange.ts';
import type { Transport } from './http/transport.ts';
import { fingerprint } from './key.ts';
import { openAccountLimiter } from './limiter/rate-limiter.ts';
import { type ClientOptions, DEFAULT_OPTIONS } from './options.ts';
import { checkPath, refuseFaults } from './request.ts';
import type { ClientResponse } from './response.ts';
import { type SettingSources, withSettingSources } from './sources.ts';

export interface Client {
  /** Asks one operation. Throws a Failure, whose kind says whose fault it is. */
  ask(question: Question): Promise<ClientResponse>;
  /** What `ask` would do now, found out without a request. Throws as `ask` does where the question is wrong. */
  plan(question: Question): RequestPlan;
  /** Asks a path of the interface as it stands, query included: `/v1/release`. */
  askPath(path: string): Promise<ClientResponse>;
  /**
   * The attribution last seen from this service, for responses with prices that lack one; where none was
   * ever seen, prices of the ticker are requested once. Null where there is none to be had.
   */
  attribution(ticker: string | null): Promise<Attribution | null>;
  /** Closes connections. Responses already given stay valid. */
  close(): Promise<void>;
}

export interface ClientSetup {
  /** An address as findDestination gives it; for `local:` see local-client.ts. */
  readonly baseUrl: string;
  readonly key: string | null;
  /** The account's name, where the profile gives one: keys of one account share budget and answers. */
  readonly account?: string | null;
  /** Where address and key were set, to be named where they fail. */
  readonly sources?: SettingSources | null;
  /** Without one the network is loaded when something is asked. */
  readonly transport?: Transport | null;
  readonly directories: Directories;
  readonly options?: Partial<ClientOptions>;
  /** For proxies, certificates and bounds. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly report?: (event: ClientEvent) => void;
}

export function createClient(setup: ClientSetup): Client {
  const options = { ...DEFAULT_OPTIONS, ...setup.options };
  const { baseUrl, key, directories, sources = null, env = {}, report = () => {} } = setup;
  const from = new URL(baseUrl).origin;
  const account = fingerprint(from, key, setup.account ?? null);
  const network = openOnce(setup, options);
  // A service that asks for no key has no account, and no limits to keep.
  const budget = key === null ? null : openAccountLimiter(directories.state, account, options, report);
  const exchange = openExchange({ baseUrl, transport: network.open, budget, options, report });
  const cache = options.noCache || directories.cache === null ? null : join(directories.cache, 'http');
  const heldMax = readHeldMax(env);
  const scope = { account, baseUrl };
  const held =
    cache === null
      ? null
      : openResponseCache(cache, scope, (error) =>
          report({ type: 'notice', text: `Responses are not cached: ${cache} cannot be written, ${reasonOf(error)}.` }),
        );
  const attributions = openAttributionMemory(directories.state, from);
  const remote: CachedExchangeSetup = {
    baseUrl,
    exchange,
    headers: requestHeaders(key, options),
    held,
    // Where nobody counts requests, none is worth sparing: what is held is confirmed each time.
    release: cache === null || key === null ? null : openKnownRelease(cache, scope),
    attributions,
    options,
    report,
  };
  const askTarget = openCachedExchange(remote);
  const ask: GetResponse = async (target) => {
    if (key === null && !options.offline && !parseBaseUrl(baseUrl).loopback) {
      throw new Failure('key', `No API key is set for ${from}, and every request needs one.`, {
        hint: 'Store one with fin auth login, or set FIN_API_KEY. Nothing was sent.',
      });
    }
    try {
      return await askTarget(target);
    } catch (error) {
      // What is not held concerns no address.
      throw sources === null || options.offline ? error : withSettingSources(error, sources);
    }
  };
  const targetOf = (question: Question): string => {
    if (options.unchecked) return questionTarget(question, 'raw');
    refuseFaults(question, false);
    return questionTarget(question);
  };
  return {
    async ask(question) {
      return ask(targetOf(question)).catch((error) => {
        throw options.unchecked ? error : withDoubts(error, question.faults);
      });
    },
    plan: (question) => planRequest(remote, targetOf(question)),
    askPath: async (path) => ask(checkPath(path)),
    attribution: async (ticker) => attributions.last() ?? (ticker === null ? null : askAttribution(ask, ticker)),
    async close() {
      await network.close();
      if (cache !== null && held !== null) await sweepSometimes(cache, held.written, heldMax);
    },
  };
}

function requestHeaders(key: string | null, { requestId }: ClientOptions): Record<string, string> {
  return {
    accept: 'application/json, application/problem+json',
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...(requestId === null ? {} : { 'x-request-id': requestId }),
  };
}

/** What we doubted and the service refused: our doubt may say why, and what was meant. */
function withDoubts(error: unknown, doubts: readonly Fault[]): unknown {
  if (!isFailure(error) || error.kind !== 'usage' || doubts.length === 0) return error;
  const { message, problem, cause } = error;
  const hint = doubts.map(({ detail }) => detail).join(' ');
  return new Failure('usage', message, { hint, cause, ...(problem === undefined ? {} : { problem }) });
}

/** Prices carry the attribution, whatever else a service forgets. */
async function askAttribution(ask: GetResponse, ticker: string) {
  const target = questionTarget(parseQuestion('prices', [['ticker', ticker]]));
  try {
    return attributionOf((await ask(target)).envelope.meta);
  } catch (error) {
    if (isFailure(error)) return null;
    throw error;
  }
}

const HELD_MAX = '256';
const MEGABYTE = 1024 * 1024;

/** How many bytes of answers may be held, about. */
function readHeldMax({ FIN_CACHE_MAX_MB: given = '' }: Readonly<Record<string, string | undefined>>): number {
  const text = given === '' ? HELD_MAX : given;
  if (/^\d{1,6}$/.test(text)) return Number(text) * MEGABYTE;
  throw new Failure('usage', `FIN_CACHE_MAX_MB is ${JSON.stringify(text)}, not a whole number of megabytes.`, {
    hint: `Leave it unset for ${HELD_MAX}.`,
  });
}

/**
 * Held answers are swept now and then, by chance in proportion to what a process added: so they never
 * grow far past their bound, and no file keeps count of them.
 */
async function sweepSometimes(cache: string, written: number, max: number): Promise<void> {
  if (written === 0 || Math.random() * (max / 16) >= written) return;
  const { sweepCache } = await import('./cache/sweep.ts');
  sweepCache(cache, max);
}

/** The network, loaded by the first question and shared by all. */
function openOnce({ transport, baseUrl, env = {} }: ClientSetup, { timeout }: ClientOptions) {
  let opened: Promise<Transport> | undefined;
  const load = async () => {
    const { openNetwork } = await import('./http/network.ts');
    return openNetwork({ baseUrl, timeout, env });
  };
  return {
    open: () => {
      opened ??= transport === undefined || transport === null ? load() : Promise.resolve(transport);
      return opened;
    },
    close: async () => (await opened?.catch(() => null))?.close(),
  };
}
