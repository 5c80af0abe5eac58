/** A service on a real socket that sends the answers of a test and records the requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenUntilDone } from './listen.ts';

export interface ReceivedRequest {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly at: number;
}

export interface TestService {
  readonly baseUrl: string;
  /** Received requests, in the order of arrival. */
  readonly requests: ReceivedRequest[];
}

export type Handler = (request: IncomingMessage, response: ServerResponse, requestCount: number) => void;

/** Starts a service, which listens until the tests of the file are done. */
export async function serve(handler: Handler): Promise<TestService> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', headers: request.headers, at: Date.now() });
    handler(request, response, requests.length);
  });
  return { baseUrl: `http://127.0.0.1:${await listenUntilDone(server)}`, requests };
}

export const RELEASE = {
  date: '2026-05-29',
  checks: 'passed',
  published_at: '2026-05-29T10:00:00Z',
  stamp: '2026-05-29-abc',
};

export function makeEnvelope(data: unknown, meta: Record<string, unknown> = {}): string {
  return JSON.stringify({
    data,
    meta: { schema: 'svc.data.v1', route: '/v1/test', release: RELEASE, request_id: 'r-1', ...meta },
  });
}

export function sendAnswer(response: ServerResponse, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', etag: 'W/"one"', ...headers });
  response.end(body);
}

export function refuse(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
  overrides: Record<string, unknown> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/problem+json', ...headers });
  response.end(makeProblemDocument(status, code, overrides));
}

export function makeProblemDocument(status: number, code: string, overrides: object = {}): string {
  const [title, detail] = [code, `It is ${code}.`];
  return JSON.stringify({ type: 'about:blank', title, status, detail, code, request_id: 'r-2', ...overrides });
}

export const KEY = `svc_${'k'.repeat(38)}`;
