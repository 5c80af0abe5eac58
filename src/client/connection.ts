/** Determines destination and account from options and environment, and opens a client. */

import { join } from 'node:path';
import { Failure } from '../contract/failure.ts';
import { type LocalAnswer, type LocalService, makeRequestTarget } from '../contract/question.ts';
import { writeIfPossible } from '../platform/files/atomic-write.ts';
import { type Directories, findDirectories } from '../platform/files/directories.ts';
import { readIfReadable } from '../platform/files/regular-file.ts';
import type { Client } from './client.ts';
import type { Destination, DestinationFlags, PublishedDestination, ServiceDestination } from './destination.ts';
import { findDestination, mayBePublished, toPublishedDestination } from './destination.ts';
import { describeSource, findKeyFileWarning, hashAccount, readKey } from './key.ts';
import type { QuotaUsage } from './limiter/quota-usage.ts';
import { openLocalClient } from './local-client.ts';
import { getPointerPath, readKnownPointer } from './published/known-pointer.ts';
import { type ClientOptions, DEFAULT_OPTIONS } from './request/client-options.ts';
import type { ClientEvent } from './request/events.ts';
import type { OpenDocuments, OpenedService, Ports, PublishedService, PublishedSettings } from './request/ports.ts';
import { isFromAnotherServer } from './request/response.ts';
import { findProfileInUse, readSettings, withAuthorities } from './settings.ts';

export interface ConnectionTarget {
  readonly directories: Directories;
  readonly destination: Destination;
}

/**
 * Returns the destination without reading a key or sending a request. Throws a usage Failure for contradictory
 * settings.
 */
export function findConnectionTarget(globals: DestinationFlags, { env }: Pick<ConnectionIo, 'env'>): ConnectionTarget {
  const directories = findDirectories(env);
  const target = findDestination(globals, env, readSettings(directories.config));
  const isPublished = isKnownPublishedDestination(target, directories);
  return { directories, destination: isPublished ? toPublishedDestination(target) : target };
}

/**
 * Returns the target with the key of a calling program in place of any configured key. Throws a usage Failure if the
 * destination accepts no key.
 */
export function withKey({ directories, destination }: ConnectionTarget, text: string): ConnectionTarget {
  if (destination.to !== 'service') {
    throw new Failure('usage', 'The option apiKey is set, but there is no service that takes the key.', {
      hint:
        destination.to === 'local'
          ? 'Set the option baseUrl to the address of the service, or remove the option apiKey.'
          : `${destination.baseUrl} is a published release, which needs no key: remove the option apiKey.`,
    });
  }
  const patch = { key: { from: 'option', text }, withheld: null, isStoredKeyOverridden: false, account: null } as const;
  return { directories, destination: { ...destination, ...patch } };
}

/**
 * Whether the address is known to be a static host, because a pointer to a release was found there before. No key
 * is read for such an address, or sent to it.
 */
function isKnownPublishedDestination(target: Destination, { cache }: Directories): target is ServiceDestination {
  if (target.to !== 'service' || !mayBePublished(target) || cache === null) return false;
  return readKnownPointer(getPointerPath(join(cache, 'http'), target.baseUrl))?.text != null;
}

/** Returns a hash that identifies the account; `local:` for data on this machine. Reads the key. */
export async function readAccountHash({ destination }: ConnectionTarget): Promise<string> {
  if (destination.to === 'local') return 'local:';
  if (destination.to === 'published') return hashAccount(destination.baseUrl, null, null);
  const key = destination.key === null ? null : await readKey(destination.key);
  return hashAccount(destination.origin, key, destination.account);
}

/** Returns the account's limits; empty without a key (no account) or without a state directory (no rate limiter). */
export async function readLimitsInUse(target: ConnectionTarget): Promise<readonly QuotaUsage[]> {
  const { directories, destination } = target;
  if (destination.to !== 'service' || destination.key === null || directories.state === null) return [];
  const { readQuotaUsages } = await import('./limiter/quota-usage.ts');
  return readQuotaUsages(directories.state, await readAccountHash(target), Date.now());
}

export interface Connection {
  readonly client: Client;
  /** Whether questions are answered in this process, not by a remote service. */
  readonly isInProcess: boolean;
  /** Size and date of the built-in sample if the sample answers; otherwise null. */
  readonly sample: OpenedService['sample'];
  /**
   * Returns this connection, or a new connection if another release has become current. Present only for data on this
   * machine.
   */
  readonly latest?: () => Connection;
  /** Estimates the data to load from a static host for the answer to a question. */
  readonly planLoad?: PublishedService['plan'] | undefined;
  /** Returns the static host; null until the address is known to be a static host. */
  readonly published?: () => PublishedSettings | null;
  /** Opens the documents of filings, which the caller closes; absent if documents cannot be read here. */
  readonly openDocuments?: OpenDocuments;
}

/**
 * Opens a connection. Throws a Failure if the key or the release cannot be read, or the address is malformed.
 * @param log receives messages about the service; by default the log of all other messages
 */
export type Connect = (log?: (line: string) => void) => Promise<Connection>;

/** Connection options. Times are in milliseconds; an option that was not given is null. */
export interface ConnectionOptions
  extends Omit<ClientOptions, 'maxWait' | 'timeout' | 'noCache' | 'allowOlder' | 'requestId' | 'signal'> {
  readonly maxWait: number | null;
  readonly timeout: number | null;
  readonly cache: boolean;
  readonly allowOlder?: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly profile: string | null;
}

interface ConnectionIo extends Pick<ClientOptions, 'signal'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: (line: string) => void;
}

interface ConnectionSettings {
  readonly target: ConnectionTarget;
  readonly globals: ConnectionOptions;
  readonly io: ConnectionIo;
  readonly ports: Ports;
  readonly onEvent: (event: ClientEvent) => void;
}

/** Opens a connection. Loads only the service or the client: `local:` needs neither rate limiter nor cache. */
export async function openConnection(settings: ConnectionSettings, log = settings.io.log): Promise<Connection> {
  const { target, globals, io, ports, onEvent } = settings;
  const { directories, destination } = target;
  const options = toClientOptions(globals, io);
  const openDocuments: OpenDocuments = (overrides) => openFiledDocuments(settings, overrides);
  if (destination.to === 'local') {
    const { openLocalService } = await ports.localService();
    const openLocal = (): Connection => {
      const { service, stamp, sample, isCurrent } = openLocalService(directories.data, destination.isSampleAllowed);
      if (sample !== null && !globals.quiet && recordFirstSampleUseToday(directories.state))
        log(formatSampleNotice(sample));
      const client = openLocalClient(globals.verbose ? withLogging(service, stamp, io) : service, options);
      const connection: Connection = {
        ...{ client, isInProcess: true, sample, openDocuments },
        latest: () => (isCurrent() ? connection : replaceConnection(connection, openLocal)),
      };
      return connection;
    };
    return openLocal();
  }
  const publishedSettings = await findPublishedSettings(settings);
  if (publishedSettings !== null) {
    const { service, plan } = (await ports.published()).openPublishedService(publishedSettings);
    const client = openLocalClient(service, options);
    const published = () => publishedSettings;
    return { client, isInProcess: true, sample: null, planLoad: plan, published, openDocuments };
  }
  if (destination.to === 'published') throw new Error('a static host has no settings');
  const env = addCertificateAuthorities(settings);
  if (destination.withheld !== null) log(`Warning: ${destination.withheld}`);
  const keyWarning = destination.key === null ? null : findKeyFileWarning(destination.key);
  if (keyWarning !== null) log(`Warning: ${keyWarning}`);
  const key = destination.key === null ? null : await readKey(destination.key, io.signal);
  const { baseUrl, account, addressSource } = destination;
  const sources = { address: addressSource, key: destination.key === null ? null : describeSource(destination.key) };
  const { createClient } = await import('./client.ts');
  const client = createClient({ directories, options, env, report: onEvent, baseUrl, key, account, sources });
  if (key === null && destination.isLoopback && mayBePublished(destination))
    return makeFallbackConnection(client, settings, destination);
  return { client, isInProcess: false, sample: null, openDocuments };
}

async function openFiledDocuments(settings: ConnectionSettings, { contact, site }: Parameters<OpenDocuments>[0]) {
  const { globals, io, ports } = settings;
  if (ports.documents === undefined) throw new Error('no port for documents');
  const profile = findProfileInUse(globals.profile, io.env);
  return (await ports.documents()).openDocuments({
    ...makeReaderSettings(settings),
    contact: contact ?? (io.env.FIN_CONTACT || profile?.contact || null),
    site: site ?? (io.env.FIN_EDGAR_URL || null),
    allowedOrigin: profile?.document_origin ?? null,
    localOnly: false,
  });
}

/** Time in milliseconds for which a replaced release stays open, so that running reads can finish. */
const CLOSE_DELAY_MS = 60_000;

function replaceConnection({ client }: Connection, openNext: () => Connection): Connection {
  const next = openNext();
  setTimeout(() => void client.close(), CLOSE_DELAY_MS).unref();
  return next;
}

/**
 * Returns the static host; null if the destination is not known to be one. May send a request to find out. A loopback
 * address without a key is first asked as a service: see `makeFallbackConnection`.
 */
async function findPublishedSettings(settings: ConnectionSettings): Promise<PublishedSettings | null> {
  const { destination } = settings.target;
  if (destination.to === 'published') return makePublishedSettings(settings, destination);
  if (destination.to === 'local' || !mayBePublished(destination)) return null;
  if (destination.key === null) return destination.isLoopback ? null : probePublishedHost(settings, destination);
  // No retries: if the pointer cannot be loaded, the request to the service follows, with its own retries.
  return probePublishedHost(settings, destination, 0);
}

/**
 * Requests a pointer from an address. Returns the static host; null if the address has no pointer.
 * @param retries maximum number of retries; by default as for other requests
 */
async function probePublishedHost(settings: ConnectionSettings, target: ServiceDestination, retries?: number) {
  const host = makePublishedSettings(settings, toPublishedDestination(target));
  const options = retries === undefined ? host.options : { ...host.options, retries };
  return (await (await settings.ports.published()).isPublished({ ...host, options })) === true ? host : null;
}

const makePublishedSettings = (settings: ConnectionSettings, { baseUrl, publicKey }: PublishedDestination) => {
  return { baseUrl, publicKey, ...makeReaderSettings(settings) };
};

/** Returns what readers of documents and of published releases need. */
function makeReaderSettings(settings: ConnectionSettings) {
  const { target, globals, io, onEvent: report } = settings;
  const { directories } = target;
  return { directories, options: toClientOptions(globals, io), env: addCertificateAuthorities(settings), report };
}

/**
 * Returns a connection to a service. If the server proves to be a static host with releases, the connection switches to
 * it.
 */
function makeFallbackConnection(service: Client, settings: ConnectionSettings, target: ServiceDestination): Connection {
  let host: PublishedSettings | null = null;
  const options = toClientOptions(settings.globals, settings.io);
  let switchPromise: Promise<Client | null> | undefined;
  let publishedService: PublishedService | undefined;
  const switchToPublished = async (): Promise<Client | null> => {
    host = await probePublishedHost(settings, target);
    if (host === null) return null;
    publishedService = (await settings.ports.published()).openPublishedService(host);
    return openLocalClient(publishedService.service, options);
  };
  const askServiceOrHost = async <T>(ask: (client: Client) => Promise<T>): Promise<T> => {
    const publishedClient = await switchPromise;
    if (publishedClient != null) return ask(publishedClient);
    try {
      return await ask(service);
    } catch (error) {
      if (!isFromAnotherServer(error)) throw error;
      switchPromise ??= switchToPublished();
      const client = await switchPromise;
      if (client === null) throw error;
      return ask(client);
    }
  };
  const client: Client = {
    ask: (question) => askServiceOrHost((client) => client.ask(question)),
    plan: (question) => service.plan(question),
    askPath: (path) => askServiceOrHost((client) => client.askPath(path)),
    attribution: async (ticker) => (await switchPromise)?.attribution(ticker) ?? service.attribution(ticker),
    async close() {
      await (await switchPromise?.catch(() => null))?.close();
      await service.close();
    },
  };
  return {
    client,
    get isInProcess() {
      return host !== null;
    },
    sample: null,
    get planLoad() {
      return publishedService?.plan;
    },
    published: () => host,
    openDocuments: (overrides) => openFiledDocuments(settings, overrides),
  };
}

/** Returns the environment, with the certificate authorities of the profile added. */
const addCertificateAuthorities = ({ globals, io }: ConnectionSettings): ConnectionIo['env'] =>
  withAuthorities(io.env, findProfileInUse(globals.profile, io.env));

/**
 * Returns whether the sample is used for the first time today, so that the notice about it is due, and stores the date.
 * Always true if the date cannot be stored.
 */
function recordFirstSampleUseToday(state: string | null): boolean {
  if (state === null) return true;
  const file = join(state, 'sample-named');
  const today = new Date().toISOString().slice(0, 10);
  if (readIfReadable(file) === today) return false;
  writeIfPossible(file, today);
  return true;
}

const formatSampleNotice = ({ companies, screened, date }: NonNullable<OpenedService['sample']>): string =>
  `Using the built-in sample (${companies} companies, ${screened} in the screener, ${date}). All companies: fin data fetch --bulk, then fin data build.`;

/** Wraps a service to log each question and the release that answered it. */
function withLogging(service: LocalService, stamp: string, io: Pick<ConnectionIo, 'log'>): LocalService {
  const logAnswer = async (path: string, ask: () => Promise<LocalAnswer>): Promise<LocalAnswer> => {
    const start = performance.now();
    const answer = await ask();
    const elapsed = Math.round(performance.now() - start);
    const status = 'problem' in answer ? answer.problem.status : 200;
    io.log(`GET ${path} ${status}, answered by release ${stamp} in ${elapsed} ms`);
    return answer;
  };
  return {
    ask: (question, signal) => logAnswer(makeRequestTarget(question), () => service.ask(question, signal)),
    askPath: (path, signal) => logAnswer(path, () => service.askPath(path, signal)),
    close: () => service.close(),
  };
}

function toClientOptions(globals: ConnectionOptions, { signal }: Pick<ClientOptions, 'signal'>) {
  const { maxWait, retries, timeout, deadline, fresh, offline, maxAge, cache, unchecked, allowOlder = false } = globals;
  return {
    ...{ ...DEFAULT_OPTIONS, fresh, offline, maxAge, noCache: !cache, allowOlder, unchecked, signal, retries },
    deadline: deadline === null ? null : Date.now() + deadline,
    maxWait: maxWait ?? DEFAULT_OPTIONS.maxWait,
    timeout: timeout ?? DEFAULT_OPTIONS.timeout,
  };
}
