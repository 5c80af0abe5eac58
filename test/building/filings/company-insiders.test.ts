import { expect, test } from 'vitest';
import { makeCompanyInsiders } from '../../../src/building/filings/company-insiders.ts';
import { makeFiling } from '../../ownership/insiders/filing.ts';

test('a form without a known filing date is omitted if its trades are later than the release', () => {
  const makeForm = (accession: string, periodOfReport: string) => ({
    filing: makeFiling(accession, { filed: null, periodOfReport }),
    ...({ source: 'form.xml', origin: 'form', acceptedEastern: null, document: null } as const),
  });
  const forms = [makeForm('0000320193-22-000001', '2022-11-18'), makeForm('0000320193-26-000001', '2026-05-20')];
  const { filings, skipped } = makeCompanyInsiders(forms, {
    ...{ filedByAccession: new Map(), date: '2022-11-18', withoutFootnotes: false },
    market: { findPrice: () => null, findShareLimit: () => null },
  });
  expect(filings.map(({ accession }) => accession)).toEqual(['0000320193-22-000001']);
  expect(skipped).toMatchObject({ 'an ownership filing filed after the date of the release': 1 });
});
