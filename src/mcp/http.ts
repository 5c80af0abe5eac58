/** Serves the Model Context Protocol over HTTP without sessions: each request gets a separate server. */
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { createGate } from '../platform/workers/gate.ts';
import { type AssistantSettings, createAssistantServer } from './server.ts';

const MAX_CONCURRENT_CALLS = 16;
const MAX_WAITING_CALLS = 256;

/** Maximum size of a request in bytes; arguments of tools are short. */
export const MAX_REQUEST_BYTES = 65_536;

export interface AssistantRequest {
  readonly method: string;
  /** Address of the endpoint as clients see it. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Reads the body; returns its text, or the reason why it was not read. */
  readonly body: () => Promise<{ readonly text: string } | { readonly fault: 'too-long' | 'incomplete' }>;
  readonly signal: AbortSignal;
}

export interface AssistantResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface HttpEndpoint {
  respond(request: AssistantRequest): Promise<AssistantResponse>;
  close(): Promise<void>;
}

export function createHttpEndpoint(settings: Omit<AssistantSettings, 'gate'>): HttpEndpoint {
  const gate = createGate(MAX_CONCURRENT_CALLS, MAX_WAITING_CALLS);
  const handler = createMcpHandler(() => createAssistantServer({ ...settings, gate }), {
    maxSubscriptions: 0,
    keepAliveMs: 0,
    maxRequestBodySize: MAX_REQUEST_BYTES,
  });
  return {
    async respond({ method, url, headers, body, signal }) {
      const request = new Request(url, { method, headers: listHeaders(headers), signal });
      const refusal = checkHostAndOrigin(request);
      if (refusal !== undefined) return toAssistantResponse(refusal);
      if (method !== 'POST') return toAssistantResponse(await handler.fetch(request));
      const result = await body();
      if ('fault' in result) return RESPONSE_BY_FAULT[result.fault];
      const { text } = result;
      // Each HTTP request must contain a single protocol message, so that limits are counted correctly.
      if (/^\s*\[/.test(text))
        return makeRpcErrorResponse(400, 'Batches are not supported: send one message per request.');
      return toAssistantResponse(await handler.fetch(new Request(request, { body: text })));
    },
    close: () => handler.close(),
  };
}

/**
 * Returns the refusal of a request with an unknown Origin, or undefined. On this machine, an unknown Host is also
 * refused: this prevents DNS rebinding, by which another site's page reaches a local service.
 */
function checkHostAndOrigin(request: Request): Response | undefined {
  const host = new URL(request.url).hostname;
  const loopbackHosts = localhostAllowedHostnames();
  const allowedHosts = loopbackHosts.includes(host) ? loopbackHosts : [host];
  const refusal = loopbackHosts.includes(host) ? hostHeaderValidationResponse(request, allowedHosts) : undefined;
  return refusal ?? originValidationResponse(request, allowedHosts);
}

const listHeaders = (headers: AssistantRequest['headers']): [string, string][] =>
  Object.entries(headers).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]));

async function toAssistantResponse(response: Response): Promise<AssistantResponse> {
  // Removes the header `connection`, which would keep the connection open even if the client asked to close it; the
  // client would then hang.
  response.headers.delete('connection');
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
}

const makeRpcErrorResponse = (status: number, message: string): AssistantResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message } }),
});

const RESPONSE_BY_FAULT = {
  'too-long': makeRpcErrorResponse(413, `The request has more than ${MAX_REQUEST_BYTES} bytes.`),
  incomplete: makeRpcErrorResponse(408, 'The request did not arrive completely in time.'),
};
