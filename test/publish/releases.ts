/** Releases to publish and pull: a part of the sample, and a release of the next night. */
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openHttp } from '../../src/http/get.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import type { PullReport } from '../../src/publish/pull.ts';
import { type PullRequest, pullRelease } from '../../src/publish/pull.ts';
import { openRelease } from '../../src/store/reader.ts';
import { listStamps, readCurrentStamp } from '../../src/store/releases/home.ts';
import {
  formatStamp,
  hashTables,
  type Manifest,
  readManifest,
  serializeManifest,
  type TableFile,
} from '../../src/store/releases/manifest.ts';
import { SECURITIES } from '../../src/store/schema/companies.ts';
import type { Table } from '../../src/store/schema/declare-table.ts';
import { RAW_CONCEPTS, REPORTED_VALUES } from '../../src/store/schema/reported-values.ts';
import { TableSink } from '../../src/store/table-writer.ts';
import { registerCleanUp } from '../clean-up.ts';
import { retryAtMost } from '../http/retry-at-most.ts';

const SAMPLE_HOME = resolve(import.meta.dirname, '../../src/store/sample');

/** Returns a new directory, which is removed when the tests of the file are done. */
export function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'fin-published-'));
  registerCleanUp(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export const SAMPLE_RELEASE = join(SAMPLE_HOME, readCurrentStamp(SAMPLE_HOME) ?? '');

/** Small and large tables that every release has; `FAMILY_TABLE_NAMES` lists tables of two optional families. */
const CORE_TABLE_NAMES = ['companies', 'securities', 'reported_values', 'splits', 'raw_concepts', 'screen', 'coverage'];
const FAMILY_TABLE_NAMES = ['prices', 'price_lines', 'price_sources', 'insider_filings', 'insider_trades'];

const APPLE_CIK = 320193;

/** Only some companies and Apple have values and concepts, because each pull reads all of them. */
const hasValues = (cik: number, position: number): boolean => position % 16 === 0 || cik === APPLE_CIK;
const hasConcepts = (cik: number, position: number): boolean => position % 4 === 0 || cik === APPLE_CIK;

/** Makes a release with some tables of the sample; returns its directory. */
export async function makeRelease(): Promise<string> {
  const directory = join(makeDirectory(), 'release');
  mkdirSync(directory);
  const { tables } = readManifest(SAMPLE_RELEASE);
  const selectedTables = Object.entries(tables).filter(([name]) =>
    [...CORE_TABLE_NAMES, ...FAMILY_TABLE_NAMES].includes(name),
  );
  for (const [, { file, index }] of selectedTables) {
    for (const name of [file, index.file]) copyFileSync(join(SAMPLE_RELEASE, name), join(directory, name));
  }
  return writeManifestAndRename(directory, '2026-08-18', {
    ...Object.fromEntries(selectedTables),
    raw_concepts: await rewriteTable(SAMPLE_RELEASE, directory, RAW_CONCEPTS, hasConcepts),
    reported_values: await rewriteTable(SAMPLE_RELEASE, directory, REPORTED_VALUES, hasValues),
  });
}

/** Makes a copy of a release in which the first security has this ticker; returns its directory. */
export async function makeReleaseWithTicker(ticker: string, source = SAMPLE_RELEASE): Promise<string> {
  const directory = join(makeDirectory(), 'release');
  cpSync(source, directory, { recursive: true });
  for (const name of ['securities.parquet', 'securities.index']) rmSync(join(directory, name));
  const release = openRelease(source);
  const sink = new TableSink(directory, SECURITIES);
  for (const [index, row] of (await release.securities()).entries()) {
    // A row is a view, so its properties cannot be spread.
    const { ticker: sampleTicker, tickerNormalized, exchange, cik, isPrimary, isActive, coverageState } = row;
    const newTicker = index === 0 ? ticker : sampleTicker;
    sink.add(index, [{ ticker: newTicker, tickerNormalized, exchange, cik, isPrimary, isActive, coverageState }]);
  }
  await release.close();
  return writeManifestAndRename(directory, '2026-08-18', {
    ...readManifest(source).tables,
    securities: sink.finish().file,
  });
}

/** Makes a release of the next day, without the concepts of Apple. */
export async function makeNextRelease(release = SAMPLE_RELEASE): Promise<string> {
  const directory = join(makeDirectory(), 'release');
  cpSync(release, directory, { recursive: true });
  const conceptsTable = await rewriteTable(release, directory, RAW_CONCEPTS, (cik) => cik !== APPLE_CIK);
  return writeManifestAndRename(directory, '2026-08-19', {
    ...readManifest(release).tables,
    raw_concepts: conceptsTable,
  });
}

/** Rewrites a table with the rows of the companies for which `includesCompany` returns true. */
async function rewriteTable<Row>(
  sourceDirectory: string,
  directory: string,
  table: Table<Row>,
  includesCompany: (cik: number, position: number) => boolean,
): Promise<TableFile> {
  for (const extension of ['parquet', 'index']) rmSync(join(directory, `${table.name}.${extension}`));
  const release = openRelease(sourceDirectory);
  const sink = new TableSink(directory, table);
  for (const cik of (await release.companies()).map(({ cik }) => cik).filter(includesCompany)) {
    const rows = await release.rowsOf(table, cik);
    if (rows.length > 0) sink.add(cik, rows);
  }
  await release.close();
  return sink.finish().file;
}

/** Writes the manifest, and names the directory by the stamp. */
function writeManifestAndRename(directory: string, date: string, tables: Manifest['tables']): string {
  const { stamp: _, date: __, layout, ...otherFields } = readManifest(SAMPLE_RELEASE);
  const namesAndContentHashes = Object.entries(tables).map(([name, { content = '' }]) => [name, content] as const);
  const stamp = formatStamp(date, hashTables(namesAndContentHashes, layout));
  writeFileSync(join(directory, 'manifest.json'), serializeManifest({ layout, date, stamp, ...otherFields, tables }));
  renameSync(directory, join(directory, '..', stamp));
  return join(directory, '..', stamp);
}

export const publish = (directory: string, root: string, options: Partial<Parameters<typeof publishRelease>[0]> = {}) =>
  publishRelease({
    directory,
    root,
    signKey: null,
    keep: null,
    publishFailed: false,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...options,
  });

export interface PullOptions extends Partial<PullRequest> {
  readonly tries?: number;
  readonly signal?: AbortSignal;
}

export interface PullResult extends PullReport {
  readonly requests: number;
  /** Number of body bytes received. */
  readonly received: number;
}

/** Pulls a release as a process would, but without waiting between attempts. */
export async function pull(
  url: string,
  home: string,
  { tries = 3, signal, ...request }: PullOptions = {},
): Promise<PullResult> {
  const http = openHttp({});
  let [requests, received] = [0, 0];
  try {
    const report = await pullRelease(
      { home, stamp: null, families: null, publicKey: null, verify: false, allowOlder: false, ...request },
      {
        url,
        get: http.get,
        userAgent: 'fin-filings/test',
        retries: retryAtMost(tries, 1),
        pace: { timeout: null, minBytes: 0, period: 60_000 },
        signal: signal ?? new AbortController().signal,
        report: (event) => {
          if (event.type === 'requested') requests += 1;
          else if (event.type === 'received') received += event.bytes;
        },
      },
    );
    return { ...report, requests, received };
  } finally {
    await http.close();
  }
}

/** Returns the contents of all files in a directory by path, including hidden files. */
export function readContents(directory: string): ReadonlyMap<string, string> {
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
