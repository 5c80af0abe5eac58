/** The number of requests that accounts may make, and the file that changes it. */
import { readFileSync } from 'node:fs';
import { Failure } from '../../contract/failure.ts';
import type { LimitName } from '../../contract/problems.ts';
import type { Policy } from '../../contract/rate-limit.ts';
import { isObject } from '../../platform/json-object.ts';
import { reasonOf } from '../../platform/system-error.ts';

/**
 * Requests per calendar minute, per calendar month, and at a time. `seconds` divides the minute into shorter windows,
 * so that a load test does not need whole minutes.
 */
export type Limits = Readonly<Record<LimitName | 'seconds', number>>;

export type LimitsOf = (account: string) => Limits;

export const STANDARD_LIMITS: Limits = { minute: 60, month: 20_000, concurrent: 4, seconds: 60 };

export function policiesOf(limits: Limits): Policy[] {
  return [
    { name: 'minute', quota: limits.minute, window: limits.seconds },
    { name: 'month', quota: limits.month },
    { name: 'concurrent', quota: limits.concurrent, unit: 'concurrent-requests' },
  ];
}

/**
 * Reads `{"default": {"minute": 60, …}, "accounts": {"<name>": {"month": 100000}}}`. An account's missing limits are
 * those of `default`, and its missing ones are the standard.
 * @throws {Failure} usage, with the fault of the file
 */
export function readLimits(path: string): LimitsOf {
  const file = objectOf(path, 'the file', parse(path));
  refuseOthers(path, 'the file', file, ['default', 'accounts']);
  const standard = limitsOf(path, 'default', file.default ?? {}, STANDARD_LIMITS);
  const accounts = new Map(
    Object.entries(objectOf(path, 'accounts', file.accounts ?? {})).map(([account, limits]) => [
      account,
      limitsOf(path, `accounts.${account}`, limits, standard),
    ]),
  );
  return (account) => accounts.get(account) ?? standard;
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw wrong(path, cause instanceof SyntaxError ? 'it is not JSON' : `it cannot be read: ${reasonOf(cause)}`, cause);
  }
}

function limitsOf(path: string, where: string, given: unknown, base: Limits): Limits {
  const limits = objectOf(path, where, given);
  refuseOthers(path, where, limits, Object.keys(base));
  for (const [name, quota] of Object.entries(limits)) {
    if (!Number.isSafeInteger(quota) || Number(quota) < 1) {
      throw wrong(path, `${where}.${name} is not a whole number greater than zero`);
    }
  }
  const all = { ...base, ...limits };
  if (60 % all.seconds !== 0) throw wrong(path, `${where}.seconds does not divide a minute evenly`);
  return all;
}

function objectOf(path: string, where: string, value: unknown): Record<string, unknown> {
  if (isObject(value)) return { ...value };
  throw wrong(path, `${where} is not an object`);
}

function refuseOthers(path: string, where: string, value: object, known: readonly string[]): void {
  const other = Object.keys(value).find((name) => !known.includes(name));
  if (other !== undefined)
    throw wrong(path, `${where} has the unknown field ${JSON.stringify(other)}; known fields: ${known.join(', ')}`);
}

function wrong(path: string, what: string, cause?: unknown): Failure {
  return new Failure('usage', `The limits in ${path} cannot be used: ${what}.`, { cause });
}
