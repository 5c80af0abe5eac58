/** Starts the service on a socket with the tests' release, and sends requests to it. */
import { request as sendRequest } from 'node:http';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { type ListenOptions, listen } from '../../../src/service/http/listen.ts';
import { createKey } from '../../../src/service/keys/key-store.ts';
import { createEmbeddedCounters } from '../../../src/service/limits/embedded-counters.ts';
import { STANDARD_LIMITS } from '../../../src/service/limits/limits.ts';
import { makeTemporaryFolder } from '../../clean-up.ts';
import { RELEASE_ROWS } from '../filed.ts';
import { makeMemoryRelease } from '../memory-release.ts';

export interface RunningService {
  readonly baseUrl: string;
  readonly key: string;
  readonly keyDirectory: string;
  readonly log: string[];
  readonly errors: unknown[];
  stop(): Promise<void>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a body is asserted on, field by field
  readonly body: any;
}

export const makeDirectory = (): string => makeTemporaryFolder('service');

export async function startService(changes: Partial<ListenOptions> = {}): Promise<RunningService> {
  const keyDirectory = makeDirectory();
  const { key } = createKey(keyDirectory, { account: 'tests', expires: null }, Date.now());
  const logLines: string[] = [];
  const errors: unknown[] = [];
  const release = makeMemoryRelease(RELEASE_ROWS);
  const clock = changes.clock ?? Date.now;
  const service = await listen({
    host: '127.0.0.1',
    port: 0,
    tls: null,
    publicUrl: null,
    release: async () => release,
    authentication: {
      keyDirectory,
      counters: createEmbeddedCounters(makeDirectory(), clock),
      findLimits: () => STANDARD_LIMITS,
    },
    deadlineMs: 60_000,
    log: (line) => logLines.push(line),
    onError: (error) => errors.push(error),
    ...changes,
  });
  let stopPromise: Promise<void> | undefined;
  const stop = () => {
    stopPromise ??= service.stop();
    return stopPromise;
  };
  onTestFinished(stop);
  return { baseUrl: service.baseUrl, key, keyDirectory, log: logLines, errors, stop };
}

/**
 * Sends a request, by default a GET with the tests' key. The header `authorization` in `overrides` replaces the key;
 * null sends no key.
 */
export function get(
  service: RunningService,
  target: string,
  overrides: { method?: string; headers?: Record<string, string | null>; body?: string } = {},
): Promise<Reply> {
  const headers = { authorization: `Bearer ${service.key}`, ...overrides.headers };
  const sentHeaders = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  const { hostname, port } = new URL(service.baseUrl);
  const requestOptions = { hostname, port, path: target, method: overrides.method ?? 'GET', agent: false as const };
  return new Promise((resolve, reject) => {
    const request = sendRequest({ ...requestOptions, headers: Object.fromEntries(sentHeaders) }, (response) => {
      let responseText = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        responseText += chunk;
      });
      response.on('end', () => {
        const isJson = response.headers['content-type']?.includes('json') === true && responseText !== '';
        const plainHeaders = response.headers as Record<string, string | undefined>;
        resolve({
          status: response.statusCode ?? 0,
          headers: plainHeaders,
          text: responseText,
          body: isJson ? JSON.parse(responseText) : undefined,
        });
      });
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(overrides.body);
  });
}

/** Writes bytes to a socket; resolves to everything received until the server closes the connection. */
export function sendRaw(service: RunningService, ...requestParts: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(service.baseUrl);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, async () => {
      for (const part of requestParts) socket.write(part);
    });
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', (error) => (text === '' ? reject(error) : resolve(text)));
  });
}
