/** `fin serve` in a home of its own, with accounts, their limits and an access log that can be counted. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startServe } from '../fin-process.ts';
import { type Home, makeHome } from './http-process.ts';

export interface Service {
  readonly home: Home;
  readonly baseUrl: string;
  /** One for each account. */
  readonly keys: readonly string[];
  /** The requests, in the order of the log. */
  requests(): { readonly target: string; readonly status: number }[];
  said(): string;
  stop(): Promise<void>;
}

export interface ServiceSetup {
  readonly accounts?: number;
  /** More of `fin serve`. */
  readonly options?: readonly string[];
  /** Puts a release of one's own below the data directory before the service starts; else the sample is served. */
  readonly fill?: (dataDirectory: string) => Promise<unknown>;
}

export async function startService(
  limits: object,
  { accounts = 1, options = [], fill }: ServiceSetup = {},
): Promise<Service> {
  const home = makeHome({ FIN_API_KEY: '' });
  mkdirSync(home.path, { recursive: true });
  const file = join(home.path, 'limits.json');
  writeFileSync(file, JSON.stringify(limits));
  const keys: string[] = [];
  for (let i = 0; i < accounts; i++) {
    const { stdout } = await home.run(['keys', 'create', '--account', `account${i}`, '--json']);
    keys.push(JSON.parse(stdout).key);
  }
  await fill?.(join(home.path, '.local/share/fin'));
  const { child, said, done, baseUrl } = await startServe(
    [...(options.includes('--no-auth') ? [] : ['--limits', file]), '--log', ...options],
    home.env,
  );
  return {
    home,
    baseUrl,
    keys,
    requests: () =>
      [...said().matchAll(/"target":"([^"]*)","status":(\d+)/g)].map(([, target = '', status]) => ({
        target,
        status: Number(status),
      })),
    said,
    async stop() {
      child.kill('SIGTERM');
      await done;
    },
  };
}
