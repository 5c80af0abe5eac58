/**
 * Changes files of a release while it is served. Questions that need a damaged file are refused with a message that
 * names the table. All other answers stay the same.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { openRelease, type ReleaseReader } from '../../src/store/reader.ts';
import { findSampleHome, readCurrentStamp } from '../../src/store/releases/home.ts';
import { MANIFEST_FILE } from '../../src/store/releases/manifest.ts';
import { makeFolder } from '../store/public-source.ts';
import { BASE_URL, makeService } from './ask.ts';

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

/** Returns the damaged bytes of a file, by kind of damage; null deletes the file. */
const DAMAGE_BY_NAME: Readonly<Record<string, (bytes: Buffer, position: number) => Buffer | null>> = {
  flipped: (bytes, position) => {
    const changedBytes = Buffer.from(bytes);
    changedBytes[position] = (changedBytes[position] ?? 0) ^ (1 << (position % 8));
    return changedBytes;
  },
  cut: (bytes, position) => bytes.subarray(0, position),
  grown: (bytes, position) => Buffer.concat([bytes.subarray(0, position), Buffer.alloc(64), bytes.subarray(position)]),
  emptied: () => Buffer.alloc(0),
  removed: () => null,
};

let directory = '';
let files: string[] = [];

beforeAll(async () => {
  const sampleHome = findSampleHome() ?? '';
  const stamp = readCurrentStamp(sampleHome) ?? '';
  directory = join(await makeFolder('served'), stamp);
  cpSync(join(sampleHome, stamp), directory, { recursive: true });
  files = readdirSync(directory)
    .filter((name) => name !== MANIFEST_FILE)
    .sort();
});

/** Returns the status and body of every answer, with a fixed request id. */
async function askAllTargets(release: ReleaseReader, reportedErrors: unknown[]): Promise<Map<string, string>> {
  const service = makeService({ release: async () => release, onDefect: (error) => reportedErrors.push(error) });
  const answerByTarget = new Map<string, string>();
  for (const target of TARGETS) {
    const { status, body } = await service({ method: 'GET', target, headers: {}, id: 'x', baseUrl: BASE_URL });
    answerByTarget.set(target, `${status} ${body.join('')}`);
  }
  return answerByTarget;
}

test('if a file of a served release is damaged, only questions that need it are refused, until it is repaired', async () => {
  const undamagedAnswers = await askAllTargets(openRelease(directory), []);
  expect([...undamagedAnswers.values()].filter((text) => !text.startsWith('200 '))).toEqual([]);
  const servedRelease = openRelease(directory);
  await askAllTargets(servedRelease, []);
  const outcomeCounts = new Map<string, number>();
  const anyDamage = fc.record({
    file: fc.constantFrom(...files),
    change: fc.constantFrom(...Object.keys(DAMAGE_BY_NAME)),
    place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    isServed: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(anyDamage, async ({ file, change, place, isServed }) => {
      const path = join(directory, file);
      const bytes = readFileSync(path);
      const changedBytes = DAMAGE_BY_NAME[change]?.(bytes, Math.floor(place * bytes.length)) ?? null;
      if (changedBytes === null) rmSync(path);
      else writeFileSync(path, changedBytes);
      const tableName = file.replace(/\.\w+$/, '');
      const release = isServed ? servedRelease : openRelease(directory);
      const reportedErrors: unknown[] = [];
      try {
        for (const [target, text] of await askAllTargets(release, reportedErrors)) {
          if (text === undamagedAnswers.get(target)) continue;
          expect(text, `${target} with ${file} ${change}`).toMatch(/^503 /);
          expect(text).toContain(`The table ${tableName} of the data release is damaged`);
          outcomeCounts.set(change, (outcomeCounts.get(change) ?? 0) + 1);
        }
        // The same damage is reported once, even if several questions encounter it.
        expect(reportedErrors.map(String)).toEqual([...new Set(reportedErrors.map(String))]);
        for (const error of reportedErrors) expect(error).toMatchObject({ kind: 'data', table: tableName });
      } finally {
        writeFileSync(path, bytes);
        if (!isServed) await release.close();
      }
      expect(await askAllTargets(servedRelease, [])).toEqual(undamagedAnswers);
    }),
    { numRuns: 40, seed: 20261129 },
  );
  await servedRelease.close();
  expect([...outcomeCounts.keys()].sort()).toEqual(Object.keys(DAMAGE_BY_NAME).sort());
});
