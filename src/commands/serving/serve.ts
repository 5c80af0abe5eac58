/** `fin serve`: the interface over HTTP, until it is told to stop. */
import { readFileSync } from 'node:fs';
import { Failure, isFailure } from '../../contract/failure.ts';
import { openRelease } from '../../release/reader.ts';
import { followRelease } from '../../service/http/follow-release.ts';
import { type ListenOptions, listen } from '../../service/http/listen.ts';
import type { Tls } from '../../service/http/server.ts';
import { listKeys } from '../../service/keys/key-store.ts';
import type { Counters } from '../../service/limits/counters.ts';
import { embeddedCounters } from '../../service/limits/embedded-counters.ts';
import { readLimits, STANDARD_LIMITS } from '../../service/limits/limits.ts';
import { openRedis } from '../../service/limits/redis.ts';
import { redisCounters } from '../../service/limits/redis-counters.ts';
import type { UtilityCall, UtilityCommand } from '../utility.ts';
import { releaseToServe } from './release-to-serve.ts';
import { type ServiceHome, serviceHome } from './service-home.ts';

/** How often a newly published release is looked for. */
const LOOK_MS = 2_000;
const DEADLINE_MS = 10_000;
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

const serve: UtilityCommand = {
  name: 'serve',
  summary: 'Answer the interface over HTTP from a release on this machine',
  help: [
    'Prints the address it listens on. Every request needs a key ("fin keys create") unless --no-auth is given.',
    'A newly published release is served without a restart. SIGTERM and Ctrl-C finish what runs.',
    'Counts are kept in this process and its state directory, or in the Redis that FIN_REDIS_URL names,',
    'which several replicas may share.',
  ].join(' '),
  args: [],
  options: [
    { name: 'host', value: 'host', help: 'Address to listen on; 127.0.0.1 unless said otherwise' },
    { name: 'port', value: 'port', help: 'Port to listen on; 0, the default, takes any that is free' },
    { name: 'release', value: 'stamp', help: 'Serve this release and no other; "latest" follows the newest' },
    { name: 'no-auth', help: 'Ask for no keys and count nothing; on loopback only' },
    { name: 'tls-cert', value: 'file', help: 'Certificate chain (PEM), for addresses beyond loopback' },
    { name: 'tls-key', value: 'file', help: 'Private key of the certificate (PEM)' },
    { name: 'public-url', value: 'url', help: 'What clients call this service, where a proxy stands before it' },
    {
      name: 'limits',
      value: 'file',
      help: 'Limits of accounts that differ from the standard: {"default": {"minute": 120}, "accounts": {…}}',
    },
    { name: 'log', help: 'Write an access log to stderr, a line of JSON for each request' },
  ],
  examples: [],
  run: async (call) => {
    const { io, options } = call;
    const home = serviceHome(call);
    const host = text(options.host) ?? '127.0.0.1';
    const tls = tlsOf(call);
    const open = options['no-auth'] === true;
    if (open && !LOOPBACK.has(host)) {
      throw new Failure('usage', `--no-auth is for loopback only, and ${JSON.stringify(host)} is not.`, {
        hint: 'Leave --host out, or make keys with "fin keys create".',
      });
    }
    const port = portOf(text(options.port));
    const trouble = (error: unknown, what: string) => io.say(`Error: ${what}: ${reasonOf(error)}`);
    const locate = releaseToServe(home.data, text(options.release) ?? null);
    const release = await followRelease({
      locate,
      open: openRelease,
      intervalMs: LOOK_MS,
      graceMs: DEADLINE_MS + 1_000,
      onChange: (stamp) => io.say(`Serving release ${stamp}${locate()?.isSample === true ? ', the sample' : ''}.`),
      onTrouble: (error) => trouble(error, 'the release on offer cannot be served'),
    });
    const listening = await listen({
      host,
      port,
      tls,
      publicUrl: publicUrlOf(text(options['public-url'])),
      release: release.current,
      gate: open ? null : gateOf(call, home, (error) => trouble(error, 'counters')),
      deadlineMs: DEADLINE_MS,
      log: options.log === true ? (line) => io.say(line) : null,
      onTrouble: (error, requestId) => trouble(error, `request ${requestId}`),
    }).catch((cause) => {
      throw isFailure(cause) ? cause : cannotListen(host, text(options.port), cause);
    });
    // What runs at a signal is finished.
    io.takeGrace(DEADLINE_MS + 1_000);
    io.out(`${listening.baseUrl}\n`);
    if ((await release.current()) === null) io.say('There is no release yet: every answer is 503 until one is built.');
    if (!open && listKeys(home.keys, null).length === 0) {
      io.say('No key has been made yet. Make one: fin keys create --account <name>');
    }
    if (!LOOPBACK.has(host) && tls === null) {
      io.say('Warning: without --tls-cert keys travel in clear text. fin itself sends none there.');
    }
    await aborted(io.signal);
    await listening.stop();
    await release.stop();
    return undefined;
  },
};

export default serve;

function gateOf(
  { io, options }: UtilityCall,
  home: ServiceHome,
  onTrouble: (error: unknown) => void,
): ListenOptions['gate'] {
  const file = text(options.limits);
  const limitsOf = file === undefined ? () => STANDARD_LIMITS : readLimits(file);
  const redis = io.env.FIN_REDIS_URL;
  const counters: Counters =
    redis === undefined || redis === ''
      ? embeddedCounters(home.usage, Date.now)
      : redisCounters(openRedis(redisUrl(redis)), Date.now, onTrouble);
  return { keyDirectory: home.keys, counters, limitsOf };
}

/** The address may hold a password, so it is taken from the environment and never shown. */
function redisUrl(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url !== null && /^rediss?:$/.test(url.protocol) && url.hostname !== '' && /^(\/\d*)?$/.test(url.pathname))
    return url;
  throw new Failure('usage', 'FIN_REDIS_URL is not of the form redis://[user:password@]host[:port][/database].');
}

function tlsOf({ options }: UtilityCall): Tls | null {
  const [cert, key] = [text(options['tls-cert']), text(options['tls-key'])];
  if (cert === undefined && key === undefined) return null;
  if (cert === undefined || key === undefined) {
    throw new Failure('usage', '--tls-cert and --tls-key are given together or not at all.');
  }
  return { cert: read(cert, 'tls-cert'), key: read(key, 'tls-key') };
}

function read(path: string, option: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new Failure('usage', `--${option}: ${JSON.stringify(path)} cannot be read.`, { cause });
  }
}

function portOf(given: string | undefined): number {
  if (given === undefined) return 0;
  if (/^\d{1,5}$/.test(given) && Number(given) < 65_536) return Number(given);
  throw new Failure('usage', `--port ${JSON.stringify(given)} is not a port: a whole number from 0 to 65535.`);
}

function publicUrlOf(given: string | undefined): string | null {
  if (given === undefined) return null;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') {
    return url.href.replace(/\/+$/, '');
  }
  throw new Failure('usage', `--public-url ${JSON.stringify(given)} is not an http or https address.`);
}

function cannotListen(host: string, port: string | undefined, cause: unknown): Failure {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const said: Readonly<Record<string, string>> = {
    EADDRINUSE: 'something else listens there',
    EACCES: 'the port is not for everyone',
    EADDRNOTAVAIL: 'the machine has no such address',
    ENOTFOUND: 'there is no such host',
  };
  const reason = said[code] ?? reasonOf(cause);
  return new Failure('usage', `fin cannot listen on ${host}, port ${port ?? 0}: ${reason}.`, { cause });
}

const text = (given: UtilityCall['options'][string]): string | undefined =>
  typeof given === 'string' ? given : undefined;

const reasonOf = (error: unknown): string =>
  error instanceof Error
    ? [error.message, error.cause instanceof Error ? error.cause.message : ''].join(' ').trim()
    : String(error);

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
