/** Starts the installed redis-server for one test file, on a free port. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { listen } from '../../listen.ts';
import { makeDirectory } from '../http/running.ts';

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) console.warn('redis-server is not installed: counters in Redis are not tested');

export interface RedisServer {
  readonly url: URL;
  readonly process: ChildProcess;
}

export async function startRedis(...options: string[]): Promise<RedisServer> {
  const port = await findFreePort();
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', makeDirectory()];
  const child = spawn('redis-server', [...settings, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      if (String(text).includes('Ready to accept connections')) resolve();
    });
    child.once('exit', () => reject(new Error('redis-server did not start')));
  });
  return { url: new URL(`redis://127.0.0.1:${port}`), process: child };
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((done) => server.close(done));
  return port;
}
