import { expect, test } from 'vitest';
import { identifyForms } from '../../../src/building/filings/identify-forms.ts';
import { readFilingList } from '../../../src/building/market/securities-index.ts';
import { openPublicFiles } from '../../../src/edgar/files/public-files.ts';
import { SkippedRowCounts } from '../../../src/edgar/files/skipped-rows.ts';
import type { FilingRecord } from '../../../src/edgar/filings/submissions.ts';
import { readOwnershipFile, type SourcedOwnershipFiling } from '../../../src/edgar/insiders/ownership-files.ts';
import { makeFiling, makeOwner } from '../../ownership/insiders/filing.ts';
import { expectOfFiles, getPublicFilePath, testWithPublicFile } from '../../public-files.ts';

const ACCESSION = '0000320193-20-000080';

const createListedFiling = (accession: string, reportDate: string, form = '4'): FilingRecord => ({
  ...{ accession, form, filed: '2026-04-22', reportDate },
  ...{ accepted: null, primaryDocument: null, items: [] },
});

function createUnidentifiedForm(facts: Partial<SourcedOwnershipFiling['filing']>): SourcedOwnershipFiling {
  const form = { ...makeFiling(ACCESSION, {}), accession: null, filed: null, ...facts };
  return { filing: form, source: 'form.xml', origin: 'form', acceptedEastern: null, document: null };
}

async function identifyTestForms(
  forms: readonly SourcedOwnershipFiling[],
  issuerFilings: FilingRecord[],
  ownerFilings: FilingRecord[] = [],
) {
  const log = { skipped: new SkippedRowCounts(), problems: [] as string[] };
  const identifiedForms = await identifyForms(forms, issuerFilings, async () => ownerFilings, log);
  return {
    matches: identifiedForms.map(({ filing: { accession, filed } }) => `${accession} ${filed}`),
    skipped: log.problems,
  };
}

test('a form without an accession number is matched to the only filing of its form type and period in the list of the issuer or owner', async () => {
  const filingsOfTwoDays = [
    createListedFiling(ACCESSION, '2026-04-20'),
    createListedFiling('0000320193-20-000081', '2026-04-21'),
  ];
  const filingsOfOneDay = [
    createListedFiling(ACCESSION, '2026-04-20'),
    createListedFiling('0000320193-20-000082', '2026-04-20'),
  ];
  const unidentifiedResult = {
    matches: [],
    skipped: ['form.xml: an ownership filing whose accession number is unknown'],
  };
  expect(await identifyTestForms([createUnidentifiedForm({})], filingsOfTwoDays)).toEqual({
    matches: [`${ACCESSION} 2026-04-22`],
    skipped: [],
  });
  expect(await identifyTestForms([createUnidentifiedForm({})], filingsOfOneDay, filingsOfTwoDays)).toEqual({
    matches: [`${ACCESSION} 2026-04-22`],
    skipped: [],
  });
  expect(await identifyTestForms([createUnidentifiedForm({})], filingsOfOneDay)).toEqual(unidentifiedResult);
  expect(await identifyTestForms([createUnidentifiedForm({ form: '5' })], filingsOfTwoDays)).toEqual(
    unidentifiedResult,
  );
  // A form of another owner already has the accession number of the filing.
  const formOfOtherOwner = createUnidentifiedForm({
    accession: ACCESSION,
    filed: '2026-04-22',
    owners: [makeOwner(7)],
  });
  expect((await identifyTestForms([formOfOtherOwner, createUnidentifiedForm({})], filingsOfTwoDays)).skipped).toEqual(
    unidentifiedResult.skipped,
  );
});

test('a form with an accession number but without a filing date takes the date from the list of an owner', async () => {
  expect(
    (
      await identifyTestForms(
        [createUnidentifiedForm({ accession: ACCESSION })],
        [],
        [createListedFiling(ACCESSION, '2026-04-20')],
      )
    ).matches,
  ).toEqual([`${ACCESSION} 2026-04-22`]);
  expect((await identifyTestForms([createUnidentifiedForm({ accession: ACCESSION })], [])).matches).toEqual([
    `${ACCESSION} null`,
  ]);
});

const APPLE_CIK = 320193;

testWithPublicFile(
  'ownership.zip',
  "Apple's forms without an accession number are matched by form type and period",
  async () => {
    const files = await openPublicFiles(getPublicFilePath(''));
    try {
      const forms: SourcedOwnershipFiling[] = [];
      const archivePath = getPublicFilePath('ownership.zip');
      const collectForm = (form: SourcedOwnershipFiling) => forms.push(form);
      await readOwnershipFile(
        { name: 'ownership.zip', path: archivePath, bytes: 0 },
        (cik) => cik === APPLE_CIK,
        collectForm,
        new SkippedRowCounts(),
        () => {},
      );
      const listedFilings = await readFilingList(files, APPLE_CIK);
      const formsWithoutAccession = forms.filter(({ filing: { accession } }) => accession === null);
      const readList = (cik: number) => readFilingList(files, cik);
      const log = { skipped: new SkippedRowCounts(), problems: [] as string[] };
      const identifiedForms = await identifyForms(formsWithoutAccession, listedFilings, readList, log);
      // Some copies of forms still have the file name of the filed document, which the list of filings also states.
      const documentPairs = identifiedForms.flatMap(({ source, filing: { accession } }) => {
        const documentName = /wf-form4_\d+\.xml$/.exec(source)?.[0];
        return documentName === undefined
          ? []
          : [[documentName, listedFilings.find((filing) => filing.accession === accession)?.primaryDocument]];
      });
      expect(documentPairs.length).toBe(3);
      for (const [document, primaryDocument] of documentPairs) expect(primaryDocument).toContain(document);
      expect(identifiedForms.length + log.problems.length).toBe(formsWithoutAccession.length);
      expect(log.problems.length).toBe(expectOfFiles(2, 1));
    } finally {
      files.close();
    }
  },
);
