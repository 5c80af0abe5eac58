import { expect, test } from 'vitest';
import { type CompanySources, filingRows } from '../../../src/building/filings/company-filings.ts';
import { filingsOf } from '../../../src/building/market/securities-index.ts';
import { readCompanyFacts } from '../../../src/edgar/facts/company-facts.ts';
import { openPublicFiles } from '../../../src/edgar/files/public-files.ts';
import { publicFile, testOn } from '../../public-files.ts';

const DATE = '2026-08-18';
const NOTHING: CompanySources = {
  ...{ cik: 1, list: [], indexRows: [], pages: [], ownershipFilings: [], factFilings: [], reportedValues: [] },
  date: DATE,
};

test('a filing that only facts mention has the form and filing date of the facts, and no other fields', () => {
  const stated = [{ accession: '0000320193-25-000079', form: '10-K', filed: '2025-10-31' }];
  expect(filingRows({ ...NOTHING, cik: 320193, factFilings: stated })).toEqual([
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

testOn('companyfacts.zip', 'every filing that states a fact is in the list of its company exactly once', async () => {
  const files = await openPublicFiles(publicFile(''));
  let added = 0;
  try {
    for (const cik of files.factCiks) {
      const bytes = await files.facts(cik);
      if (bytes === null) continue;
      const list = await filingsOf(files, cik);
      const listed = new Set(list.map(({ accession }) => accession));
      const isWanted = () => false;
      const stated = readCompanyFacts(bytes, { isConceptWanted: isWanted, listedAccessions: listed }).filings;
      const rows = filingRows({ ...NOTHING, cik, list, factFilings: stated }).map(({ accession }) => accession);
      const accessions = new Set(rows);
      expect(accessions.size).toBe(rows.length);
      const missing = readCompanyFacts(bytes, { isConceptWanted: isWanted }).filings.filter(
        (filing) => !accessions.has(filing.accession),
      );
      expect(missing.filter(({ filed }) => filed <= DATE)).toEqual([]);
      added += stated.length;
    }
  } finally {
    files.close();
  }
  expect(added).toBeGreaterThan(3000);
});
