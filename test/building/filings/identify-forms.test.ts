import { expect, test } from 'vitest';
import { identifyForms } from '../../../src/building/filings/identify-forms.ts';
import { filingsOf } from '../../../src/building/market/securities-index.ts';
import { openPublicFiles } from '../../../src/edgar/files/public-files.ts';
import { SkippedRows } from '../../../src/edgar/files/skipped-rows.ts';
import type { FilingRecord } from '../../../src/edgar/filings/submissions.ts';
import { readOwnershipFile, type SourcedOwnershipFiling } from '../../../src/edgar/insiders/ownership-files.ts';
import { filing, owner } from '../../figures/insiders/filing.ts';
import { publicFile, testOn } from '../../public-files.ts';

const ACCESSION = '0000320193-20-000080';

const listed = (accession: string, reportDate: string, form = '4'): FilingRecord => ({
  ...{ accession, form, filed: '2026-04-22', reportDate },
  ...{ accepted: null, primaryDocument: null, items: [] },
});

function formWithoutFiling(facts: Partial<SourcedOwnershipFiling['filing']>): SourcedOwnershipFiling {
  const form = { ...filing(ACCESSION, {}), accession: null, filed: null, ...facts };
  return { filing: form, source: 'form.xml', origin: 'form', acceptedEastern: null, document: null };
}

async function identify(
  forms: readonly SourcedOwnershipFiling[],
  issuer: FilingRecord[],
  ownerFilings: FilingRecord[] = [],
) {
  const skipped: string[] = [];
  const identifiedForms = await identifyForms(
    forms,
    issuer,
    async () => ownerFilings,
    (_, reason) => skipped.push(reason),
  );
  return { found: identifiedForms.map(({ filing: { accession, filed } }) => `${accession} ${filed}`), skipped };
}

test('a form without a filing is matched to the only filing of its form and period in the list of its issuer or owner', async () => {
  const one = [listed(ACCESSION, '2026-04-20'), listed('0000320193-20-000081', '2026-04-21')];
  const filingsOfOneDay = [listed(ACCESSION, '2026-04-20'), listed('0000320193-20-000082', '2026-04-20')];
  const unknown = { found: [], skipped: ['an ownership filing whose accession number is unknown'] };
  expect(await identify([formWithoutFiling({})], one)).toEqual({ found: [`${ACCESSION} 2026-04-22`], skipped: [] });
  expect(await identify([formWithoutFiling({})], filingsOfOneDay, one)).toEqual({
    found: [`${ACCESSION} 2026-04-22`],
    skipped: [],
  });
  expect(await identify([formWithoutFiling({})], filingsOfOneDay)).toEqual(unknown);
  expect(await identify([formWithoutFiling({ form: '5' })], one)).toEqual(unknown);
  // A form of another owner already has the accession number of the filing.
  const other = formWithoutFiling({ accession: ACCESSION, filed: '2026-04-22', owners: [owner(7)] });
  expect((await identify([other, formWithoutFiling({})], one)).skipped).toEqual(unknown.skipped);
});

test('a form whose folder names the filing has its filing date from the list of an owner', async () => {
  expect(
    (await identify([formWithoutFiling({ accession: ACCESSION })], [], [listed(ACCESSION, '2026-04-20')])).found,
  ).toEqual([`${ACCESSION} 2026-04-22`]);
  expect((await identify([formWithoutFiling({ accession: ACCESSION })], [])).found).toEqual([`${ACCESSION} null`]);
});

const APPLE = 320193;

testOn('ownership.zip', "Apple's forms without a filing are matched by form and period", async () => {
  const files = await openPublicFiles(publicFile(''));
  try {
    const forms: SourcedOwnershipFiling[] = [];
    const path = publicFile('ownership.zip');
    const take = (form: SourcedOwnershipFiling) => forms.push(form);
    await readOwnershipFile(
      { name: 'ownership.zip', path, bytes: 0 },
      (cik) => cik === APPLE,
      take,
      new SkippedRows(),
      () => {},
    );
    const list = await filingsOf(files, APPLE);
    const unnamed = forms.filter(({ filing: { accession } }) => accession === null);
    const skipped: string[] = [];
    const identifiedForms = await identifyForms(
      unnamed,
      list,
      (cik) => filingsOf(files, cik),
      ({ source }) => skipped.push(source),
    );
    // Some copies of forms still have the file name of the filed document, which the list of filings also states.
    const named = identifiedForms.flatMap(({ source, filing: { accession } }) => {
      const document = /wf-form4_\d+\.xml$/.exec(source)?.[0];
      return document === undefined
        ? []
        : [[document, list.find((filing) => filing.accession === accession)?.primaryDocument]];
    });
    expect(named.length).toBe(3);
    for (const [document, primary] of named) expect(primary).toContain(document);
    expect(identifiedForms.length + skipped.length).toBe(unnamed.length);
    expect(skipped.length).toBe(2);
  } finally {
    files.close();
  }
});
