/** Sends requests to any service over HTTP, and waits for its limits like a client. */
import { request as askClear } from 'node:http';
import { request as askSecure } from 'node:https';

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

/** Whether the service lacks the data: it has no release yet, or its release lacks the table. */
export const isNotHere = ({ status, body }: Reply): boolean =>
  (status === 503 && body?.code === 'unavailable') ||
  (status === 404 && /not included in release/.test(body?.detail ?? ''));

export interface Target {
  readonly baseUrl: string;
  readonly key: string;
  /**
   * Key of an account with the interface's limits that the suite may use up; without such a key, the rules of limits
   * are skipped.
   */
  readonly spendableKey: string | null;
}

/** Maximum wait for a limit, in seconds: slightly more than one minute. */
const PATIENCE_S = 65;

export class Asker {
  /**
   * Paths, without their queries, of requests that were answered or whose data the service's release lacks. Paths of
   * refused requests are not included.
   */
  readonly paths = new Set<string>();

  constructor(readonly target: Target) {}

  /**
   * Sends a request. If the minute or the concurrency slots of the suite's account are used up, waits and repeats the
   * request.
   */
  async get(path: string, given: RequestOptions = {}): Promise<Reply> {
    const reply = await this.once(path, given);
    const wait = Number(reply.headers['retry-after']);
    if (reply.status !== 429 || given.key !== undefined || !(wait <= PATIENCE_S)) return reply;
    await new Promise((resolve) => setTimeout(resolve, wait * 1000 + 50));
    return this.get(path, given);
  }

  once(path: string, { method = 'GET', headers = {}, body, key = this.target.key }: RequestOptions): Promise<Reply> {
    const base = new URL(this.target.baseUrl);
    const request = base.protocol === 'https:' ? askSecure : askClear;
    const options = {
      host: base.hostname,
      port: base.port,
      method,
      path: `${base.pathname.replace(/\/$/, '')}${path}`,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        // Node sends the body of a GET only if its length is set.
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
        ...headers,
      },
    };
    return new Promise((resolve, reject) => {
      const sent = request(options, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
        });
        response.on('error', reject);
        response.on('end', () => {
          const plainHeaders = response.headers as Record<string, string | undefined>;
          const reply = { status: response.statusCode ?? 0, headers: plainHeaders, text, body: parse(text) };
          if (reply.status === 200 || isNotHere(reply)) this.paths.add(path.replace(/\?.*/, ''));
          resolve(reply);
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
