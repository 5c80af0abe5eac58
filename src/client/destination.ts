/**
 * Determines the destination of questions and the source of the key from options, environment and profile, without
 * reading a key or sending a request. README.md in this directory states the order.
 */

import { Failure } from '../contract/failure.ts';
import { didYouMean } from '../contract/nearest.ts';
import { quoteShellWord } from '../contract/text/quote.ts';
import { option, say } from '../contract/text/text.ts';
import { isLoopback } from '../http/addresses.ts';
import { describeSource, type KeySource } from './key.ts';
import type { Profile, Settings } from './settings.ts';

/** Options of the command line; an option that was not given is null. */
export interface DestinationFlags {
  readonly baseUrl: string | null;
  readonly profile: string | null;
  readonly apiKeyFile: string | null;
}

export type Destination =
  | {
      readonly to: 'local';
      /** Whether the built-in sample may answer, because neither a service nor a profile is configured. */
      readonly isSampleAllowed: boolean;
      readonly profile: string;
    }
  | ServiceDestination
  | PublishedDestination;

export interface ServiceDestination {
  readonly to: 'service';
  /** Base URL without a trailing slash; may have a path. */
  readonly baseUrl: string;
  readonly origin: string;
  readonly isLoopback: boolean;
  /** Name of the source of the address, such as `FIN_BASE_URL` or `the profile work`. */
  readonly addressSource: string;
  readonly key: KeySource | null;
  /** A sentence that explains why an available key is not sent; null if no key is withheld. */
  readonly withheld: string | null;
  /** Whether the profile has a key for this address that is not sent, because another key takes precedence. */
  readonly isStoredKeyOverridden: boolean;
  /** Name of the account, if the profile names one. */
  readonly account: string | null;
  readonly profile: string;
  /** Whether the profile declares that the address is a service, so that it is never tested for releases. */
  readonly isStatedService: boolean;
}

/** A directory of releases on a static host. No key is ever sent to it. */
export interface PublishedDestination
  extends Pick<ServiceDestination, 'baseUrl' | 'origin' | 'isLoopback' | 'addressSource' | 'profile'> {
  readonly to: 'published';
  /** Public key by which the release must be signed; null if no signature is required. */
  readonly publicKey: string | null;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Returns the destination. If the profile does not state the kind of an address, the destination is a service: a later
 * request may show that it is a static host. Throws a usage Failure for contradictory settings.
 */
export function findDestination(flags: DestinationFlags, env: Env, settings: Settings): Destination {
  const profile = chooseProfile(flags, env, settings);
  const candidates = listKeyCandidates(flags, env, profile);
  const base = chooseBaseUrl(flags, env, profile);
  if (base === null && candidates[0] !== undefined) {
    const source = describeSource(candidates[0].source);
    const hint = say`Set the address of the service: ${option('base-url')}, FIN_BASE_URL, or fin config set base_url <url>. To use the data on this machine: ${option('base-url', 'local:')}`;
    throw new Failure('usage', `An API key is set in ${source}, but the address of its service is not set.`, { hint });
  }
  if (base === null || base.text === LOCAL_URL) {
    const isSampleAllowed = candidates.length === 0 && !profile.hasServiceSettings;
    return { to: 'local', isSampleAllowed, profile: profile.name };
  }
  const parsed = parseBaseUrl(base.text);
  const kind = determineDestinationKind(parsed.baseUrl, profile);
  if (kind === 'release') {
    const publicKey = profile.profile.public_key ?? null;
    return { to: 'published', ...parsed, addressSource: base.source, publicKey, profile: profile.name };
  }
  const [key, ...overriddenKeys] = candidates.filter(({ origin }) => origin === null || origin === parsed.origin);
  const [first] = candidates;
  const isOfProfile = key?.source.from === 'profile' || profile.origin === parsed.origin;
  return {
    to: 'service',
    ...parsed,
    addressSource: base.source,
    key: key?.source ?? null,
    withheld: key === undefined && first !== undefined ? explainWithheldKey(first, parsed.origin) : null,
    isStoredKeyOverridden: overriddenKeys.some(({ source }) => source.from === 'profile'),
    account: isOfProfile ? (profile.profile.account ?? null) : null,
    profile: profile.name,
    isStatedService: kind === 'service',
  };
}

/**
 * Returns the kind of an address according to the profile; null if unknown. A public key rules out services, because a
 * service signs nothing. `kind` applies only to the profile's own address, or to any address if the profile has none.
 */
function determineDestinationKind(baseUrl: string, { name, profile }: ChosenProfile): 'release' | 'service' | null {
  const { public_key: publicKey, kind, base_url: address } = profile;
  refuseContradictoryKind(profile, name);
  if (publicKey !== undefined) return 'release';
  const isProfileUrl = address === undefined || (address !== LOCAL_URL && parseBaseUrl(address).baseUrl === baseUrl);
  return isProfileUrl && (kind === 'release' || kind === 'service') ? kind : null;
}

/** Throws a usage Failure for a profile that requires a signature from a service. */
export function refuseContradictoryKind({ public_key: publicKey, kind }: Profile, name: string): void {
  if (publicKey === undefined || kind !== 'service') return;
  const text = `The profile ${name} has both a public_key and the kind "service", but only published releases are signed.`;
  const hint =
    'Use separate profiles, or remove one of the two settings: fin config set public_key (without a value), or fin config set kind (without a value).';
  throw new Failure('usage', text, { hint });
}

/**
 * Whether the address may be a static host. It cannot be a static host if the profile declares it to be a service, or
 * if a key is set. Exception: a key from the environment does not rule out an address with a path.
 */
export const mayBePublished = ({ key, baseUrl, origin, isStatedService }: ServiceDestination): boolean =>
  !isStatedService && (key === null || (key.from === 'environment' && baseUrl !== origin));

/** Returns the address as a directory of published releases. */
export function toPublishedDestination(service: ServiceDestination): PublishedDestination {
  const { baseUrl, origin, isLoopback, addressSource, profile } = service;
  return { to: 'published', baseUrl, origin, isLoopback, addressSource, publicKey: null, profile };
}

type ChosenProfile = ReturnType<typeof chooseProfile>;

const SERVICE_SETTING_NAMES = ['base_url', 'api_key', 'account'] as const;

function chooseProfile(flags: DestinationFlags, env: Env, settings: Settings) {
  const requestedName = flags.profile ?? (env.FIN_PROFILE || undefined);
  const name = requestedName ?? settings.profile ?? 'default';
  const storedProfile = Object.hasOwn(settings.profiles, name) ? settings.profiles[name] : undefined;
  const profile: Profile = storedProfile ?? {};
  if (storedProfile === undefined && requestedName !== undefined) {
    const names = Object.keys(settings.profiles);
    const profiles = names.length === 0 ? ' There are no profiles yet.' : ` Profiles: ${names.join(', ')}.`;
    const advice = didYouMean(requestedName, names) || profiles;
    const hint = `Create it with: fin config set base_url <url> --profile ${quoteShellWord(requestedName)}`;
    throw new Failure('usage', `There is no profile ${JSON.stringify(requestedName)}.${advice}`, { hint });
  }
  const { base_url: address } = profile;
  const hasSettings = SERVICE_SETTING_NAMES.some((key) => key in profile);
  return {
    name,
    profile,
    /** Whether the profile was requested by name, or has an address, an API key or an account. */
    hasServiceSettings: requestedName !== undefined || hasSettings,
    /** Whether the profile was named on the command line, so that it takes precedence over the environment. */
    isExplicit: flags.profile !== null,
    /** Origin of the profile's address; null if the profile has no address. */
    origin: address === undefined || address === LOCAL_URL ? null : parseBaseUrl(address).origin,
  };
}

/** Returns the address in effect, and the name of its source. */
function chooseBaseUrl(flags: DestinationFlags, env: Env, profile: ChosenProfile) {
  const option = { text: flags.baseUrl, from: '--base-url' };
  const environment = { text: env.FIN_BASE_URL || undefined, from: 'FIN_BASE_URL' };
  const address = { text: profile.profile.base_url, from: `the profile ${profile.name}` };
  for (const { text, from } of profile.isExplicit ? [option, address, environment] : [option, environment, address]) {
    if (text !== undefined && text !== null) return { text, source: from };
  }
  return null;
}

interface KeyCandidate {
  readonly source: KeySource;
  /** The only origin to which the key may be sent; null if the key may be sent to the address in effect. */
  readonly origin: string | null;
}

/** Origin of a key in a profile without an address. The key is sent nowhere. */
const NO_ORIGIN = '';

function explainWithheldKey({ source, origin }: KeyCandidate, requestedOrigin: string): string {
  const text = `The key in ${describeSource(source)}`;
  return origin === NO_ORIGIN
    ? `${text} was not sent to ${requestedOrigin}, because the profile has no address. Set its base_url to send the key.`
    : `${text} belongs to ${origin}; it was not sent to ${requestedOrigin}.`;
}

function listKeyCandidates(flags: DestinationFlags, env: Env, profile: ChosenProfile): KeyCandidate[] {
  const address = env.FIN_BASE_URL || undefined;
  // A key in the environment belongs to the address in the environment, if one is set.
  const origin = address === undefined || address === LOCAL_URL ? null : parseBaseUrl(address).origin;
  const file = flags.apiKeyFile;
  const { api_key: text, api_key_origin: boundOrigin = profile.origin ?? NO_ORIGIN } = profile.profile;
  const storedKeys: KeyCandidate[] =
    text === undefined ? [] : [{ source: { from: 'profile', profile: profile.name, text }, origin: boundOrigin }];
  const { FIN_API_KEY: key, FIN_API_KEY_COMMAND: command } = env;
  const environmentKeys: KeyCandidate[] = key ? [{ source: { from: 'environment', text: key }, origin }] : [];
  if (command) environmentKeys.push({ source: { from: 'command', command }, origin });
  return [
    ...(file === null ? [] : [{ source: { from: 'file', path: file } as const, origin: null }]),
    ...(profile.isExplicit ? [...storedKeys, ...environmentKeys] : [...environmentKeys, ...storedKeys]),
  ];
}

/** The base URL of data on this machine. */
export const LOCAL_URL = 'local:';

/** Returns the normalized base URL. Throws a usage Failure for an invalid URL, and for http:// to another machine. */
export function parseBaseUrl(text: string) {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    const hint = 'Use https://…, http:// for a service on this machine, or "local:" for the data on this machine.';
    throw new Failure('usage', `The base URL ${quoteShortened(text)} is not a valid address of a service.`, { hint });
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    const hint = 'Give only the scheme, host and path. About keys: fin help keys';
    throw new Failure('usage', `The base URL of ${url.host} must not have a user, query or fragment.`, { hint });
  }
  const loopback = isLoopback(url.hostname);
  if (url.protocol === 'http:' && !loopback) {
    const hint = 'Use https://; http:// is allowed only for this machine.';
    throw new Failure('usage', `Requests to the base URL ${quoteShortened(text)} would not be encrypted.`, { hint });
  }
  return { baseUrl: url.origin + url.pathname.replace(/\/+$/, ''), origin: url.origin, isLoopback: loopback };
}

const quoteShortened = (text: string) => JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);
