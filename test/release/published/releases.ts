/** Releases to publish and pull: the sample, and that of the night after it. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openDownloads } from '../../../src/client/http/downloads.ts';
import { publishRelease } from '../../../src/release/published/publish.ts';
import { type PullOrder, type PullReport, pullRelease } from '../../../src/release/published/pull.ts';
import { FILINGS } from '../../../src/release/schema/filings.ts';
import { hashTables, stampOf } from '../../../src/release/store/content-hash.ts';
import { currentStamp, listStamps } from '../../../src/release/store/home.ts';
import { manifestText, readManifest } from '../../../src/release/store/manifest.ts';
import { openRelease } from '../../../src/release/store/reader.ts';
import { TableSink } from '../../../src/release/store/table-writer.ts';
import { cleanUp } from '../../clean-up.ts';

const SAMPLES = resolve(import.meta.dirname, '../../../src/release/sample');

/** Removed when the tests of the file are done. */
export function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'fin-published-'));
  cleanUp(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export const SAMPLE = join(SAMPLES, currentStamp(SAMPLES) ?? '');

/** A release of the day after the sample, which lacks the filings of one company; returns its directory. */
export async function makeNextRelease(): Promise<string> {
  const home = makeDirectory();
  const unnamed = join(home, 'next');
  cpSync(SAMPLE, unnamed, { recursive: true });
  const [file, index] = ['filings.parquet', 'filings.index'].map((name) => join(unnamed, name));
  for (const path of [file, index]) if (path !== undefined) rmSync(path);
  const sample = openRelease(SAMPLE);
  const ciks = (await sample.companies()).map(({ cik }) => cik);
  const sink = new TableSink(unnamed, FILINGS);
  for (const [position, cik] of ciks.entries()) {
    if (position !== Math.floor(ciks.length / 2)) sink.add(cik, await sample.rowsOf(FILINGS, cik));
  }
  const { file: filings, hash } = sink.finish();
  await sample.close();
  const { stamp: _, date: __, ...manifest } = readManifest(SAMPLE);
  const tables = { ...manifest.tables, filings: { ...filings, content: hash } };
  const contents = Object.entries(tables).map(([name, { content = '' }]) => [name, content] as const);
  const date = '2026-08-19';
  const stamp = stampOf(date, hashTables(contents, manifest.layout));
  const { layout, ...rest } = manifest;
  writeFileSync(join(unnamed, 'manifest.json'), manifestText({ layout, date, stamp, ...rest, tables }));
  cpSync(unnamed, join(home, stamp), { recursive: true });
  return join(home, stamp);
}

export const publish = (directory: string, root: string, options: Partial<Parameters<typeof publishRelease>[0]> = {}) =>
  publishRelease({
    directory,
    root,
    signKey: null,
    keep: null,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...options,
  });

export interface Pulling extends Partial<PullOrder> {
  readonly tries?: number;
  readonly signal?: AbortSignal;
}

export interface Pulled extends PullReport {
  readonly requests: number;
  /** Bytes of bodies. */
  readonly received: number;
}

/** One pull, as a process would do it; without waiting between tries. */
export async function pull(url: string, home: string, { tries = 3, signal, ...order }: Pulling = {}): Promise<Pulled> {
  const downloads = openDownloads({});
  let [requests, received] = [0, 0];
  try {
    const report = await pullRelease(
      { home, stamp: null, families: null, publicKey: null, verify: false, ...order },
      {
        url,
        get: downloads.get,
        userAgent: 'fin-filings/test',
        retries: {
          delayBefore: (_, attempt) => (attempt < tries ? 1 : null),
          retryAfter: () => null,
          longestPause: 0,
        },
        pace: { timeout: null, leastBytes: 0, period: 60_000 },
        signal: signal ?? new AbortController().signal,
        report: (event) => {
          if (event.type === 'requested') requests += 1;
          else if (event.type === 'received') received += event.bytes;
        },
      },
    );
    return { ...report, requests, received };
  } finally {
    await downloads.close();
  }
}

/** What is in a directory: hidden files too, and the contents of each. */
export function contentsOf(directory: string): ReadonlyMap<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter(
    (entry) => !entry.isDirectory(),
  );
  return new Map(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(directory.length + 1), readFileSync(path, 'latin1')]),
  );
}

export { listStamps };
