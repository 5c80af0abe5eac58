import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { buildRelease } from '../../src/building/build.ts';
import { openArchive } from '../../src/edgar/files/archive.ts';
import type { ReportedValue } from '../../src/figures/revisions/revision-chain.ts';
import { openRelease } from '../../src/store/reader.ts';
import { getPublicFilePath, testWithPublicFile } from '../public-files.ts';
import { makeFolder } from '../store/public-source.ts';

/** CIKs of AAR, Apple, NVIDIA and Alphabet, which are in both archives of company facts. */
const CIKS = [1750, 320193, 1045810, 1652044];

/** Extracts the facts files of the companies in `CIKS` from an archive; returns the directory of the files. */
async function extractCompanies(archive: string): Promise<string> {
  const folder = await makeFolder('captures');
  mkdirSync(join(folder, 'companyfacts'));
  const { names, read, close } = await openArchive(archive);
  for (const name of names) {
    if (!CIKS.some((cik) => name.startsWith(`CIK${String(cik).padStart(10, '0')}`))) continue;
    writeFileSync(join(folder, 'companyfacts', name), (await read(name)) ?? '');
  }
  close();
  return folder;
}

async function readChainsByKey(archive: string): Promise<ReadonlyMap<string, readonly ReportedValue[]>> {
  const source = await extractCompanies(getPublicFilePath(archive));
  const { directory } = await buildRelease({
    sourceDirectory: source,
    home: await makeFolder('home'),
    workerScript: null,
    publishFailed: true,
  });
  const release = openRelease(directory ?? '');
  const chainByKey = new Map<string, ReportedValue[]>();
  for (const cik of CIKS) {
    for (const reportedValue of await release.reportedValues(cik)) {
      const key = [cik, reportedValue.metricKey, reportedValue.unit, reportedValue.start, reportedValue.end].join(' ');
      chainByKey.set(key, [...(chainByKey.get(key) ?? []), reportedValue]);
    }
  }
  await release.close();
  return chainByKey;
}

testWithPublicFile(
  'companyfacts-earlier.zip',
  'a build from newer company facts only adds values to the revision chains of an older build',
  async () => {
    const [olderChains, newerChains] = [
      await readChainsByKey('companyfacts-earlier.zip'),
      await readChainsByKey('companyfacts.zip'),
    ];
    expect(olderChains.size).toBeGreaterThan(5000);
    let longerChainCount = 0;
    const changedKeys: string[] = [];
    for (const [key, chain] of olderChains) {
      const newerChain = newerChains.get(key) ?? [];
      const describeValue = (reportedValue: ReportedValue) => `${reportedValue.accession} ${reportedValue.value}`;
      if (
        chain.some(
          (oldValue, index) =>
            newerChain[index] === undefined || describeValue(oldValue) !== describeValue(newerChain[index]),
        )
      )
        changedKeys.push(key);
      if (newerChain.length > chain.length) longerChainCount += 1;
    }
    expect(changedKeys).toEqual([]);
    expect(longerChainCount).toBeGreaterThan(100);
  },
);
