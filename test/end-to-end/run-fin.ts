/** Starts the built program as a process with its own home and an otherwise empty environment. */
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../clean-up.ts';
import { shareCompiledCode } from '../compiled-code.ts';
import { FIN_PATH, type ProcessResult, startFin, startProcess } from '../fin-process.ts';

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** A signal to send when `when` resolves. */
  readonly signal?: { readonly name: NodeJS.Signals; readonly when: Promise<unknown> };
  readonly nodeOptions?: readonly string[];
  /** The working directory; by default the directory of the tests. */
  readonly cwd?: string;
}

/** Makes a new directory for `HOME`, which is removed when the tests of the file are done. */
export function makeHome(): string {
  const home = makeTemporaryFolder('home');
  shareCompiledCode(join(home, '.cache/fin'));
  return home;
}

export async function runFin(args: readonly string[], options: RunOptions = {}): Promise<ProcessResult> {
  const { input, cwd, nodeOptions, signal } = options;
  const env = { PATH: process.env.PATH ?? '', HOME: options.env?.HOME ?? makeHome(), ...options.env };
  const { child, done } = startFin(args, { env, input, cwd, nodeOptions });
  signal?.when.then(() => child.kill(signal.name));
  return done;
}

/** Runs a script in a shell, for pipes and redirections; `fin` in the script runs the program. */
export async function runShell(script: string): Promise<ProcessResult> {
  const env = { PATH: process.env.PATH ?? '', HOME: makeHome(), FIN: FIN_PATH };
  return startProcess('bash', ['-c', `fin() { "${process.execPath}" "${FIN_PATH}" "$@"; }; ${script}`], { env }).done;
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): void {
  const contentType = status < 400 ? 'application/json' : 'application/problem+json';
  response.writeHead(status, { 'content-type': contentType, ...headers });
  response.end(body);
}

export const makeProblem = (status: number, code: string, detail: string): string =>
  JSON.stringify({
    type: `https://example.org/problems#${code}`,
    title: code,
    status,
    detail,
    code,
    request_id: 'req-42',
  });
