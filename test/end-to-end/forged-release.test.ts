/**
 * A running server receives a forged release: its hashes are correct, but reading one of its tables would never end.
 */
import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readCurrentStamp } from '../../src/store/releases/home.ts';
import { formatStamp, hashTables, readManifest, serializeManifest } from '../../src/store/releases/manifest.ts';
import { makeTemporaryFolder, registerCleanUp } from '../clean-up.ts';
import { forgeHeader } from '../store/forge-header.ts';
import { startService } from './serve-process.ts';

const SAMPLE_HOME = resolve(import.meta.dirname, '../../src/store/sample');

/** Copies the sample as a later release with one forged table; returns its directory and stamp. */
function makeLaterRelease(table: 'companies' | 'screen'): { readonly directory: string; readonly stamp: string } {
  const directory = join(makeTemporaryFolder('later'), 'release');
  cpSync(join(SAMPLE_HOME, readCurrentStamp(SAMPLE_HOME) ?? ''), directory, { recursive: true });
  forgeHeader(directory, table);
  const manifest = readManifest(directory);
  const date = '2099-01-01';
  const tableContentHashes = Object.entries(manifest.tables).map(
    ([name, { content = '' }]) => [name, content] as const,
  );
  const stamp = formatStamp(date, hashTables(tableContentHashes, String(manifest.layout)));
  writeFileSync(join(directory, 'manifest.json'), serializeManifest({ ...manifest, date, stamp }));
  return { directory, stamp };
}

test.each(['companies', 'screen'] as const)(
  'with a forged table %s the server keeps running, and answers correctly or with 503',
  async (table) => {
    let releaseHome = '';
    const service = await startService(
      {},
      {
        accounts: 0,
        options: ['--no-auth'],
        fill: async (data) => {
          releaseHome = join(data, 'releases');
          mkdirSync(releaseHome, { recursive: true });
          const stamp = readCurrentStamp(SAMPLE_HOME) ?? '';
          cpSync(join(SAMPLE_HOME, stamp), join(releaseHome, stamp), { recursive: true });
        },
      },
    );
    registerCleanUp(() => service.stop());
    const fetchStatus = async (path: string) => (await fetch(`${service.baseUrl}${path}`)).status;
    const fetchServedStamp = async () => {
      const { data } = (await (await fetch(`${service.baseUrl}/v1/release`)).json()) as { data: { stamp: string } };
      return data.stamp;
    };
    const sampleStamp = await fetchServedStamp();
    const { directory, stamp } = makeLaterRelease(table);
    renameSync(directory, join(releaseHome, stamp));
    const isReadAtStart = table === 'companies';
    // `companies` is read before a release is served, so a forged `companies` prevents serving the release. A forged
    // `screen` affects only questions about the screen.
    await expect.poll(service.stderrText).toContain(isReadAtStart ? 'the newer release cannot be served' : stamp);
    expect(await fetchServedStamp()).toBe(isReadAtStart ? sampleStamp : stamp);
    expect(await fetchStatus('/v1/screen')).toBe(isReadAtStart ? 200 : 503);
    expect(await fetchStatus('/v1/securities/AAPL/metrics')).toBe(200);
    expect(await fetchStatus('/livez')).toBe(200);
    expect(await fetchStatus('/readyz')).toBe(200);
    if (isReadAtStart) expect(service.stderrText()).toMatch(/companies\.parquet cannot be read: a page header/);
  },
);
