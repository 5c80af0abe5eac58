/** Which proxy an address goes through, after the environment: `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`. */

type Env = Readonly<Record<string, string | undefined>>;

/** The proxy's address, or null. Clear text goes to loopback only, and never through a proxy. */
export function proxyFor(url: URL, env: Env): string | null {
  if (url.protocol !== 'https:') return null;
  const proxy = either(env, 'https_proxy') ?? either(env, 'all_proxy');
  if (proxy === undefined || exempt(url, either(env, 'no_proxy') ?? '')) return null;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
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
