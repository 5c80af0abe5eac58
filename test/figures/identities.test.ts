/** What must hold between the figures of a company, over every company. */
import { expect } from 'vitest';
import { readCompanyFacts } from '../../src/edgar/facts/company-facts.ts';
import { openPublicFiles } from '../../src/edgar/files/public-files.ts';
import { readSubmissions } from '../../src/edgar/filings/submissions.ts';
import { checkFigures, type IdentityResult, mergeResults, passes } from '../../src/figures/checks/identities.ts';
import { deriveCompany } from '../../src/figures/company.ts';
import { publicFile, testOn } from '../public-files.ts';

/** What filers' restatements and slips break; no other identity is broken at all. */
const BROKEN_BY_FILERS: ReadonlySet<string> = new Set([
  'four quarters = their year',
  'derived quarter near its neighbours',
  'one row a period',
]);

testOn('companyfacts.zip', 'figures of one filing, of one metric and of one row agree with each other', async () => {
  const source = await openPublicFiles(publicFile(''));
  const results: IdentityResult[][] = [];
  for (const cik of source.factCiks) {
    const { facts } = readCompanyFacts((await source.facts(cik)) ?? Buffer.alloc(0));
    const { main, pages } = await source.submissions(cik);
    const { figures, screen } = deriveCompany(facts, readSubmissions(main, pages).filings, {
      releaseDate: '2026-08-20',
    });
    const filings = new Set(facts.map(({ accession }) => accession));
    results.push(checkFigures({ figures, screen: screen?.figures ?? null, filings }));
  }
  source.close();
  const merged = mergeResults(results);
  console.table(Object.fromEntries(merged.map(({ name, checked, broken }) => [name, { checked, broken }])));
  for (const result of merged) {
    for (const { subject, off } of result.worst) console.log(`${result.name}: ${subject}, ${off} off`);
    expect(result.checked, result.name).toBeGreaterThan(0);
    expect.soft(passes(result), result.name).toBe(true);
    if (!BROKEN_BY_FILERS.has(result.name)) expect.soft(result.broken, result.name).toBe(0);
  }
});
