/** Starts the service on a socket with the tests' release, and sends requests to it. */
import { request as ask } from 'node:http';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { type ListenOptions, listen } from '../../../src/service/http/listen.ts';
import { createKey } from '../../../src/service/keys/key-store.ts';
import { createEmbeddedCounters } from '../../../src/service/limits/embedded-counters.ts';
import { STANDARD_LIMITS } from '../../../src/service/limits/limits.ts';
import { temporaryFolder } from '../../clean-up.ts';
import { FILED } from '../filed.ts';
import { memoryRelease } from '../memory-release.ts';

export interface Running {
  readonly baseUrl: string;
  readonly key: string;
  readonly keyDirectory: string;
  readonly log: string[];
  readonly troubles: unknown[];
  stop(): Promise<void>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a body is asserted on, field by field
  readonly body: any;
}

export const scratch = (): string => temporaryFolder('service');

export async function start(changes: Partial<ListenOptions> = {}): Promise<Running> {
  const keyDirectory = scratch();
  const { key } = createKey(keyDirectory, { account: 'tests', expires: null }, Date.now());
  const log: string[] = [];
  const troubles: unknown[] = [];
  const release = memoryRelease(FILED);
  const clock = changes.clock ?? Date.now;
  const service = await listen({
    host: '127.0.0.1',
    port: 0,
    tls: null,
    publicUrl: null,
    release: async () => release,
    authentication: {
      keyDirectory,
      counters: createEmbeddedCounters(scratch(), clock),
      limitsOf: () => STANDARD_LIMITS,
    },
    deadlineMs: 60_000,
    log: (line) => log.push(line),
    onError: (error) => troubles.push(error),
    ...changes,
  });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= service.stop();
    return stopped;
  };
  onTestFinished(stop);
  return { baseUrl: service.baseUrl, key, keyDirectory, log, troubles, stop };
}

/** Sends a GET with the tests' key, unless another `authorization` is given; null sends no key. */
export function get(
  running: Running,
  target: string,
  given: { method?: string; headers?: Record<string, string | null>; body?: string } = {},
): Promise<Reply> {
  const headers = { authorization: `Bearer ${running.key}`, ...given.headers };
  const sent = Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  const { hostname, port } = new URL(running.baseUrl);
  const options = { hostname, port, path: target, method: given.method ?? 'GET', agent: false as const };
  return new Promise((resolve, reject) => {
    const request = ask({ ...options, headers: Object.fromEntries(sent) }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => {
        const json = response.headers['content-type']?.includes('json') === true && text !== '';
        const plainHeaders = response.headers as Record<string, string | undefined>;
        resolve({
          status: response.statusCode ?? 0,
          headers: plainHeaders,
          text,
          body: json ? JSON.parse(text) : undefined,
        });
      });
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(given.body);
  });
}

/** Writes bytes to a socket; resolves to everything received until the server closes the connection. */
export function raw(running: Running, ...parts: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(running.baseUrl);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, async () => {
      for (const part of parts) socket.write(part);
    });
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      text += part;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', (error) => (text === '' ? reject(error) : resolve(text)));
  });
}
