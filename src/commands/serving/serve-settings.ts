/** What `fin serve` is told, by its options and the environment: refused here, before anything is opened. */
import { readFileSync } from 'node:fs';
import { Failure } from '../../contract/failure.ts';
import type { Tls } from '../../service/http/http-server.ts';
import { type LimitsOf, readLimits, STANDARD_LIMITS } from '../../service/limits/limits.ts';
import { optionText } from '../option-text.ts';
import type { UtilityCall } from '../utility.ts';

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

export interface ServeSettings {
  readonly host: string;
  readonly port: number;
  readonly tls: Tls | null;
  readonly publicUrl: string | null;
  /** The release wished for. */
  readonly release: string | null;
  /** Null: everyone may ask. */
  readonly gate: { readonly limitsOf: LimitsOf; readonly redis: URL | null } | null;
  readonly log: boolean;
  /** Keys would travel in clear text, beyond this machine. */
  readonly keysInClear: boolean;
}

/** @throws {Failure} usage, naming the option or variable and what is wrong with it */
export function serveSettings(call: UtilityCall): ServeSettings {
  const host = optionText(call, 'host') ?? '127.0.0.1';
  const tls = tlsOf(call);
  const open = call.options['no-auth'] === true;
  if (open && !LOOPBACK.has(host)) {
    throw new Failure('usage', `--no-auth is for loopback only, and ${JSON.stringify(host)} is not.`, {
      hint: 'Leave --host out, or make keys with "fin keys create".',
    });
  }
  return {
    host,
    port: portOf(optionText(call, 'port')),
    tls,
    publicUrl: publicUrlOf(optionText(call, 'public-url')),
    release: optionText(call, 'release'),
    gate: open ? null : { limitsOf: limitsOf(optionText(call, 'limits')), redis: redisUrl(call.io.env.FIN_REDIS_URL) },
    log: call.options.log === true,
    keysInClear: !LOOPBACK.has(host) && tls === null,
  };
}

const limitsOf = (file: string | null): LimitsOf => (file === null ? () => STANDARD_LIMITS : readLimits(file));

/** The address may hold a password, so it is taken from the environment and never shown. */
function redisUrl(given: string | undefined): URL | null {
  if (given === undefined || given === '') return null;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url !== null && /^rediss?:$/.test(url.protocol) && url.hostname !== '' && /^(\/\d*)?$/.test(url.pathname))
    return url;
  throw new Failure('usage', 'FIN_REDIS_URL is not of the form redis://[user:password@]host[:port][/database].');
}

function tlsOf(call: UtilityCall): Tls | null {
  const [cert, key] = [optionText(call, 'tls-cert'), optionText(call, 'tls-key')];
  if (cert === null && key === null) return null;
  if (cert === null || key === null) {
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

function portOf(given: string | null): number {
  if (given === null) return 0;
  if (/^\d{1,5}$/.test(given) && Number(given) < 65_536) return Number(given);
  throw new Failure('usage', `--port ${JSON.stringify(given)} is not a port: a whole number from 0 to 65535.`);
}

function publicUrlOf(given: string | null): string | null {
  if (given === null) return null;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') {
    return url.href.replace(/\/+$/, '');
  }
  throw new Failure('usage', `--public-url ${JSON.stringify(given)} is not an http or https address.`);
}
