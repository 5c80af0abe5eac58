/** Starts the built program as a process, in a home of its own and with nothing else in the environment. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

const FIN = resolve(import.meta.dirname, '../../bin/fin.js');

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Sent once, when so much has been asked of the server that waits for it. */
  readonly signal?: { readonly name: NodeJS.Signals; readonly when: Promise<unknown> };
  readonly nodeOptions?: readonly string[];
  /** Where it runs; where the tests do without it. */
  readonly cwd?: string;
}

/** A directory that is gone after the test; its `HOME`. */
export function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'fin-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

export async function fin(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const env = { PATH: process.env.PATH ?? '', HOME: options.env?.HOME ?? makeHome(), ...options.env };
  const child = spawn(process.execPath, [...(options.nodeOptions ?? []), FIN, ...args], { env, cwd: options.cwd });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.end(options.input ?? '');
  const { signal } = options;
  signal?.when.then(() => child.kill(signal.name));
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() };
}

/** The same in a shell, for pipes and redirections. `fin` stands for the program. */
export async function shell(script: string): Promise<Ended> {
  const env = { PATH: process.env.PATH ?? '', HOME: makeHome(), FIN };
  const child = spawn('bash', ['-c', `fin() { "${process.execPath}" "${FIN}" "$@"; }; ${script}`], { env });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() };
}

export interface Served {
  readonly baseUrl: string;
  readonly requests: readonly IncomingMessage[];
}

/** A real server on loopback that answers as told. */
export async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Served> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { baseUrl: `http://127.0.0.1:${address.port}`, requests };
}

export function json(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): void {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(body);
}

export const problem = (status: number, code: string, detail: string): string =>
  JSON.stringify({
    type: `https://example.org/problems#${code}`,
    title: code,
    status,
    detail,
    code,
    request_id: 'req-42',
  });
