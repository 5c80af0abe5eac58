/**
 * The client: sends questions to a service and returns responses, several in parallel. Each step has its own file:
 * question → cached response → rate limiter → transport → retry → response.
 */

import { join } from 'node:path';
import { findUsedAdditions } from '../contract/additions.ts';
import { Failure, isFailure, nullIfFailure, withHint } from '../contract/failure.ts';
import { type Fault, makeRequestTarget, parseQuestion, type Question } from '../contract/question.ts';
import type { Attribution } from '../contract/resources/envelope.ts';
import { joinTexts, say } from '../contract/text/text.ts';
import type { Directories } from '../platform/files/directories.ts';
import { describeCause } from '../platform/files/system-error.ts';
import type { CacheSetup, GetResponse, RequestPlan } from './cache/cached-exchange.ts';
import { openCachedExchange, planRequest } from './cache/cached-exchange.ts';
import { readCacheMaxBytes } from './cache/file-cache.ts';
import { openResponseCache } from './cache/response-files.ts';
import { openAttributionStore, openKnownReleaseStore, readAttribution } from './cache/service-records.ts';
import { parseBaseUrl } from './destination.ts';
import { openExchange } from './http/exchange.ts';
import { hashAccount } from './key.ts';
import { openLimiterFiles, openRateLimiter } from './limiter/rate-limiter.ts';
import { type ClientOptions, DEFAULT_OPTIONS } from './request/client-options.ts';
import type { ClientEvent } from './request/events.ts';
import { checkPath, findMetaAdditions, refuseFaults, withMetaAdditions } from './request/request.ts';
import type { ClientResponse, Transport } from './request/response.ts';

export interface Client {
  /** Sends one question. Throws a Failure whose kind indicates the cause. */
  ask(question: Question): Promise<ClientResponse>;
  /** Returns how `ask` would obtain the response now. Sends no request. Throws like `ask` for an invalid question. */
  plan(question: Question): RequestPlan;
  /**
   * Requests a path with an optional query, such as `/v1/screen?limit=5`, exactly as given. Throws a usage Failure for
   * a URL.
   */
  askPath(path: string): Promise<ClientResponse>;
  /**
   * Returns the attribution last received from this service, for prices without an attribution. If no attribution was
   * received yet, requests the ticker's prices. Null without a ticker, or if that request provides no attribution.
   */
  attribution(ticker: string | null): Promise<Attribution | null>;
  /** Closes all connections. Responses received before remain valid. */
  close(): Promise<void>;
}

export interface ClientSetup {
  /** Base URL of a service; local-client.ts handles `local:`. */
  readonly baseUrl: string;
  readonly key: string | null;
  /** Name of the account, if the profile names one. Keys of one account share rate limiter and cache. */
  readonly account?: string | null;
  /** Sources of the address and the key for error messages, such as `FIN_BASE_URL` or `the profile work`. */
  readonly sources?: { readonly address: string; readonly key: string | null } | null;
  /** The transport of requests; by default the network code, which is loaded with the first request. */
  readonly transport?: Transport | null;
  readonly directories: Directories;
  readonly options?: Partial<ClientOptions>;
  /** Environment variables for proxies, certificates and limits. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly report?: (event: ClientEvent) => void;
}

export function createClient(setup: ClientSetup): Client {
  const options = { ...DEFAULT_OPTIONS, ...setup.options };
  const { baseUrl, key, directories, sources = null, env = {}, report = () => {} } = setup;
  const { origin } = new URL(baseUrl);
  const hash = hashAccount(origin, key, setup.account ?? null);
  const lazyTransport = createLazyTransport(setup, options);
  const openFiles = () => openLimiterFiles(directories.state, hash, report);
  // Without a key, requests belong to no account, and no limits apply.
  const limiter = key === null ? null : openRateLimiter({ ...options, files: openFiles(), report });
  const exchange = openExchange({ baseUrl, transport: lazyTransport.open, limiter, options, report });
  const directory = options.noCache || directories.cache === null ? null : join(directories.cache, 'http');
  const maxCacheBytes = readCacheMaxBytes(env);
  const scope = { account: hash, baseUrl };
  const reportUnwritableCache = (error: unknown) =>
    report({ type: 'notice', text: `Responses cannot be cached in ${directory}: ${describeCause(error)}.` });
  const cache = directory === null ? null : openResponseCache(directory, scope, reportUnwritableCache);
  const attributions = openAttributionStore(directories.state, origin);
  const headers = makeRequestHeaders(key, options);
  // Requests without a key do not count against limits, so each cached response is revalidated.
  const release = directory === null || key === null ? null : openKnownReleaseStore(directory, scope);
  const cacheSetup: CacheSetup = { baseUrl, exchange, headers, cache, release, attributions, options, report };
  const get = openCachedExchange(cacheSetup);
  const lacksKey = key === null && !options.offline && !parseBaseUrl(baseUrl).isLoopback;
  const sendQuestion: GetResponse = async (target, getOptions) => {
    if (lacksKey) {
      const hint = 'Store a key with fin auth login, or set FIN_API_KEY. Nothing was sent.';
      throw new Failure('key', `No API key is set for ${origin}, where every request needs a key.`, { hint });
    }
    try {
      return await get(target, getOptions);
    } catch (error) {
      // Offline, a response that is not cached does not indicate a wrong address.
      throw sources === null || options.offline ? error : withSettingSources(error, sources);
    }
  };
  const toTarget = (question: Question): string => {
    if (options.unchecked) return checkPath(makeRequestTarget(question, 'raw'));
    refuseFaults(question, false);
    return makeRequestTarget(question);
  };
  const loadOffers = async () => {
    const { openOfferedParameters } = await import('./cache/offered-parameters.ts');
    return openOfferedParameters({ baseUrl, directory, options, open: lazyTransport.open, report });
  };
  let offers: ReturnType<typeof loadOffers> | undefined;
  /** Adds the parameters that only ask for fields of `meta`, if the service is known to have them. */
  const addOffered = async (question: Question): Promise<Question> => {
    const names = options.unchecked || lacksKey || question.faults.length > 0 ? [] : findMetaAdditions(question);
    if (names.length === 0) return question;
    offers ??= loadOffers();
    const { isOffered } = await offers;
    const offeredNames: string[] = [];
    for (const name of names) if (await isOffered(question.operation.id, name)) offeredNames.push(name);
    return withMetaAdditions(question, offeredNames);
  };
  return {
    async ask(question) {
      return sendQuestion(toTarget(await addOffered(question))).catch((error) => {
        const explained = explainAdditions(error, question, origin);
        throw options.unchecked ? explained : addFaults(explained, question.faults);
      });
    },
    plan(question) {
      const names = findMetaAdditions(question);
      // Tries all these parameters together, then each alone, because the service may have only some of them.
      for (const additions of [names, ...names.map((name) => [name])].filter(({ length }) => length > 0)) {
        const plan = planRequest(cacheSetup, toTarget(withMetaAdditions(question, additions)));
        if (plan.envelope !== null) return plan;
      }
      return planRequest(cacheSetup, toTarget(question));
    },
    askPath: async (path) => sendQuestion(checkPath(path), { acceptsInvalid: true }),
    attribution: async (ticker) =>
      attributions.readLast() ?? (ticker === null ? null : askAttribution(sendQuestion, ticker)),
    async close() {
      await lazyTransport.close();
      await cache?.sweep(maxCacheBytes);
    },
  };
}

/**
 * If the error concerns the address or the key, adds to its hint where this setting was read from. The addition comes
 * first, because a hint may end with a command.
 */
function withSettingSources(error: unknown, { address, key }: NonNullable<ClientSetup['sources']>): unknown {
  if (!isFailure(error)) return error;
  const { kind, hint } = error;
  const isAboutKey = kind === 'key' && key !== null;
  if (kind !== 'network' && !isAboutKey) return error;
  const source = isAboutKey ? `The key was read from ${key}.` : `The address was read from ${address}.`;
  return withHint(error, hint === undefined ? source : say`${source} ${hint}`);
}

const makeRequestHeaders = (key: string | null, { requestId }: ClientOptions): Record<string, string> => ({
  accept: 'application/json, application/problem+json',
  ...(key === null ? {} : { authorization: `Bearer ${key}` }),
  ...(requestId === null ? {} : { 'x-request-id': requestId }),
});

/**
 * Explains a rejected request (400) that uses parameters which fin adds to the HTTP API, because the service may lack
 * them. Names the parameters that the service lists as unknown; without such a list, all added parameters that fin
 * itself found valid. Returns other errors unchanged.
 */
function explainAdditions(error: unknown, { operation, rawParameters, faults }: Question, origin: string): unknown {
  if (!isFailure(error) || error.problem?.status !== 400) return error;
  const { problem, cause } = error;
  const { unknown_parameters: names } = problem;
  const isSuspect = (name: string) => names?.includes(name) ?? faults.every(({ parameter }) => parameter !== name);
  const additions = findUsedAdditions(operation.id, rawParameters).filter(([name]) => isSuspect(name));
  if (additions.length === 0) return error;
  const addition = [...new Set(additions.map(([, description]) => description))].join(', ');
  return new Failure('usage', `${origin} refused the request: ${problem.detail}`, {
    hint: `The request uses parameters or values that fin adds to the HTTP API, so the service may not know them: ${addition}.`,
    problem,
    cause,
  });
}

/**
 * Adds the faults that the client found to a rejection by the service. The violated rules are fin's own, but the
 * service may have the same rules.
 */
function addFaults(error: unknown, faults: readonly Fault[]): unknown {
  if (!isFailure(error) || error.kind !== 'usage' || faults.length === 0) return error;
  const details = faults.map(({ detail }) => detail);
  return withHint(error, joinTexts(details, ' '));
}

/** Requests prices for their attribution; returns null if the request fails or the response has none. */
async function askAttribution(ask: GetResponse, ticker: string) {
  const target = makeRequestTarget(parseQuestion('prices', [['ticker', ticker]]));
  const response = await ask(target).catch(nullIfFailure);
  return response && readAttribution(response.envelope.meta);
}

/** Returns functions that open and close a transport. The network code is loaded with the first request. */
function createLazyTransport({ transport, baseUrl, env = {} }: ClientSetup, { timeout }: ClientOptions) {
  let opened: Promise<Transport> | undefined;
  const load = async () => transport ?? (await import('./http/network.ts')).openNetwork({ baseUrl, timeout, env });
  return {
    open: () => {
      opened ??= load();
      return opened;
    },
    close: async () => (await opened?.catch(() => null))?.close(),
  };
}
