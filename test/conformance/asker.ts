/** Sends requests to a service over HTTP. If a limit is reached, waits until the service allows another request. */
import { request as askClear } from 'node:http';
import { request as askSecure } from 'node:https';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The API key to send; null to send no key. By default, the suite's own key is sent. */
  readonly key?: string | null;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a body is asserted on, field by field
  readonly body: any;
}

/** Whether the service answers that it has no release yet, or that its release lacks the requested data. */
export const lacksData = ({ status, body }: Reply): boolean =>
  (status === 503 && body?.code === 'unavailable') ||
  (status === 404 && /not included in release/.test(body?.detail ?? ''));

export interface ConformanceTarget {
  readonly baseUrl: string;
  readonly key: string;
  /**
   * Key of an account with the limits of the HTTP API. The suite may use these limits up. If null, the rules that need
   * this are skipped.
   */
  readonly spendableKey: string | null;
}

/** Maximum wait for a limit, in seconds: slightly more than one minute. */
const MAX_WAIT_S = 65;

export class ConformanceClient {
  /**
   * Requested paths, without queries, that the service answered with status 200 or with the message that the release
   * lacks the data.
   */
  readonly paths = new Set<string>();

  constructor(readonly target: ConformanceTarget) {}

  /**
   * Sends a request. If the minute limit or the concurrent limit of the suite's account is used up, waits and repeats
   * the request.
   */
  async get(path: string, requestOptions: RequestOptions = {}): Promise<Reply> {
    const reply = await this.sendOnce(path, requestOptions);
    const waitSeconds = Number(reply.headers['retry-after']);
    if (reply.status !== 429 || requestOptions.key !== undefined || !(waitSeconds <= MAX_WAIT_S)) return reply;
    await new Promise((resolve) => setTimeout(resolve, waitSeconds * 1000 + 50));
    return this.get(path, requestOptions);
  }

  sendOnce(
    path: string,
    { method = 'GET', headers = {}, body, key = this.target.key }: RequestOptions,
  ): Promise<Reply> {
    const parsedBaseUrl = new URL(this.target.baseUrl);
    const sendRequest = parsedBaseUrl.protocol === 'https:' ? askSecure : askClear;
    const options = {
      host: parsedBaseUrl.hostname,
      port: parsedBaseUrl.port,
      method,
      path: `${parsedBaseUrl.pathname.replace(/\/$/, '')}${path}`,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        // Node sends the body of a GET only if its length is set.
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
        ...headers,
      },
    };
    return new Promise((resolve, reject) => {
      const sentRequest = sendRequest(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const plainHeaders = response.headers as Record<string, string | undefined>;
          const text = decodeBody(Buffer.concat(chunks), plainHeaders['content-encoding']);
          const status = response.statusCode ?? 0;
          const reply = { status, headers: plainHeaders, text, body: parseJsonOrUndefined(text) };
          if (reply.status === 200 || lacksData(reply)) this.paths.add(path.replace(/\?.*/, ''));
          resolve(reply);
        });
      });
      sentRequest.on('error', reject);
      sentRequest.end(body);
    });
  }
}

function decodeBody(body: Buffer, encoding: string | undefined): string {
  if (encoding === 'gzip') return gunzipSync(body).toString();
  return (encoding === 'br' ? brotliDecompressSync(body) : body).toString();
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
