/** Expectations that several rules share. */
import Compile from 'typebox/compile';
import { expect } from 'vitest';
import { RESOURCES } from '../../src/contract/resource-schemas.ts';
import { Meta, Problem } from '../../src/contract/resources/envelope.ts';
import { type ConformanceClient, lacksData, type Reply, type RequestOptions } from './asker.ts';

/** Thrown if a rule cannot be tested with this service; the test is then skipped, with the message as reason. */
export class UntestableRuleError extends Error {}

export type Check = (client: ConformanceClient) => Promise<void>;

const compiledSchemaByName = new Map<string, ReturnType<typeof Compile>>();

function compileSchema(name: string) {
  const schema = RESOURCES[name];
  if (schema === undefined) throw new Error(`the contract has no resource ${name}`);
  const compiledSchema = compiledSchemaByName.get(name) ?? Compile(schema);
  compiledSchemaByName.set(name, compiledSchema);
  return compiledSchema;
}

export function expectResource(name: string, value: unknown): void {
  expect([...compileSchema(name).Errors(value)], JSON.stringify(value)?.slice(0, 400)).toEqual([]);
}

const metaSchema = Compile(Meta);
const problemSchema = Compile(Problem);

/** Expects a 200 with a valid envelope. Throws UntestableRuleError if the service lacks the data. */
export async function expectOk(
  client: ConformanceClient,
  path: string,
  requestOptions: RequestOptions = {},
): Promise<Reply> {
  const reply = await client.get(path, requestOptions);
  if (lacksData(reply)) throw new UntestableRuleError(reply.body.detail);
  expect(reply.status, reply.text.slice(0, 400)).toBe(200);
  expect(Object.keys(reply.body).sort()).toEqual(['data', 'meta']);
  expect([...metaSchema.Errors(reply.body.meta)]).toEqual([]);
  return reply;
}

/** Expects a problem with the given status and code, and with `detailText` in its detail. */
export async function expectRefused(
  client: ConformanceClient,
  path: string,
  status: number,
  code: string,
  detailText = '',
  requestOptions: RequestOptions = {},
): Promise<Reply> {
  const reply = await client.get(path, requestOptions);
  expect([path.slice(0, 200), reply.status, reply.body?.code]).toEqual([path.slice(0, 200), status, code]);
  expectProblem(reply);
  expect(reply.body.detail).toContain(detailText);
  return reply;
}

export function expectProblem(reply: Reply): void {
  expect(reply.headers['content-type']).toMatch(/^application\/problem\+json\b/);
  expect([...problemSchema.Errors(reply.body)]).toEqual([]);
  expect(reply.body.status).toBe(reply.status);
  expect(reply.body.request_id).toBe(reply.headers['x-request-id']);
}

/**
 * By service: the ticker of the covered company with the largest revenue, as a promise, so that it is requested only
 * once.
 */
const tickerPromiseByClient = new WeakMap<ConformanceClient, Promise<string>>();

export function findTicker(client: ConformanceClient): Promise<string> {
  const tickerPromise = tickerPromiseByClient.get(client) ?? requestTicker(client);
  tickerPromiseByClient.set(client, tickerPromise);
  return tickerPromise;
}

async function requestTicker(client: ConformanceClient): Promise<string> {
  const { body } = await expectOk(
    client,
    '/v1/screen?where=revenue:gt:0&sort=revenue&dir=desc&limit=1&columns=revenue',
  );
  expect(body.data.length, 'number of covered companies with revenue').toBe(1);
  return encodeURIComponent(body.data[0].ticker);
}

export const parseRemainingCount = (reply: Reply, name: string): number =>
  Number(new RegExp(`"${name}";r=(\\d+)`).exec(reply.headers.ratelimit ?? '')?.[1] ?? Number.NaN);

export const parseSecondsUntilReset = (reply: Reply, name: string): number =>
  Number(new RegExp(`"${name}";r=\\d+;t=(\\d+)`).exec(reply.headers.ratelimit ?? '')?.[1] ?? Number.NaN);
