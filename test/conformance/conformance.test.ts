/**
 * Tests a service against every rule of the HTTP API. By default, starts and tests `fin serve`. FIN_CONFORMANCE_URL
 * selects another service, and FIN_API_KEY has its key. FIN_CONFORMANCE_SPENDABLE_KEY (optional) has the key of an
 * account whose limits the suite may use up.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { matchPath, OPERATIONS } from '../../src/contract/operations.ts';
import { ConformanceClient, type ConformanceTarget } from './asker.ts';
import { companyChecks } from './companies.ts';
import { type Check, UntestableRuleError } from './expectations.ts';
import { filingHolderAndPriceChecks } from './families.ts';
import { type FinServe, makeHomeEnv, makeKey, startServe, writeLimits } from './fin-serve.ts';
import { generalChecks } from './general.ts';
import { keyAndLimitChecks } from './keys-and-limits.ts';
import { formatTestName, RULES } from './rules.ts';
import { screenerChecks } from './screener.ts';

const CHECKS: Readonly<Record<string, Check>> = {
  ...generalChecks,
  ...keyAndLimitChecks,
  ...companyChecks,
  ...screenerChecks,
  ...filingHolderAndPriceChecks,
};

let finServe: FinServe | undefined;
let client: ConformanceClient;

beforeAll(async () => {
  client = new ConformanceClient(readTarget() ?? (await startDefaultTarget()));
});
// Waits for the end of the service, because it writes to its home, which is removed afterwards.
afterAll(async () => {
  finServe?.process.kill();
  await finServe?.ended;
});

function readTarget(): ConformanceTarget | null {
  const {
    FIN_CONFORMANCE_URL: baseUrl,
    FIN_API_KEY: key,
    FIN_CONFORMANCE_SPENDABLE_KEY: spendableKey = null,
  } = process.env;
  if (baseUrl === undefined) return null;
  if (key === undefined) throw new Error('FIN_CONFORMANCE_URL is set without a key in FIN_API_KEY');
  return { baseUrl, key, spendableKey };
}

/**
 * Starts `fin serve` with two accounts: one with very high limits, for most requests, and one with the HTTP API's
 * limits, which the suite uses up.
 */
async function startDefaultTarget(): Promise<ConformanceTarget> {
  const env = makeHomeEnv();
  const limitsPath = writeLimits(env, { accounts: { suite: { minute: 100_000, month: 1_000_000 } } });
  const [key, spendableKey] = [await makeKey(env, 'suite'), await makeKey(env, 'spendable')];
  finServe = await startServe(env, '--limits', limitsPath);
  return { baseUrl: finServe.baseUrl, key, spendableKey };
}

test('every rule has a test, and every test has a rule', () => {
  expect(Object.keys(CHECKS).sort()).toEqual(RULES.map((rule) => rule.id).sort());
});

for (const rule of RULES) {
  // The timeout allows for waiting until the next minute, which is necessary with the default limits of the HTTP API.
  test(formatTestName(rule), { timeout: 180_000 }, async (context) => {
    try {
      await CHECKS[rule.id]?.(client);
    } catch (error) {
      if (!(error instanceof UntestableRuleError)) throw error;
      context.skip(`the rule cannot be tested with this service: ${error.message}`);
    }
  });
}

test('the tests request every operation', () => {
  const requestedOperationIds = new Set([...client.paths].map((path) => matchPath(path)?.operation.id));
  expect(OPERATIONS.map(({ id }) => id).filter((id) => !requestedOperationIds.has(id))).toEqual([]);
});
