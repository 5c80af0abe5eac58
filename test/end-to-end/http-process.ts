/** The built program as a process with its own home directory, against a service with the faults of a test. */
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { makeTemporaryFolder, registerCleanUp } from '../clean-up.ts';
import { shareCompiledCode } from '../compiled-code.ts';
import { startFin } from '../fin-process.ts';
import { makeEnvelope, makeProblemDocument, RELEASE } from '../http-service.ts';
import { listen } from '../listen.ts';
import { runFin } from './run-fin.ts';

export const CANARY_API_KEY = `svc_${'cAnArY7'.repeat(5)}xyz`;

export interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartedProcess {
  readonly child: ChildProcess;
  /** Returns the text that the process has written to stderr so far. */
  stderrText(): string;
  readonly done: Promise<RunResult>;
}

export interface Home {
  readonly path: string;
  /** The environment variables of every fin process in this home; `run` and `start` may add others. */
  readonly env: Readonly<Record<string, string>>;
  run(args: readonly string[], env?: Record<string, string>): Promise<RunResult>;
  start(args: readonly string[], env?: Record<string, string>): StartedProcess;
  /** Returns all files in the home, by path. */
  files(): Map<string, string>;
}

/**
 * Makes a home directory in which fin runs. The environment of each process has only PATH, HOME, an API key,
 * `sharedEnv`, and the variables given for its run.
 *
 * @param runCommand runs the commands of `run`; by default, each as a process
 */
export function makeHome(sharedEnv: Record<string, string> = {}, runCommand = runFin): Home {
  const path = makeTemporaryFolder('home');
  shareCompiledCode(join(path, '.cache/fin'));
  const homeEnv = { PATH: process.env.PATH ?? '', HOME: path, FIN_API_KEY: CANARY_API_KEY, ...sharedEnv };
  const start = (args: readonly string[], env: Record<string, string> = {}) => {
    const finProcess = startFin(args, { env: { ...homeEnv, ...env } });
    const resultPromise = finProcess.done.then(({ code, out, err }): RunResult => ({ code, stdout: out, stderr: err }));
    return { child: finProcess.child, stderrText: finProcess.stderrText, done: resultPromise };
  };
  return {
    path,
    env: homeEnv,
    start,
    run: async (args, env) => {
      const { code, out, err } = await runCommand(args, { env: { ...homeEnv, ...env } });
      return { code, stdout: out, stderr: err };
    },
    files: () =>
      new Map(
        readdirSync(path, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .map((file) => [file, readFileSync(file, 'latin1')]),
      ),
  };
}

export interface SocketServer {
  readonly port: number;
  readonly baseUrl: string;
  /** The request line and headers of each received request. */
  readonly requests: string[];
  /** Returns the number of accepted connections, with or without a request. */
  accepted(): number;
  close(): Promise<void>;
}

/**
 * Starts a bare socket server, for which `answer` writes the bytes of each response. The server closes when the tests
 * of the file are done.
 *
 * @param listenPort the port to listen on; by default any free port
 */
export async function startSocketServer(
  answer: (socket: Socket, requestNumber: number, head: string) => void,
  listenPort = 0,
): Promise<SocketServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let acceptedCount = 0;
  const server: Server = createServer((socket) => {
    acceptedCount++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    let receivedHead = '';
    socket.on('data', (chunk) => {
      receivedHead += chunk.toString('latin1');
      if (!receivedHead.includes('\r\n\r\n')) return;
      requests.push(receivedHead);
      const requestHead = receivedHead;
      receivedHead = '';
      answer(socket, requests.length, requestHead);
    });
  });
  const port = await listen(server, '127.0.0.1', listenPort);
  const close = () =>
    new Promise<void>((done) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => done());
    });
  registerCleanUp(close);
  return { port, baseUrl: `http://127.0.0.1:${port}`, requests, accepted: () => acceptedCount, close };
}

export const RELEASE_BODY = makeEnvelope(RELEASE, { route: '/v1/release' });

/** Returns a complete HTTP response as text. */
export function formatHttpResponse(status: number, body: string, headers: Record<string, string> = {}): string {
  const allHeaders = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  };
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${status} X\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

export function formatProblemResponse(
  status: number,
  code: string,
  headers: Record<string, string> = {},
  overrides: object = {},
): string {
  return formatHttpResponse(status, makeProblemDocument(status, code, overrides), {
    'content-type': 'application/problem+json',
    ...headers,
  });
}
