/** `fin serve`: serves the HTTP API until a signal arrives. */

import { findOptionText, type UtilityCall, type UtilityCommand } from '../commands/command-line/utility.ts';
import { isError } from '../contract/error-code.ts';
import { Failure } from '../contract/failure.ts';
import { parseContact } from '../http/sec/site.ts';
import { requireDirectory } from '../platform/files/directories.ts';
import { readInputText } from '../platform/files/input-text.ts';
import { makeSystemFailure } from '../platform/files/system-error.ts';
import type { ServerSettings } from './run-service.ts';
import { findContact } from './transfers.ts';

/** A fixed default, so that clients need no discovery; 3-4-6 spells F-I-N on a telephone keypad. */
const DEFAULT_PORT = 8346;

const UNAVAILABLE_TEXT = 'The service answers 503 until a release is built or pulled.';
const SAMPLE_TEXT =
  ', the sample. The first release that is built or pulled replaces it; to answer 503 until then: --no-sample.';

const LOOPBACK_HOSTS = new Set(['127.0.0.1', '::1', 'localhost']);

const serveCommand: UtilityCommand = {
  local: true,
  help: [
    'Prints the address of the service. If the port is in use, the command ends with exit code 2. Requests for data need a key ("fin keys create") unless --no-auth is given.',
    'A newly built or pulled release is served without a restart, unless --release names a stamp. Without a release, the service serves the built-in sample, unless --no-sample is given; once it has served another release, it does not return to the sample. After SIGTERM or Ctrl-C, the service finishes the requests in progress, then ends.',
    'Requests are counted in this process and its state directory, or in the Redis server of FIN_REDIS_URL,',
    'which several replicas can share. /livez and /readyz answer probes and /openapi.json describes the HTTP API; these',
    'need no key. For systemd unit and container files: "fin help serving".',
  ].join(' '),
  options: [
    { name: 'host', value: 'host', help: 'Address to listen on (default: 127.0.0.1)' },
    { name: 'port', value: 'port', help: `Port to listen on (default: ${DEFAULT_PORT}; 0 for any free port)` },
    {
      name: 'release',
      value: 'stamp',
      help: 'Serve only the release with this stamp; "latest": always the newest release (default: the release in use)',
    },
    {
      name: 'no-sample',
      help: 'Answer 503 until a release is built or pulled, instead of serving the built-in sample',
    },
    { name: 'no-auth', help: 'Require no keys and apply no limits; only on loopback addresses' },
    {
      name: 'tls-cert',
      value: 'file',
      help: 'File with the TLS certificate chain (PEM), to serve other machines over https',
    },
    { name: 'tls-key', value: 'file', help: 'File with the private key of the certificate (PEM)' },
    { name: 'public-url', value: 'url', help: 'Address that clients use, if there is a proxy in front of the service' },
    {
      name: 'limits',
      value: 'file',
      help: 'JSON file with limits for all accounts or for single accounts, instead of the standard limits: {"default": {"minute": 120}, "accounts": {…}}',
    },
    {
      name: 'documents',
      help: 'With --mcp: also fetch documents of filings from the SEC for assistants; needs a contact (FIN_CONTACT)',
    },
    {
      name: 'mcp',
      help: 'Also serve AI assistants, by the Model Context Protocol at /mcp, with the same keys and limits',
    },
    { name: 'log', help: 'Write an access log to stderr, with one line of JSON for each request' },
  ],
  examples: {
    'serve --no-auth': 'for this machine, without keys',
    'serve --mcp --log 2>> access.log': 'also for assistants, with a log of each request',
  },
  run: async (call) => {
    const { io } = call;
    const settings = readServerSettings(call);
    await io.startBackgroundLog();
    const { startServer } = await import('./run-service.ts');
    const server = await startServer(settings);
    // After a signal, running requests are completed within this time.
    io.setShutdownTimeout(server.maxStopMs);
    io.print(`${server.baseUrl}\n`);
    if (settings.mcp) io.log(`Answering assistants at ${server.baseUrl}/mcp.`);
    if (!server.hasRelease) io.log(`No release exists yet. ${UNAVAILABLE_TEXT}`);
    if (settings.authentication !== null && !server.hasKeys) {
      io.log('No API keys exist yet. To create a key: fin keys create --account <name>');
    }
    if (!LOOPBACK_HOSTS.has(settings.host) && settings.tls === null) {
      io.log(
        'Warning: without --tls-cert, this server receives keys in clear text. fin itself refuses to send a key to another machine over http.',
      );
    }
    await waitForAbort(io.signal);
    await server.stop();
    return undefined;
  },
};

export default serveCommand;

/** Reads the server's settings. Throws a usage Failure that names the invalid option or variable. */
function readServerSettings(call: UtilityCall): ServerSettings {
  const { io, options } = call;
  const host = findOptionText(call, 'host') ?? '127.0.0.1';
  const isOpen = options['no-auth'] === true;
  if (isOpen && !LOOPBACK_HOSTS.has(host)) {
    const text = `--no-auth is allowed only for loopback addresses, and ${JSON.stringify(host)} is not a loopback address.`;
    const hint = 'Remove --host, or create keys with "fin keys create" and remove --no-auth.';
    throw new Failure('usage', text, { hint });
  }
  const limitsFile = findOptionText(call, 'limits');
  if (isOpen && limitsFile !== null) {
    const hint = 'Remove one of these options.';
    throw new Failure('usage', '--limits has no effect with --no-auth, which applies no limits.', { hint });
  }
  return {
    dataDirectory: requireDirectory('data', io.env),
    stateDirectory: requireDirectory('state', io.env),
    host,
    port: readPort(findOptionText(call, 'port')),
    tls: readTls(call),
    publicUrl: readPublicUrl(findOptionText(call, 'public-url')),
    release: findOptionText(call, 'release'),
    servesSample: options['no-sample'] !== true,
    authentication: isOpen ? null : { limitsFile, redis: readRedisUrl(io.env.FIN_REDIS_URL || null) },
    mcp: options.mcp === true,
    documents: options.documents === true ? readDocumentAccess(call) : null,
    accessLog: options.log === true ? (line) => io.log(line) : null,
    onRelease: (stamp, isSample) => io.log(`Serving release ${stamp}${isSample ? SAMPLE_TEXT : '.'}`),
    onReleaseGone: (directory) => io.log(`The release ${directory} is gone. ${UNAVAILABLE_TEXT}`),
    onError: (error, subject) => io.log(`Error: ${subject}: ${formatWithCause(error)}`),
  };
}

/** Returns how documents are fetched. Throws a usage Failure without --mcp or a contact. */
function readDocumentAccess(call: UtilityCall): ServerSettings['documents'] {
  const contact = findContact(call);
  if (call.options.mcp !== true) throw new Failure('usage', '--documents is for assistants: add --mcp.');
  const { env } = call.io;
  return { contact: parseContact(contact), site: env.FIN_EDGAR_URL || null, env };
}

/**
 * Parses the address of Redis, which comes from the environment and is never printed, because it may contain a
 * password.
 */
function readRedisUrl(text: string | null): URL | null {
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^rediss?:$/.test(url.protocol) && url.hostname !== '' && /^(\/\d*)?$/.test(url.pathname))
    return url;
  const form = 'redis://[user:password@]host[:port][/number], or rediss://… for TLS';
  throw new Failure('usage', `FIN_REDIS_URL is not of the form ${form}.`);
}

function readTls(call: UtilityCall): ServerSettings['tls'] {
  const certFile = findOptionText(call, 'tls-cert');
  const keyFile = findOptionText(call, 'tls-key');
  if (certFile === null && keyFile === null) return null;
  if (certFile === null || keyFile === null)
    throw new Failure('usage', '--tls-cert and --tls-key must be given together.');
  return { cert: readOptionFile(certFile, 'tls-cert'), key: readOptionFile(keyFile, 'tls-key') };
}

function readOptionFile(path: string, option: string): Buffer {
  try {
    return Buffer.from(readInputText(path));
  } catch (cause) {
    throw makeSystemFailure('usage', `--${option}: ${JSON.stringify(path)} cannot be read`, cause);
  }
}

function readPort(text: string | null): number {
  if (text === null) return DEFAULT_PORT;
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new Failure('usage', `--port ${JSON.stringify(text)} is not a port number from 0 to 65535.`);
}

function readPublicUrl(text: string | null): string | null {
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url?.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (url !== null && /^https?:$/.test(url.protocol) && isPlain) return url.href.replace(/\/+$/, '');
  throw new Failure('usage', '--public-url must be an http or https address without user, query and fragment.');
}

const formatWithCause = (error: unknown): string =>
  isError(error) ? [error.message, isError(error.cause) ? error.cause.message : ''].join(' ').trim() : String(error);

const waitForAbort = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
