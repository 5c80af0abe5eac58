/** Sends requests to a service in the test's own process. */
import { expect } from 'vitest';
import { chooseRequestId } from '../../src/service/request/request-id.ts';
import type { ServiceResponse } from '../../src/service/responses/service.ts';
import { createService, type ServiceOptions } from '../../src/service/responses/service.ts';
import { RELEASE_ROWS } from './filed.ts';
import { makeMemoryRelease } from './memory-release.ts';

export const BASE_URL = 'http://127.0.0.1:1';

export function makeService(options: Partial<ServiceOptions> = {}) {
  const release = makeMemoryRelease(RELEASE_ROWS);
  return createService({ release: async () => release, ...options });
}

const defaultService = makeService();

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly service?: ReturnType<typeof makeService>;
}

export async function ask(target: string, askOptions: AskOptions = {}): Promise<AskedResponse> {
  const { method = 'GET', headers = {}, service = defaultService } = askOptions;
  const id = chooseRequestId(headers['x-request-id']);
  const answer = await service({ method, target, headers, id, baseUrl: BASE_URL });
  return { ...answer, body: answer.body.join('') };
}

/** A response with its body as one text. */
export type AskedResponse = Omit<ServiceResponse, 'body'> & { readonly body: string };

// biome-ignore lint/suspicious/noExplicitAny: a body is asserted on, field by field
type Body = any;

export async function askBody(target: string, askOptions: AskOptions = {}): Promise<Body> {
  const answer = await ask(target, askOptions);
  expect(answer.status, answer.body).toBe(200);
  return JSON.parse(answer.body);
}

export async function expectRefusal(target: string, status: number, askOptions: AskOptions = {}): Promise<Body> {
  const answer = await ask(target, askOptions);
  expect(answer.status, answer.body).toBe(status);
  expect(answer.headers['content-type']).toBe('application/problem+json');
  const problem = JSON.parse(answer.body);
  expect(problem.status).toBe(status);
  expect(problem.request_id).toBe(answer.headers['x-request-id']);
  return problem;
}
