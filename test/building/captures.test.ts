import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { buildRelease } from '../../src/building/build.ts';
import { openArchive } from '../../src/edgar/files/archive.ts';
import type { ReportedValue } from '../../src/figures/revisions/revision-chain.ts';
import { openRelease } from '../../src/store/reader.ts';
import { publicFile, testOn } from '../public-files.ts';
import { newFolder } from '../store/public-source.ts';

/** AAR, Apple, NVIDIA and Alphabet, for which an earlier capture exists. */
const CIKS = [1750, 320193, 1045810, 1652044];

/** Extracts the members of these companies from an archive of company facts, unchanged; returns their directory. */
async function extract(archive: string): Promise<string> {
  const folder = await newFolder('captures');
  mkdirSync(join(folder, 'companyfacts'));
  const { names, read, close } = await openArchive(archive);
  for (const name of names) {
    if (!CIKS.some((cik) => name.startsWith(`CIK${String(cik).padStart(10, '0')}`))) continue;
    writeFileSync(join(folder, 'companyfacts', name), (await read(name)) ?? '');
  }
  close();
  return folder;
}

async function statementsOf(archive: string): Promise<ReadonlyMap<string, readonly ReportedValue[]>> {
  const from = await extract(publicFile(archive));
  const { directory } = await buildRelease({
    sourceDirectory: from,
    home: await newFolder('home'),
    workerScript: null,
    publishFailed: true,
  });
  const release = openRelease(directory ?? '');
  const chains = new Map<string, ReportedValue[]>();
  for (const cik of CIKS) {
    for (const statement of await release.reportedValues(cik)) {
      const key = [cik, statement.metricKey, statement.unit, statement.start, statement.end].join(' ');
      chains.set(key, [...(chains.get(key) ?? []), statement]);
    }
  }
  await release.close();
  return chains;
}

testOn(
  'companyfacts-earlier.zip',
  'a release from newer captures only adds to the chains of one from older captures',
  async () => {
    const [older, newer] = [await statementsOf('companyfacts-earlier.zip'), await statementsOf('companyfacts.zip')];
    expect(older.size).toBeGreaterThan(5000);
    let grown = 0;
    const lost: string[] = [];
    for (const [key, chain] of older) {
      const later = newer.get(key) ?? [];
      const describeValue = (reportedValue: ReportedValue) => `${reportedValue.accession} ${reportedValue.value}`;
      if (
        chain.some(
          (statement, index) => later[index] === undefined || describeValue(statement) !== describeValue(later[index]),
        )
      )
        lost.push(key);
      if (later.length > chain.length) grown += 1;
    }
    expect(lost).toEqual([]);
    expect(grown).toBeGreaterThan(100);
  },
);
