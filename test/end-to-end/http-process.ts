/** The built fin as a process with a home of its own, against a service that misbehaves as a test says. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { envelope, problemDocument, RELEASE } from '../client/helpers/service.ts';
import { startFin } from '../fin-process.ts';
import { listen } from '../listen.ts';

export const KEY = `svc_${'cAnArY7'.repeat(5)}xyz`;

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Home {
  readonly path: string;
  /** What every fin in it gets. */
  readonly env: Readonly<Record<string, string>>;
  run(args: readonly string[], env?: Record<string, string>): Promise<Run>;
  start(args: readonly string[], env?: Record<string, string>): { child: ChildProcess; done: Promise<Run> };
  /** Everything that was written below it, by path. */
  files(): Map<string, string>;
  remove(): void;
}

/** A home directory, and fin run in it; what it needs from outside comes in by `env` alone. */
export function makeHome(shared: Record<string, string> = {}): Home {
  const path = mkdtempSync(join(tmpdir(), 'fin-home-'));
  const own = { PATH: process.env.PATH ?? '', HOME: path, FIN_API_KEY: KEY, ...shared };
  const start = (args: readonly string[], env: Record<string, string> = {}) => {
    const running = startFin(args, { env: { ...own, ...env } });
    const done = running.done.then(({ code, out, err }): Run => ({ code, stdout: out, stderr: err }));
    return { child: running.child, done };
  };
  return {
    path,
    env: own,
    start,
    run: (args, env) => start(args, env).done,
    files: () =>
      new Map(
        readdirSync(path, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .map((file) => [file, readFileSync(file, 'latin1')]),
      ),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

export interface Wire {
  readonly port: number;
  readonly baseUrl: string;
  /** The head of each request that arrived. */
  readonly asked: string[];
  close(): Promise<void>;
}

/**
 * A bare socket server: once a request's head is whole, the test writes whatever bytes it likes.
 *
 * @param at the port to listen on; any that is free, without it
 */
export async function startWire(answer: (socket: Socket, count: number, head: string) => void, at = 0): Promise<Wire> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    let head = '';
    socket.on('data', (chunk) => {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      asked.push(head);
      const whole = head;
      head = '';
      answer(socket, asked.length, whole);
    });
  });
  const port = await listen(server, '127.0.0.1', at);
  return {
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => done());
      }),
  };
}

export const BODY = envelope(RELEASE, { route: '/v1/release' });

/** A whole HTTP answer, as text. */
export function http(status: number, body: string, headers: Record<string, string> = {}): string {
  const all = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${status} X\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

export function problem(status: number, code: string, headers: Record<string, string> = {}, more: object = {}): string {
  return http(status, problemDocument(status, code, more), { 'content-type': 'application/problem+json', ...headers });
}
