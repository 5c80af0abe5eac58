/** Which proxy an address goes through, after the environment: `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`. */
import { Failure } from '../../contract/failure.ts';

type Env = Readonly<Record<string, string | undefined>>;

const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'socks:', 'socks5:']);

/**
 * The proxy's address, or null. Clear text goes to loopback only, and never through a proxy.
 *
 * Throws a usage Failure for an address that cannot be used. It may have a password, so it is not repeated.
 */
export function proxyFor(url: URL, env: Env): string | null {
  if (url.protocol !== 'https:') return null;
  const proxy = either(env, 'https_proxy') ?? either(env, 'all_proxy');
  if (proxy === undefined || exempt(url, either(env, 'no_proxy') ?? '')) return null;
  const address = proxy.includes('://') ? proxy : `http://${proxy}`;
  if (URL.canParse(address) && PROTOCOLS.has(new URL(address).protocol)) return address;
  throw new Failure('usage', 'The proxy that HTTPS_PROXY or ALL_PROXY names cannot be used.', {
    hint: 'Write it as http://host:port, https://host:port or socks5://host:port; NO_PROXY lists the hosts that need none.',
  });
}

/** A variable in lower or upper case; an empty one is not set. */
function either(env: Env, name: string): string | undefined {
  return [env[name], env[name.toUpperCase()]].find((text) => text !== undefined && text !== '');
}

function exempt(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = url.port === '' ? '443' : url.port;
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const match = /^(?:\[(?<six>[^\]]+)\]|(?<name>[^:]+|[^:]*:[^:]*:.*?))(?::(?<at>\d+))?$/.exec(entry.toLowerCase());
      const name = (match?.groups?.six ?? match?.groups?.name ?? '').replace(/^\*?\./, '');
      const at = match?.groups?.at;
      return name !== '' && (at === undefined || at === port) && (host === name || host.endsWith(`.${name}`));
    });
}
