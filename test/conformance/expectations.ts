/** Expectations that several rules share. */
import Compile from 'typebox/compile';
import { expect } from 'vitest';
import { Meta, Problem } from '../../src/contract/resources/envelope.ts';
import { RESOURCES } from '../../src/contract/resources/index.ts';
import { type Asker, isNotHere, type Reply, type RequestOptions } from './asker.ts';

/** Thrown if a rule cannot be tested with this service; the test is then skipped, with the message as reason. */
export class NotHere extends Error {}

export type Check = (ask: Asker) => Promise<void>;

const schemas = new Map<string, ReturnType<typeof Compile>>();

function schemaOf(name: string) {
  const schema = RESOURCES[name];
  if (schema === undefined) throw new Error(`no resource ${name}`);
  const compiledSchema = schemas.get(name) ?? Compile(schema);
  schemas.set(name, compiledSchema);
  return compiledSchema;
}

export function expectResource(name: string, value: unknown): void {
  expect([...schemaOf(name).Errors(value)], JSON.stringify(value)?.slice(0, 400)).toEqual([]);
}

const meta = Compile(Meta);
const problem = Compile(Problem);

/** Expects a 200 with a valid envelope. Throws NotHere if the service lacks the data. */
export async function ok(ask: Asker, path: string, given: RequestOptions = {}): Promise<Reply> {
  const reply = await ask.get(path, given);
  if (isNotHere(reply)) throw new NotHere(reply.body.detail);
  expect(reply.status, reply.text.slice(0, 400)).toBe(200);
  expect(Object.keys(reply.body).sort()).toEqual(['data', 'meta']);
  expect([...meta.Errors(reply.body.meta)]).toEqual([]);
  return reply;
}

/** Expects a problem with this status and code and with this text in its detail. */
export async function refused(
  ask: Asker,
  path: string,
  status: number,
  code: string,
  named = '',
  given: RequestOptions = {},
): Promise<Reply> {
  const reply = await ask.get(path, given);
  expect([path.slice(0, 200), reply.status, reply.body?.code]).toEqual([path.slice(0, 200), status, code]);
  expectProblem(reply);
  expect(reply.body.detail).toContain(named);
  return reply;
}

export function expectProblem(reply: Reply): void {
  expect(reply.headers['content-type']).toMatch(/^application\/problem\+json\b/);
  expect([...problem.Errors(reply.body)]).toEqual([]);
  expect(reply.body.status).toBe(reply.status);
  expect(reply.body.request_id).toBe(reply.headers['x-request-id']);
}

/** Ticker of a covered company with metrics, found once per service. */
const tickerByService = new WeakMap<Asker, Promise<string>>();

export function aTicker(ask: Asker): Promise<string> {
  const tickerRequest = tickerByService.get(ask) ?? look(ask);
  tickerByService.set(ask, tickerRequest);
  return tickerRequest;
}

async function look(ask: Asker): Promise<string> {
  const { body } = await ok(ask, '/v1/screen?where=revenue:gt:0&sort=revenue&dir=desc&limit=1&columns=revenue');
  expect(body.data.length, 'the service covers a company with a revenue').toBe(1);
  return encodeURIComponent(body.data[0].ticker);
}

export const remaining = (reply: Reply, name: string): number =>
  Number(new RegExp(`"${name}";r=(\\d+)`).exec(reply.headers.ratelimit ?? '')?.[1] ?? Number.NaN);

export const reset = (reply: Reply, name: string): number =>
  Number(new RegExp(`"${name}";r=\\d+;t=(\\d+)`).exec(reply.headers.ratelimit ?? '')?.[1] ?? Number.NaN);
