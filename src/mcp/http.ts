/** Serves the Model Context Protocol over HTTP without sessions: each request gets a separate server. */
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { createGate } from '../platform/workers/gate.ts';
import { type ErrorAnswer, makeErrorAnswer, readMessage } from './messages.ts';
import { type AssistantSettings, createAssistantServer } from './server.ts';

const MAX_CONCURRENT_CALLS = 16;
const MAX_WAITING_CALLS = 256;

/** Maximum size of a request in bytes; arguments of tools are short. */
export const MAX_REQUEST_BYTES = 65_536;

interface AssistantRequest {
  readonly method: string;
  /** Address of the endpoint as clients see it. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Reads the body; returns its text, or the reason why it was not read. */
  readonly body: () => Promise<{ readonly text: string } | { readonly fault: 'too-long' | 'incomplete' }>;
  readonly signal: AbortSignal;
}

export function createHttpEndpoint(settings: Omit<AssistantSettings, 'gate'>) {
  const gate = createGate(MAX_CONCURRENT_CALLS, MAX_WAITING_CALLS);
  const limits = { maxSubscriptions: 0, keepAliveMs: 0, maxRequestBodySize: MAX_REQUEST_BYTES };
  const handler = createMcpHandler(() => createAssistantServer({ ...settings, gate }), limits);
  return {
    async respond({ method, url, headers, body, signal }: AssistantRequest): Promise<AssistantResponse> {
      const request = new Request(url, { method, headers: listHeaders(headers), signal });
      const refusal = checkHostAndOrigin(request);
      if (refusal !== undefined) return toAssistantResponse(refusal);
      if (method !== 'POST') return toAssistantResponse(await handler.fetch(request));
      const result = await body();
      if ('fault' in result) return RESPONSE_BY_FAULT[result.fault];
      const { text } = result;
      // Each HTTP request must contain a single protocol message, so that limits are counted correctly.
      const reading = readMessage(text);
      if ('answers' in reading) return makeErrorResponse(400, reading.answers[0]);
      const sent = new Request(request, { body: JSON.stringify(reading.message) });
      return withoutEvents(await toAssistantResponse(await handler.fetch(sent)), headers.accept);
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

/** The media types of the protocol. The SDK refuses requests that do not name both in `Accept`. */
const BOTH_TYPES = 'application/json, text/event-stream';

const ACCEPTED_PATTERN = /(^|,)\s*(\*\/\*|application\/(\*|json)|text\/event-stream)/i;

/** Returns the headers. If a client accepts one media type of the protocol, or every type, `accept` names both. */
function listHeaders({ accept = '*/*', ...headers }: AssistantRequest['headers']): [string, string][] {
  const types = ACCEPTED_PATTERN.test(accept) ? BOTH_TYPES : accept;
  const all = Object.entries({ ...headers, accept: types });
  return all.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]));
}

/** Returns the answer of an event stream as JSON if the client does not accept event streams by name. */
function withoutEvents(response: AssistantResponse, accept = '*/*'): AssistantResponse {
  if (/text\/event-stream/i.test(accept) || !response.headers['content-type']?.startsWith('text/event-stream'))
    return response;
  // The answer is the last event; notifications of progress come before it.
  const answer = [...response.body.matchAll(/^data: (\{.*)$/gm)].at(-1)?.[1];
  if (answer === undefined) return response;
  return { ...response, headers: { ...response.headers, 'content-type': 'application/json' }, body: answer };
}

type AssistantResponse = Awaited<ReturnType<typeof toAssistantResponse>>;

async function toAssistantResponse(response: Response) {
  // Removes the header `connection`, which would keep the connection open even if the client asked to close it; the
  // client would then hang.
  response.headers.delete('connection');
  const headers: Readonly<Record<string, string>> = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: await response.text() };
}

const makeErrorResponse = (status: number, answer: ErrorAnswer | undefined): AssistantResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(answer),
});

const makeRpcErrorResponse = (status: number, message: string): AssistantResponse =>
  makeErrorResponse(status, makeErrorAnswer(null, -32600, message));

const RESPONSE_BY_FAULT = {
  'too-long': makeRpcErrorResponse(413, `The request has more than ${MAX_REQUEST_BYTES} bytes.`),
  incomplete: makeRpcErrorResponse(408, 'The request did not arrive completely in time.'),
};
