/** Sends requests over the network to one origin, with limits on time and size. Loaded with the first request. */
import { openHttp, readBody } from '../../http/get.ts';
import { explainNetworkError } from '../../http/network-errors.ts';
import { decodeText } from '../../platform/files/input-text.ts';
import type { ClientContext, ClientOptions } from '../request/client-options.ts';
import type { Transport } from '../request/response.ts';

/**
 * Maximum size of a response in bytes. Valid responses are far smaller; an endless response must not fill the memory.
 */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

type NetworkOptions = Pick<ClientContext, 'baseUrl' | 'env'> & Pick<ClientOptions, 'timeout'>;

/** Returns a transport that follows redirects only within the origin, because the key must not be sent elsewhere. */
export function openNetwork({ baseUrl, timeout, env }: NetworkOptions): Transport {
  const parsed = new URL(baseUrl);
  const http = openHttp(env, [parsed]);
  const prefix = parsed.origin + parsed.pathname.replace(/\/+$/, '');
  return {
    async send({ target, headers, signal = null }) {
      const requestHeaders = { 'accept-encoding': 'gzip, br', ...headers };
      const response = await http.get({ url: prefix + target, headers: requestHeaders, signal, timeout });
      const makeError = () => {
        const fault = new RangeError(`the body is longer than ${MAX_BODY_BYTES} bytes`);
        return explainNetworkError(fault, parsed.origin, null);
      };
      const body = await readBody(response.body, MAX_BODY_BYTES, makeError);
      return { status: response.status, headers: response.headers, body: decodeText(body) };
    },
    close: () => http.close(),
  };
}
