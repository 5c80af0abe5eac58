/** API keys: their format, their sources, and the part that may be shown. */

import { statSync } from 'node:fs';
import { Failure } from '../contract/failure.ts';
import { capitalize } from '../contract/text/format-counts.ts';
import { quoteShellWord } from '../contract/text/quote.ts';
import { sha256 } from '../platform/builtins/loaded-on-use.ts';
import { readStart } from '../platform/files/regular-file.ts';
import { describeCause, makeSystemFailure } from '../platform/files/system-error.ts';

/** The source of a key: the file or command from which the key must be read, or the key itself. */
export type KeySource = (
  | { readonly from: 'file'; readonly path: string }
  | { readonly from: 'environment'; readonly text: string }
  | { readonly from: 'command'; readonly command: string }
  | { readonly from: 'option'; readonly text: string }
  | { readonly from: 'profile'; readonly profile: string; readonly text: string }
) & {
  /** The result of reading the key, kept because a command may ask for a password, and a pipe can be read only once. */
  pendingKey?: Promise<string>;
};

/**
 * Matches a prefix, an underscore, and 38 letters and digits; or 45 letters, digits and underscores. The HTTP API
 * defines neither the prefix nor a public checksum algorithm, so the client checks neither.
 */
const KEY_PATTERN = /^(?:\w+_[A-Za-z0-9]{38}|\w{45})$/;

/** Description of the format for error messages. */
export const KEY_FORMAT_TEXT = 'A key is a prefix, an underscore, and 38 letters and digits.';

export const isKey = (text: string): boolean => KEY_PATTERN.test(text);

/** Masks a key: only its prefix and last four characters remain. */
export function maskKey(key: string): string {
  const prefix = /^\w+_(?=[A-Za-z0-9]{38}$)/.exec(key)?.[0] ?? '';
  return isKey(key) ? `${prefix}…${key.slice(-4)}` : '(not a key)';
}

/** Describes the source of a key for messages. */
export function describeSource(source: KeySource): string {
  if (source.from === 'file') return `the file ${source.path}`;
  return source.from === 'profile' ? `the profile ${source.profile}` : SOURCE_NAMES[source.from];
}

const SOURCE_NAMES = { environment: 'FIN_API_KEY', command: 'FIN_API_KEY_COMMAND', option: 'the option apiKey' };

/**
 * Reads a key once, and checks its format; text in another format is never sent. Throws the signal's reason if the
 * signal aborts, for example on Ctrl-C while a command waits for a password.
 */
export async function readKey(source: KeySource, signal: AbortSignal | null = null): Promise<string> {
  source.pendingKey ??= readAndCheckKey(source, signal);
  try {
    return await source.pendingKey;
  } catch (error) {
    // A later attempt may succeed: the user may create the key file while the program runs.
    delete source.pendingKey;
    throw error;
  }
}

async function readAndCheckKey(source: KeySource, signal: AbortSignal | null): Promise<string> {
  const text = (await readKeyText(source, signal)).trim();
  if (isKey(text)) return text;
  const subject =
    source.from === 'command' ? 'The output of the command in FIN_API_KEY_COMMAND' : capitalize(describeSource(source));
  throw new Failure('key', `${subject} does not contain an API key.`, { hint: `${KEY_FORMAT_TEXT} Nothing was sent.` });
}

async function readKeyText(source: KeySource, signal: AbortSignal | null): Promise<string> {
  if (source.from === 'file') return readKeyFile(source.path, signal);
  return source.from === 'command' ? runKeyCommand(source.command, signal) : source.text;
}

/** Maximum size in bytes of a key file and of a command's output; a key is far shorter. */
const MAX_KEY_TEXT_BYTES = 64 * 1024;

async function readKeyFile(path: string, signal: AbortSignal | null): Promise<string> {
  if (isKey(path)) {
    const hint = 'Other users of this machine can see arguments: if there are other users, revoke the key.';
    throw new Failure('usage', '--api-key-file takes the path of a file, not the key itself.', { hint });
  }
  try {
    return await readStart(path, MAX_KEY_TEXT_BYTES, signal);
  } catch (cause) {
    signal?.throwIfAborted();
    const advice = 'Give --api-key-file a file that contains nothing but the key.';
    throw makeSystemFailure('key', `The key file ${path} cannot be read`, cause, advice);
  }
}

const GROUP_OR_OTHERS_READ_BITS = 0o044;

/** Returns a warning if other users of this machine can read the key file; else null. */
export function findKeyFileWarning(source: KeySource): string | null {
  if (source.from !== 'file' || process.platform === 'win32') return null;
  const stat = statSync(source.path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true || (stat.mode & GROUP_OR_OTHERS_READ_BITS) === 0) return null;
  const mode = (stat.mode & 0o777).toString(8);
  return `Other users can read the key file ${source.path} (mode ${mode}). To prevent that: chmod 600 ${quoteShellWord(source.path)}`;
}

const COMMAND_TIMEOUT_MS = 60_000;

/**
 * Returns the output of a password manager's command, which is never shown. The command's own prompts go to the
 * terminal.
 */
async function runKeyCommand(command: string, signal: AbortSignal | null): Promise<string> {
  const { spawn } = await import('node:child_process');
  signal?.throwIfAborted();
  const child = spawn(command, { shell: true, stdio: ['inherit', 'pipe', 'inherit'] });
  let output = '';
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  const faultTextPromise = new Promise<string | null>((resolve, reject) => {
    timer = setTimeout(() => resolve(`did not end within ${COMMAND_TIMEOUT_MS / 1000} s`), COMMAND_TIMEOUT_MS);
    onAbort = () => reject(signal?.reason);
    signal?.addEventListener('abort', onAbort);
    child.once('error', (error) => resolve(`cannot be started: ${describeCause(error)}`));
    child.once('close', (status, signal) => {
      resolve(status === 0 ? null : status === null ? `was ended by ${signal}` : `exited with ${status}`);
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > MAX_KEY_TEXT_BYTES) resolve('printed much more than a key');
    });
  });
  const faultText = await faultTextPromise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    child.kill();
    child.stdout.destroy();
    child.unref();
  });
  if (faultText === null) return output;
  const hint = 'The command must print the key, and nothing else, on its standard output.';
  throw new Failure('key', `The command in FIN_API_KEY_COMMAND ${faultText}.`, { hint });
}

/**
 * Returns a hash for the file names of an account's rate limiter and cached responses, so that file names reveal no
 * keys. If the profile names the account, all keys of that account share the hash.
 */
export function hashAccount(origin: string, key: string | null, account: string | null): string {
  // Without a key no account exists, but responses are still cached under the empty key.
  const parts = account === null ? ['key', origin, key ?? ''] : ['account', origin, account];
  return sha256(parts.join('\n')).slice(0, 32);
}
