/** Connections to one origin by undici's parts, with bounds on time, authorities and proxies of the environment. */
import { setFlagsFromString } from 'node:v8';
import connect from 'undici/lib/api/api-connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import { readAuthorities } from './certificates.ts';
import { proxyFor } from './proxy.ts';

type Env = Readonly<Record<string, string | undefined>>;

const CONNECT_TIMEOUT = 10_000;
const QUIET_TIMEOUT = 30_000;

/**
 * Before version 22, node compiles the HTTP parser a second time, better, in the background, and waits
 * for that at its exit: 95 ms for a parser that reads a few answers.
 */
function sparCompiler(): void {
  if (Number.parseInt(process.versions.node, 10) < 22) setFlagsFromString('--liftoff-only');
}

/** Kept-alive connections to one origin, through the environment's proxy where there is one. */
export function openAgent(base: URL, env: Env) {
  sparCompiler();
  const ca = readAuthorities(env);
  const secure = { timeout: CONNECT_TIMEOUT, ...(ca === null ? {} : { ca }) };
  const bounds = { connect: secure, headersTimeout: QUIET_TIMEOUT, bodyTimeout: QUIET_TIMEOUT };
  const proxy = proxyFor(base, env);
  if (proxy === null) return new Agent(bounds);
  // undici's index gives its methods to every dispatcher; a proxy's tunnel needs this one.
  Object.assign(Dispatcher.prototype, { connect });
  return new EnvHttpProxyAgent({
    ...bounds,
    requestTls: secure,
    proxyTls: secure,
    httpProxy: '',
    httpsProxy: proxy,
    // Already decided: what comes here goes through the proxy.
    noProxy: '',
  });
}

/** Header names in lower case, repeated ones joined. */
export function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}
