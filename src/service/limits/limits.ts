/** The maximum numbers of requests per account, and the file that sets them. */
import { Failure } from '../../contract/failure.ts';
import type { LimitName } from '../../contract/problems.ts';
import { readInputText } from '../../platform/files/input-text.ts';
import { describeCause } from '../../platform/files/system-error.ts';
import { isObject, parseJson } from '../../platform/json-object.ts';

/**
 * Maximum requests per calendar minute, per calendar month, and in parallel. `seconds` divides the minute into shorter
 * windows, so that a load test does not need whole minutes.
 */
export type Limits = Readonly<Record<LimitName | 'seconds', number>>;

export type LimitsFinder = (account: string) => Limits;

export const STANDARD_LIMITS: Limits = { minute: 60, month: 20_000, concurrent: 4, seconds: 60 };

/**
 * Reads `{"default": {"minute": 60, …}, "accounts": {"<name>": {"month": 100000}}}`. A limit that is missing for an
 * account is taken from `default`, or else is the standard limit.
 * @throws {Failure} usage, with the fault of the file
 */
export function readLimitsFinder(path: string): LimitsFinder {
  const content = requireObject(path, 'the file', parseFile(path));
  refuseUnknownNames(path, 'the file', content, ['default', 'accounts']);
  const defaults = parseLimits(path, 'default', content.default ?? {}, STANDARD_LIMITS);
  const byAccount = new Map(
    Object.entries(requireObject(path, 'accounts', content.accounts ?? {})).map(([account, limits]) => [
      account,
      parseLimits(path, `accounts.${account}`, limits, defaults),
    ]),
  );
  return (account) => byAccount.get(account) ?? defaults;
}

function parseFile(path: string): unknown {
  try {
    return parseJson(readInputText(path));
  } catch (cause) {
    const isSyntax = cause instanceof SyntaxError;
    const fault = isSyntax ? 'the file is not JSON' : `the file cannot be read: ${describeCause(cause)}`;
    throw makeFailure(path, fault, cause);
  }
}

function parseLimits(path: string, place: string, value: unknown, base: Limits): Limits {
  const limits = requireObject(path, place, value);
  refuseUnknownNames(path, place, limits, Object.keys(base));
  for (const [name, quota] of Object.entries(limits)) {
    if (!Number.isSafeInteger(quota) || Number(quota) < 1)
      throw makeFailure(path, `${place}.${name} is ${JSON.stringify(quota)}, not a whole number greater than zero`);
  }
  const merged = { ...base, ...limits };
  if (60 % merged.seconds !== 0)
    throw makeFailure(path, `${place}.seconds is ${merged.seconds}, but must divide 60 without a remainder`);
  return merged;
}

function requireObject(path: string, place: string, value: unknown): Record<string, unknown> {
  if (isObject(value)) return { ...value };
  throw makeFailure(path, `${place} is not an object`);
}

function refuseUnknownNames(path: string, place: string, value: object, validNames: readonly string[]): void {
  const unknown = Object.keys(value).find((name) => !validNames.includes(name));
  if (unknown !== undefined)
    throw makeFailure(
      path,
      `${place} has the unknown field ${JSON.stringify(unknown)}; known fields: ${validNames.join(', ')}`,
    );
}

const makeFailure = (path: string, fault: string, cause?: unknown): Failure =>
  new Failure('usage', `The limits in ${path} cannot be used: ${fault}.`, { cause });
