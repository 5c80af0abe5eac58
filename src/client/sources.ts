/** Where the address and the key were set, said with the failures that concern them: it is there that one mends it. */
import { Failure, isFailure } from '../contract/failure.ts';

/** In words: `FIN_BASE_URL`, `the profile work`. Never the key itself. */
export interface SettingSources {
  readonly address: string;
  readonly key: string | null;
}

/** The error as it is, or with a sentence more in its hint. */
export function withSettingSources(error: unknown, { address, key }: SettingSources): unknown {
  if (!isFailure(error)) return error;
  const { kind, message, hint, problem, retryAfter, cause } = error;
  const source = kind === 'network' ? `The address comes from ${address}.` : kind === 'key' ? ofKey(key) : null;
  if (source === null) return error;
  return new Failure(kind, message, {
    hint: hint === undefined ? source : `${hint} ${source}`,
    cause,
    ...(problem === undefined ? {} : { problem }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

const ofKey = (key: string | null): string | null => (key === null ? null : `The key comes from ${key}.`);
