/**
 * The client: asks a service one question at a time, or several at once, and gives back answers.
 * request → held answer → budget → transport → retry → answer; one file per step.
 */
import { join } from 'node:path';
import type { Fault } from '../contract/check.ts';
import { Failure, isFailure } from '../contract/failure.ts';
import { failureOf, readEnvelope } from './answer.ts';
import { LOCAL } from './destination.ts';
import { type Exchange, openExchange } from './exchange.ts';
import { type Held, type HeldAnswers, openHeldAnswers } from './held-answers.ts';
import { fingerprint } from './key.ts';
import { spellPath, spellQuestion } from './question.ts';
import type { Answer, Client, ClientEvent, ClientOptions, Directories, Envelope, Transport } from './types.ts';

export interface ClientSetup {
  /** `local:`, or an address as findDestination gives it. */
  readonly baseUrl: string;
  readonly key: string | null;
  /** The account's name, where the profile gives one: keys of one account share budget and answers. */
  readonly account?: string | null;
  /** Needed for `local:`; for anything else the network is loaded when something is asked. */
  readonly transport?: Transport | null;
  readonly directories: Directories;
  readonly options?: Partial<ClientOptions>;
  /** For proxies and certificates. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly report?: (event: ClientEvent) => void;
}

export const DEFAULT_OPTIONS: ClientOptions = {
  maxWait: 90_000,
  retries: 4,
  deadline: null,
  timeout: 60_000,
  fresh: false,
  offline: false,
  maxAge: null,
  noCache: false,
  unchecked: false,
  requestId: null,
  signal: null,
};

export function createClient(setup: ClientSetup): Client {
  const options = { ...DEFAULT_OPTIONS, ...setup.options };
  return setup.baseUrl === LOCAL ? localClient(setup, options) : remoteClient(setup, options);
}

/** No account, no budget, nothing held: the service is in this very process. */
function localClient({ transport }: ClientSetup, options: ClientOptions): Client {
  if (transport === undefined || transport === null) throw new Error('local: needs a transport');
  const ask = async (target: string): Promise<Answer> => {
    const { signal } = options;
    const answer = await transport.send({ target, headers: {}, ...(signal === null ? {} : { signal }) });
    if (answer.status !== 200) throw failureOf(answer, LOCAL);
    return answered(readEnvelope(answer, LOCAL), answer.body, 'asked', 0);
  };
  return {
    ask: async (operation, parameters) =>
      ask(spellQuestion(operation, parameters, { local: true, unchecked: options.unchecked }).target),
    askPath: async (path) => ask(spellPath(path)),
    close: () => transport.close(),
  };
}

function remoteClient(setup: ClientSetup, options: ClientOptions): Client {
  const { baseUrl, key, directories, report = () => {} } = setup;
  const from = new URL(baseUrl).origin;
  const scope = { account: fingerprint(from, key, setup.account ?? null), baseUrl };
  const network = openOnce(setup, options);
  const exchange = openExchange({ baseUrl, transport: network.open, budget: null, options, report });
  const held =
    options.noCache || directories.cache === null
      ? null
      : openHeldAnswers(join(directories.cache, 'http'), scope, () =>
          report({ type: 'notice', text: 'Answers cannot be held: the cache directory cannot be written to.' }),
        );
  const headers = {
    accept: 'application/json, application/problem+json',
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...(options.requestId === null ? {} : { 'x-request-id': options.requestId }),
  };
  const ask = (target: string) => askRemote({ target, held, exchange, headers, from, options });
  return {
    async ask(operation, parameters) {
      const { target, doubts } = spellQuestion(operation, parameters, { local: false, unchecked: options.unchecked });
      return ask(target).catch((error) => {
        throw withDoubts(error, doubts);
      });
    },
    askPath: async (path) => ask(spellPath(path)),
    close: network.close,
  };
}

interface Asking {
  readonly target: string;
  readonly held: HeldAnswers | null;
  readonly exchange: Exchange;
  readonly headers: Readonly<Record<string, string>>;
  readonly from: string;
  readonly options: ClientOptions;
}

async function askRemote({ target, held, exchange, headers, from }: Asking): Promise<Answer> {
  const own = held?.read(target) ?? null;
  const envelope = own === null ? null : envelopeOf(own);
  const condition = own === null || envelope === null ? {} : { 'if-none-match': own.etag };
  const { answer, sent } = await exchange(target, { ...headers, ...condition });
  if (answer.status === 304) {
    if (own === null || envelope === null) throw failureOf(answer, from);
    held?.confirm(target, sent);
    return answered(envelope, own.text, 'revalidated', 0);
  }
  const fresh = readEnvelope(answer, from);
  const { etag } = answer.headers;
  if (etag !== undefined) {
    held?.write(target, { etag, stamp: stampOf(fresh), requestId: idOf(fresh), text: answer.body, confirmed: sent });
  }
  return answered(fresh, answer.body, 'asked', 0);
}

function envelopeOf(held: Held): Envelope | null {
  try {
    return readEnvelope({ status: 200, headers: {}, body: held.text }, '');
  } catch {
    return null;
  }
}

function answered(envelope: Envelope, text: string, source: Answer['source'], age: number): Answer {
  return { envelope, text, source, requestId: idOf(envelope), age };
}

const idOf = ({ meta }: Envelope) => (typeof meta.request_id === 'string' ? meta.request_id : null);

/** Stamp of the release that an answer names, or null where it names none. */
function stampOf({ meta: { release } }: Envelope): string | null {
  if (typeof release !== 'object' || release === null || !('stamp' in release)) return null;
  return typeof release.stamp === 'string' ? release.stamp : null;
}

/** What we doubted and the service refused: our doubt may say why, and what was meant. */
function withDoubts(error: unknown, doubts: readonly Fault[]): unknown {
  if (!isFailure(error) || error.kind !== 'usage' || doubts.length === 0) return error;
  const { message, problem, cause } = error;
  const hint = doubts.map(({ detail }) => detail).join(' ');
  return new Failure('usage', message, { hint, cause, ...(problem === undefined ? {} : { problem }) });
}

/** The network, loaded by the first question and shared by all. */
function openOnce({ transport, baseUrl, env = {} }: ClientSetup, { timeout }: ClientOptions) {
  let opened: Promise<Transport> | undefined;
  const load = async () => {
    const { openNetwork } = await import('./network.ts');
    return openNetwork({ baseUrl, timeout, env });
  };
  return {
    open: () => {
      opened ??= transport === undefined || transport === null ? load() : Promise.resolve(transport);
      return opened;
    },
    close: async () => (await opened)?.close(),
  };
}
