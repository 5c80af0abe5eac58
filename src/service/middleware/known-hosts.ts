/** For a server without keys: restricts the accepted Host headers, and permits web pages to read responses. */
import { makeProblemResponse, type Service } from '../responses/service.ts';

interface HostOptions {
  /** The host that the server listens on. */
  readonly host: string;
  readonly baseUrl: string;
}

const LOOPBACK_PATTERN = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Refuses unknown Host headers on a server that only this machine can reach. Otherwise a web page could read from the
 * server by DNS rebinding: its host name resolves to 127.0.0.1, and the browser on this machine sends the requests.
 */
export function withKnownHosts(service: Service, { host, baseUrl }: HostOptions): Service {
  const publicHost = stripPort(new URL(baseUrl).host);
  if (!LOOPBACK_PATTERN.test(host.includes(':') ? `[${host}]` : host)) return service;
  return async (request) => {
    const { host: hostHeader } = request.headers;
    // Browsers always send Host; a health check by HTTP/1.0 need not.
    const host = hostHeader === undefined ? publicHost : stripPort(hostHeader);
    if (host === publicHost || LOOPBACK_PATTERN.test(host)) return service(request);
    return makeProblemResponse(UNKNOWN_HOST_PROBLEM, request);
  };
}

const UNKNOWN_HOST_PROBLEM = {
  code: 'bad_request',
  detail:
    'This server accepts connections only from this machine, so the Host header of a request must be ' +
    'localhost, 127.0.0.1 or [::1], or the host of --public-url.',
} as const;

/** Returns the host name or address without the port, in lower case. */
const stripPort = (text: string): string => text.replace(/:\d*$/, '').toLowerCase();

/**
 * Lets web pages on any site read responses, because everything that a server without keys sends is public. Permits
 * only requests that need no CORS preflight.
 */
export const withCrossOrigin =
  (service: Service): Service =>
  async (request) => {
    const response = await service(request);
    return { ...response, headers: { ...response.headers, ...CORS_HEADERS } };
  };

const CORS_HEADERS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'ETag, X-Request-Id' };
