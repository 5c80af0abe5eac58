/** `fin serve` with its own home, with accounts, limits, and an access log of all requests. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startServe } from '../fin-process.ts';
import { type Home, makeHome } from './http-process.ts';
import { runHere } from './run-here.ts';

export interface Service {
  readonly home: Home;
  readonly baseUrl: string;
  /** One key per account. */
  readonly keys: readonly string[];
  /** Returns the requests in the order of the access log. */
  requests(): { readonly account: string | null; readonly target: string; readonly status: number }[];
  stderrText(): string;
  stop(): Promise<void>;
}

export interface ServiceSetup {
  readonly accounts?: number;
  /** Additional options of `fin serve`. */
  readonly options?: readonly string[];
  /** Fills the data directory with a release before the service starts. By default, the service uses the sample. */
  readonly fill?: (dataDirectory: string) => Promise<unknown>;
}

export async function startService(
  limits: object,
  { accounts = 1, options = [], fill }: ServiceSetup = {},
): Promise<Service> {
  const home = makeHome({ FIN_API_KEY: '' });
  mkdirSync(home.path, { recursive: true });
  const limitsFile = join(home.path, 'limits.json');
  writeFileSync(limitsFile, JSON.stringify(limits));
  const keys: string[] = [];
  for (let i = 0; i < accounts; i++) {
    const { out } = await runHere(['keys', 'create', '--account', `account${i}`, '--json'], { env: home.env });
    keys.push(JSON.parse(out).key);
  }
  await fill?.(join(home.path, '.local/share/fin'));
  const { child, stderrText, done, baseUrl } = await startServe(
    [...(options.includes('--no-auth') ? [] : ['--limits', limitsFile]), '--log', ...options],
    home.env,
  );
  return {
    home,
    baseUrl,
    keys,
    requests: () =>
      [...stderrText().matchAll(/"account":("[^"]*"|null).*"target":"([^"]*)","status":(\d+)/g)].map(
        ([, account = '', target = '', status]) => ({ account: JSON.parse(account), target, status: Number(status) }),
      ),
    stderrText,
    async stop() {
      child.kill('SIGTERM');
      await done;
    },
  };
}
