/** Starts `fin serve` as users do: in a separate process with its own home directory. */
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../clean-up.ts';
import { shareCompiledCode } from '../compiled-code.ts';
import { type ProcessResult, startServe as start, startFin } from '../fin-process.ts';

export interface FinServe {
  readonly baseUrl: string;
  readonly process: ChildProcess;
  /** Returns the text that the process has written to stderr so far. */
  said(): string;
  /** Resolves with the exit code, or with the signal that ended the process. */
  readonly ended: Promise<number | string>;
}

/**
 * Returns environment variables that refer to a new home directory, which contains only a link to the shared compiled
 * code.
 */
export function makeHomeEnv(extraEnv: Readonly<Record<string, string>> = {}): Record<string, string> {
  const home = makeTemporaryFolder('home');
  shareCompiledCode(join(home, 'cache'));
  const folderByVariable = {
    FIN_CONFIG_DIR: 'config',
    FIN_CACHE_DIR: 'cache',
    FIN_STATE_DIR: 'state',
    FIN_DATA_DIR: 'data',
  };
  const directoryEnv = Object.fromEntries(
    Object.entries(folderByVariable).map(([name, folder]) => [name, join(home, folder)]),
  );
  return { PATH: process.env.PATH ?? '', HOME: home, ...directoryEnv, ...extraEnv };
}

/** Runs the program and returns its stdout; throws if the program fails. */
export async function runFin(env: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
  const { code, out, err } = await startFin(args, { env }).done;
  if (code !== 0) throw new Error(`fin ${args.join(' ')} exited with ${code}: ${err}`);
  return out;
}

/** Runs `fin` and returns its output and exit code, also if it fails. */
export const runFinAllowingFailure = (env: NodeJS.ProcessEnv, ...args: string[]): Promise<ProcessResult> =>
  startFin(args, { env }).done;

export async function makeKey(env: NodeJS.ProcessEnv, account: string, ...options: string[]): Promise<string> {
  return JSON.parse(await runFin(env, 'keys', 'create', '--account', account, ...options, '--json')).key;
}

export function writeLimits(env: NodeJS.ProcessEnv, limits: object): string {
  const path = join(env.HOME ?? '', 'limits.json');
  writeFileSync(path, JSON.stringify(limits));
  return path;
}

export async function startServe(env: NodeJS.ProcessEnv, ...options: string[]): Promise<FinServe> {
  const { baseUrl, child, stderrText, done } = await start(options, env);
  return { baseUrl, process: child, said: stderrText, ended: done.then(({ code }) => code ?? child.signalCode ?? '') };
}
