/** `fin serve` as its users start it: the program, in a home of its own. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const bin = resolve(import.meta.dirname, '../../bin/fin.js');
const run = promisify(execFile);

export interface FinServe {
  readonly baseUrl: string;
  readonly process: ChildProcess;
  /** What it has said on stderr so far. */
  said(): string;
  /** Resolves with the exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

/** An environment in which nothing of the user's own is found. */
export function freshHome(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const home = mkdtempSync(join(tmpdir(), 'fin-home-'));
  const directories = {
    FIN_CONFIG_DIR: 'config',
    FIN_CACHE_DIR: 'cache',
    FIN_STATE_DIR: 'state',
    FIN_DATA_DIR: 'data',
  };
  const own = Object.fromEntries(Object.entries(directories).map(([name, below]) => [name, join(home, below)]));
  return { PATH: process.env.PATH, HOME: home, ...own, ...more };
}

export async function fin(env: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [bin, ...args], { env });
  return stdout;
}

export async function makeKey(env: NodeJS.ProcessEnv, account: string, ...options: string[]): Promise<string> {
  return JSON.parse(await fin(env, 'keys', 'create', '--account', account, ...options, '--json')).key;
}

export function writeLimits(env: NodeJS.ProcessEnv, limits: object): string {
  const path = join(env.HOME ?? '', 'limits.json');
  writeFileSync(path, JSON.stringify(limits));
  return path;
}

export async function startServe(env: NodeJS.ProcessEnv, ...options: string[]): Promise<FinServe> {
  const child = spawn(process.execPath, [bin, 'serve', ...options], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const ended = new Promise<number | string>((settle) =>
    child.once('exit', (code, signal) => settle(code ?? signal ?? '')),
  );
  const baseUrl = await new Promise<string>((settle, reject) => {
    let out = '';
    child.stdout.on('data', (text) => {
      out += text;
      if (out.includes('\n')) settle(out.trim());
    });
    void ended.then((code) => reject(new Error(`fin serve ended with ${code}: ${said}`)));
  });
  return { baseUrl, process: child, said: () => said, ended };
}
