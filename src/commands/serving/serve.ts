/** `fin serve`: the interface over HTTP, until it is told to stop. */
import { Failure, isFailure } from '../../contract/failure.ts';
import { openRelease } from '../../release/store/reader.ts';
import { followRelease } from '../../service/http/follow-release.ts';
import { type ListenOptions, listen } from '../../service/http/listen.ts';
import { listKeys } from '../../service/keys/key-store.ts';
import { embeddedCounters } from '../../service/limits/embedded-counters.ts';
import type { UtilityCommand } from '../utility.ts';
import { releaseToServe } from './release-to-serve.ts';
import { type ServeSettings, serveSettings } from './serve-settings.ts';
import { type ServiceHome, serviceHome } from './service-home.ts';

/** How often a newly published release is looked for. */
const LOOK_MS = 2_000;
const DEADLINE_MS = 10_000;

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
    const { io } = call;
    const home = serviceHome(call);
    const { gate, log, keysInClear, release: wish, ...at } = serveSettings(call);
    const trouble = (error: unknown, what: string) => io.log(`Error: ${what}: ${reasonOf(error)}`);
    const locate = releaseToServe(home.data, wish);
    const release = await followRelease({
      locate,
      open: openRelease,
      intervalMs: LOOK_MS,
      graceMs: DEADLINE_MS + 1_000,
      onChange: (stamp) => io.log(`Serving release ${stamp}${locate()?.isSample === true ? ', the sample' : ''}.`),
      onError: (error) => trouble(error, 'the release on offer cannot be served'),
    });
    const listening = await listen({
      ...at,
      release: release.current,
      authentication: gate === null ? null : await gateOf(gate, home, (error) => trouble(error, 'counters')),
      deadlineMs: DEADLINE_MS,
      log: log ? (line) => io.log(line) : null,
      onError: (error, requestId) => trouble(error, `request ${requestId}`),
    }).catch((cause) => {
      throw isFailure(cause) ? cause : cannotListen(at.host, at.port, cause);
    });
    // What runs at a signal is finished.
    io.takeGrace(DEADLINE_MS + 1_000);
    io.print(`${listening.baseUrl}\n`);
    if ((await release.current()) === null) io.log('There is no release yet: every answer is 503 until one is built.');
    if (gate !== null && listKeys(home.keys, null).length === 0) {
      io.log('No key has been made yet. Make one: fin keys create --account <name>');
    }
    if (keysInClear) {
      io.log('Warning: without --tls-cert keys travel in clear text. fin itself sends none there.');
    }
    await aborted(io.signal);
    await listening.stop();
    await release.stop();
    return undefined;
  },
};

export default serve;

async function gateOf(
  { limitsOf, redis }: NonNullable<ServeSettings['gate']>,
  home: ServiceHome,
  onTrouble: (error: unknown) => void,
): Promise<ListenOptions['authentication']> {
  const keyDirectory = home.keys;
  if (redis === null) return { keyDirectory, counters: embeddedCounters(home.usage, Date.now), limitsOf };
  const { redisCounters } = await import('../../service/limits/redis-counters.ts');
  return { keyDirectory, counters: redisCounters(redis, Date.now, onTrouble), limitsOf };
}

function cannotListen(host: string, port: number, cause: unknown): Failure {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const said: Readonly<Record<string, string>> = {
    EADDRINUSE: 'something else listens there',
    EACCES: 'the port is not for everyone',
    EADDRNOTAVAIL: 'the machine has no such address',
    ENOTFOUND: 'there is no such host',
  };
  const reason = said[code] ?? reasonOf(cause);
  return new Failure('usage', `fin cannot listen on ${host}, port ${port}: ${reason}.`, { cause });
}

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
