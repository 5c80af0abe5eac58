/** API keys: their format, their sources, and the part that may be shown. */

import { readFileSync, statSync } from 'node:fs';
import { Failure } from '../contract/failure.ts';
import { capitalize } from '../contract/text/capitalize.ts';
import { quoteShellWord } from '../contract/text/quote.ts';
import { sha256 } from '../platform/hash.ts';
import { makeSystemFailure } from '../platform/system-error.ts';

/** The source of a key: the file or command from which the key must be read, or the key itself. */
export type KeySource =
  | { readonly from: 'file'; readonly path: string }
  | { readonly from: 'environment'; readonly text: string }
  | { readonly from: 'command'; readonly command: string }
  | { readonly from: 'option'; readonly text: string }
  | { readonly from: 'profile'; readonly profile: string; readonly text: string };

/**
 * Matches a prefix, an underscore, and 38 letters and digits; or 45 letters, digits and underscores. The HTTP API
 * defines neither the prefix nor a public checksum algorithm, so the client checks neither.
 */
const KEY_PATTERN = /^(?:\w+_[A-Za-z0-9]{38}|\w{45})$/;

/** Description of the format for error messages. */
export const KEY_FORMAT_TEXT = 'A key is a prefix, an underscore, and 38 letters and digits.';

export function isKey(text: string): boolean {
  return KEY_PATTERN.test(text);
}

/** Masks a key: only its prefix and last four characters remain. */
export function maskKey(key: string): string {
  const prefix = /^\w+_(?=[A-Za-z0-9]{38}$)/.exec(key)?.[0] ?? '';
  return isKey(key) ? `${prefix}…${key.slice(-4)}` : '(not a key)';
}

/** Describes the source of a key for messages. */
export function describeKeySource(source: KeySource): string {
  switch (source.from) {
    case 'file':
      return `the file ${source.path}`;
    case 'environment':
      return 'FIN_API_KEY';
    case 'command':
      return 'FIN_API_KEY_COMMAND';
    case 'option':
      return 'the option apiKey';
    case 'profile':
      return `the profile ${source.profile}`;
  }
}

/** Reads a key and checks its format; text in another format is never sent. */
export async function readKey(source: KeySource): Promise<string> {
  const text = (await readKeyText(source)).trim();
  if (isKey(text)) return text;
  const subject =
    source.from === 'command'
      ? 'The output of the command in FIN_API_KEY_COMMAND'
      : capitalize(describeKeySource(source));
  throw new Failure('key', `${subject} does not contain an API key.`, {
    hint: `${KEY_FORMAT_TEXT} Nothing was sent.`,
  });
}

async function readKeyText(source: KeySource): Promise<string> {
  switch (source.from) {
    case 'environment':
    case 'option':
    case 'profile':
      return source.text;
    case 'file':
      return readKeyFile(source.path);
    case 'command':
      return runKeyCommand(source.command);
  }
}

function readKeyFile(path: string): string {
  if (isKey(path)) {
    throw new Failure('usage', '--api-key-file takes the path of a file, not the key itself.', {
      hint: 'Other users of this machine can see arguments: if there are other users, revoke the key.',
    });
  }
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const advice = 'Give --api-key-file a file that contains nothing but the key.';
    throw makeSystemFailure('key', `The key file ${path} cannot be read`, cause, advice);
  }
}

const OTHERS_READ_MODE = 0o044;

/** Returns a warning if other users of this machine can read the key file; else null. */
export function findKeyFileWarning(source: KeySource): string | null {
  if (source.from !== 'file' || process.platform === 'win32') return null;
  const keyFileStat = statSync(source.path, { throwIfNoEntry: false });
  if (keyFileStat?.isFile() !== true || (keyFileStat.mode & OTHERS_READ_MODE) === 0) return null;
  const modeText = (keyFileStat.mode & 0o777).toString(8);
  return `Other users can read the key file ${source.path} (mode ${modeText}). To prevent that: chmod 600 ${quoteShellWord(source.path)}`;
}

const COMMAND_TIMEOUT_MS = 60_000;

/**
 * Returns the output of a password manager's command, which is never shown. The command's own prompts go to the
 * terminal.
 */
async function runKeyCommand(command: string): Promise<string> {
  const { execSync } = await import('node:child_process');
  try {
    return execSync(command, {
      encoding: 'utf8',
      stdio: ['inherit', 'pipe', 'inherit'],
      timeout: COMMAND_TIMEOUT_MS,
      maxBuffer: 64 * 1024,
    });
  } catch (error) {
    const status = error instanceof Error && 'status' in error ? error.status : null;
    const exitText = typeof status === 'number' ? `exited with ${status}` : 'failed or took too long';
    throw new Failure('key', `The command in FIN_API_KEY_COMMAND ${exitText}.`, {
      hint: 'The command must print the key, and nothing else, on its standard output.',
    });
  }
}

/**
 * Returns a hash for the file names of an account's rate limiter and cached responses, so that file names reveal no
 * keys. If the profile names the account, all keys of that account share the hash.
 */
export function hashAccount(origin: string, key: string | null, account: string | null): string {
  // Without a key no account exists, but responses are still cached under the empty key.
  const identity = account === null ? ['key', origin, key ?? ''] : ['account', origin, account];
  return sha256(identity.join('\n')).slice(0, 32);
}
