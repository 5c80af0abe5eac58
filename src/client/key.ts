/** API keys: their shape, where one is read from, and what may be said of it. */

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Failure } from '../contract/failure.ts';
import { systemFailure } from '../platform/system-error.ts';

/** Where a key comes from. The text itself is in it only where it needs no reading. */
export type KeySource =
  | { readonly from: 'file'; readonly path: string }
  | { readonly from: 'environment'; readonly text: string }
  | { readonly from: 'command'; readonly command: string }
  | { readonly from: 'profile'; readonly profile: string; readonly text: string };

/** The prefix is written neutrally in the interface and the checksum's algorithm is not stated: choices.md, "Keys". */
const SHAPE = /^[a-z]+_[A-Za-z0-9]{38}$/;

export function isKey(text: string): boolean {
  return SHAPE.test(text);
}

/** What of a key may be shown: its prefix and last four characters. */
export function maskKey(key: string): string {
  const prefix = /^[a-z]+_/.exec(key)?.[0] ?? '';
  return isKey(key) ? `${prefix}…${key.slice(-4)}` : '(not a key)';
}

/** Where the key was found, in words. */
export function describeKeySource(source: KeySource): string {
  switch (source.from) {
    case 'file':
      return `the file ${source.path}`;
    case 'environment':
      return 'FIN_API_KEY';
    case 'command':
      return 'FIN_API_KEY_COMMAND';
    case 'profile':
      return `the profile ${source.profile}`;
  }
}

/** The key itself, read and checked for its shape; a text of another shape is never sent anywhere. */
export async function readKey(source: KeySource): Promise<string> {
  const text = (await readText(source)).trim();
  if (isKey(text)) return text;
  throw new Failure('key', `What ${describeKeySource(source)} holds is not an API key.`, {
    hint: 'A key is a lower-case prefix, an underscore, and 38 letters and digits. Nothing was sent.',
  });
}

async function readText(source: KeySource): Promise<string> {
  switch (source.from) {
    case 'environment':
    case 'profile':
      return source.text;
    case 'file':
      return readKeyFile(source.path);
    case 'command': {
      const { runKeyCommand } = await import('./key-command.ts');
      return runKeyCommand(source.command);
    }
  }
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const advice = 'Give --api-key-file a file that contains nothing but the key.';
    throw systemFailure('key', `The key file ${path} cannot be read`, cause, advice);
  }
}

/**
 * The name under which an account's answers are held and its budget is kept: one-way, so that no key
 * can be read from a file name. Keys of one account share it where the profile names the account.
 */
export function fingerprint(origin: string, key: string | null, account: string | null): string {
  return hash('sha256', account === null ? `key\n${origin}\n${key ?? ''}` : `account\n${origin}\n${account}`).slice(
    0,
    32,
  );
}
