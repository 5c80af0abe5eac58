import { expect, test } from 'vitest';
import { type FilingRowSources, makeFilingRows } from '../../../src/building/filings/company-filings.ts';
import { readFilingList } from '../../../src/building/market/securities-index.ts';
import { readCompanyFacts } from '../../../src/edgar/facts/company-facts.ts';
import { openPublicFiles } from '../../../src/edgar/files/public-files.ts';
import { expectOfFiles, getPublicFilePath, testWithPublicFile } from '../../public-files.ts';

const RELEASE_DATE = '2026-08-18';
const NO_SOURCES: FilingRowSources = {
  ...{ cik: 1, list: [], indexRows: [], pages: [], ownershipFilings: [], factFilings: [], reportedValues: [] },
  date: RELEASE_DATE,
};

test('a filing that only facts mention has the form and filing date of the facts, and no other fields', () => {
  const factFilings = [{ accession: '0000320193-25-000079', form: '10-K', filed: '2025-10-31' }];
  expect(makeFilingRows({ ...NO_SOURCES, cik: 320193, factFilings })).toEqual([
    {
      cik: 320193,
      accession: '0000320193-25-000079',
      form: '10-K',
      filed: '2025-10-31',
      acceptedAt: null,
      timing: null,
      items: '',
      primaryDocument: null,
      reportDate: null,
      fiscalYear: null,
      fiscalPeriod: null,
      periodEnd: null,
    },
  ]);
});

testWithPublicFile(
  'companyfacts.zip',
  'every filing with a fact is in the rows of its company exactly once',
  async () => {
    const files = await openPublicFiles(getPublicFilePath(''));
    let addedCount = 0;
    try {
      for (const cik of files.factCiks) {
        const bytes = await files.readFacts(cik);
        if (bytes === null) continue;
        const listedFilings = await readFilingList(files, cik);
        const listedAccessions = new Set(listedFilings.map(({ accession }) => accession));
        const isWanted = () => false;
        const factFilings = readCompanyFacts(bytes, {
          isConceptWanted: isWanted,
          listedAccessions,
        }).filings;
        const rowAccessions = makeFilingRows({ ...NO_SOURCES, cik, list: listedFilings, factFilings }).map(
          ({ accession }) => accession,
        );
        const uniqueAccessions = new Set(rowAccessions);
        expect(uniqueAccessions.size).toBe(rowAccessions.length);
        const missingFilings = readCompanyFacts(bytes, { isConceptWanted: isWanted }).filings.filter(
          (filing) => !uniqueAccessions.has(filing.accession),
        );
        expect(missingFilings.filter(({ filed }) => filed <= RELEASE_DATE)).toEqual([]);
        addedCount += factFilings.length;
      }
    } finally {
      files.close();
    }
    expect(addedCount).toBeGreaterThan(expectOfFiles(3000, 100));
  },
);
