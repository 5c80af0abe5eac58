/**
 * Files of a release that are changed while it is served: questions that need a damaged file are refused with the
 * file's name; all other answers are unchanged.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { MANIFEST_FILE } from '../../src/store/manifest.ts';
import { openRelease, type ReleaseReader } from '../../src/store/reader.ts';
import { currentStamp, sampleHome } from '../../src/store/releases/home.ts';
import { newFolder } from '../store/public-source.ts';
import { serviceOf } from './ask.ts';

const TARGETS = [
  '/v1/securities?query=micro',
  '/v1/securities/AAPL/profile',
  '/v1/securities/AAPL/metrics?keys=revenue,assets',
  '/v1/securities/AAPL/metrics/revenue/revisions?fiscal_year=2020',
  '/v1/securities/AAPL/raw-concepts?limit=5',
  '/v1/securities/AAPL/filings?limit=5',
  '/v1/securities/AAPL/insider-activity?limit=5',
  '/v1/securities/AAPL/prices?range=1m',
  '/v1/securities/AAPL/holders?limit=5',
  '/v1/securities/AAPL/segments',
  '/v1/insider-activity?limit=5',
  '/v1/filings/day',
  '/v1/holders?limit=5',
  '/v1/screen?limit=5',
  '/v1/metrics',
  '/v1/release',
];

/** Ways to change the bytes of a file; null deletes the file. */
const CHANGES: Readonly<Record<string, (bytes: Buffer, at: number) => Buffer | null>> = {
  flipped: (bytes, at) => {
    const changedBytes = Buffer.from(bytes);
    changedBytes[at] = (changedBytes[at] ?? 0) ^ (1 << (at % 8));
    return changedBytes;
  },
  cut: (bytes, at) => bytes.subarray(0, at),
  grown: (bytes, at) => Buffer.concat([bytes.subarray(0, at), Buffer.alloc(64), bytes.subarray(at)]),
  emptied: () => Buffer.alloc(0),
  removed: () => null,
};

let directory = '';
let files: string[] = [];

beforeAll(async () => {
  const sample = sampleHome() ?? '';
  const stamp = currentStamp(sample) ?? '';
  directory = join(await newFolder('served'), stamp);
  cpSync(join(sample, stamp), directory, { recursive: true });
  files = readdirSync(directory)
    .filter((name) => name !== MANIFEST_FILE)
    .sort();
});

/** Returns the status and body of every answer, with a fixed request id. */
async function answers(release: ReleaseReader, reported: unknown[]): Promise<Map<string, string>> {
  const service = serviceOf({ release: async () => release, onDefect: (error) => reported.push(error) });
  const all = new Map<string, string>();
  for (const target of TARGETS) {
    const { status, body } = await service.respond({ method: 'GET', target, headers: { 'x-request-id': 'x' } });
    all.set(target, `${status} ${body.join('')}`);
  }
  return all;
}

test('if a file of a served release is damaged, only questions that need it are refused, until it is repaired', async () => {
  const before = await answers(openRelease(directory), []);
  expect([...before.values()].filter((text) => !text.startsWith('200 '))).toEqual([]);
  const serving = openRelease(directory);
  await answers(serving, []);
  const outcomeCounts = new Map<string, number>();
  const damage = fc.record({
    file: fc.constantFrom(...files),
    change: fc.constantFrom(...Object.keys(CHANGES)),
    place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    isServed: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(damage, async ({ file, change, place, isServed }) => {
      const path = join(directory, file);
      const bytes = readFileSync(path);
      const changedBytes = CHANGES[change]?.(bytes, Math.floor(place * bytes.length)) ?? null;
      if (changedBytes === null) rmSync(path);
      else writeFileSync(path, changedBytes);
      const table = file.replace(/\.\w+$/, '');
      const release = isServed ? serving : openRelease(directory);
      const reported: unknown[] = [];
      try {
        for (const [target, text] of await answers(release, reported)) {
          if (text === before.get(target)) continue;
          expect(text, `${target} with ${file} ${change}`).toMatch(/^503 /);
          expect(text).toContain(`The table ${table} of the data release is damaged`);
          outcomeCounts.set(change, (outcomeCounts.get(change) ?? 0) + 1);
        }
        // The same damage is reported once, even if several questions encounter it.
        expect(reported.map(String)).toEqual([...new Set(reported.map(String))]);
        for (const error of reported) expect(error).toMatchObject({ kind: 'data', table });
      } finally {
        writeFileSync(path, bytes);
        if (!isServed) await release.close();
      }
      expect(await answers(serving, [])).toEqual(before);
    }),
    { numRuns: 30, seed: 20261122 },
  );
  await serving.close();
  expect([...outcomeCounts.keys()].sort()).toEqual(Object.keys(CHANGES).sort());
});
