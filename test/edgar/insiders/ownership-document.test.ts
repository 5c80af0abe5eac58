import { expect, test } from 'vitest';
import { openArchive } from '../../../src/edgar/files/archive.ts';
import { readOwnershipDocument } from '../../../src/edgar/insiders/ownership-document.ts';
import { expectOfFiles, getPublicFilePath, testWithPublicFile } from '../../public-files.ts';
import { ADOBE_FORM, type FormFacts, writeOwnershipForm } from './ownership-form.ts';

function readForm(facts: FormFacts) {
  const filing = readOwnershipDocument(writeOwnershipForm(facts));
  if (typeof filing === 'string') throw new Error(filing);
  return filing;
}

test('a sale has every digit of its price and of the remaining shares', () => {
  expect(readForm(ADOBE_FORM)).toEqual({
    form: '4',
    issuerCik: 796343,
    issuerSymbol: null,
    periodOfReport: '2026-04-20',
    originalFiled: null,
    aff10b5One: false,
    owners: [
      {
        cik: 1610062,
        name: 'Durn Daniel',
        isDirector: false,
        isOfficer: true,
        isTenPercentOwner: false,
        isOther: false,
        officerTitle: 'EVP & CFO',
        otherText: null,
      },
    ],
    trades: [
      {
        ordinal: 1,
        securityTitle: 'Common Stock',
        code: 'S',
        day: '2026-04-20',
        shares: '1336',
        price: '248.0201',
        acquiredDisposed: 'D',
        ownedFollowing: '42832.787',
        directIndirect: 'D',
        natureOfOwnership: null,
        footnoteIds: [],
      },
    ],
    footnotes: [],
  });
});

test('a joint filing has one transaction and every owner (DaVita, reported by Berkshire and its chairman)', () => {
  const filing = readForm({
    form: '4',
    issuer: 927066,
    period: '2026-05-01',
    owners: [
      { cik: 1067983, name: 'BERKSHIRE HATHAWAY INC', roles: 'isTenPercentOwner' },
      { cik: 315090, name: 'BUFFETT WARREN E', roles: 'isTenPercentOwner' },
    ],
    rows: [
      { code: 'S', day: '2026-05-01', shares: '1220376', price: '149.8429', acquiredOrDisposed: 'D', ownership: 'I' },
    ],
  });
  expect(filing.owners.map((owner) => [owner.cik, owner.isTenPercentOwner, owner.isDirector])).toEqual([
    [1067983, true, false],
    [315090, true, false],
  ]);
  expect(filing.trades).toHaveLength(1);
});

test('only purchases and sales are read; the ordinal counts every transaction (10x Genomics: M, then S)', () => {
  const filing = readForm({
    form: '4',
    issuer: 1770787,
    owners: [{ cik: 1421050, name: 'Mammen Mathai', roles: 'isDirector' }],
    rows: [
      { code: 'M', day: '2023-05-11', shares: '200000', price: '1.16', acquiredOrDisposed: 'A' },
      { day: '2023-05-11', shares: '1' },
      {
        code: 'S',
        day: '2023-05-11',
        shares: '33000',
        price: '52.8208',
        acquiredOrDisposed: 'D',
        footnoteIdsByField: { price: ['F1', 'F1'] },
      },
    ],
    footnotes: { F1: 'A weighted\n   average.' },
  });
  expect(filing.trades.map((trade) => [trade.ordinal, trade.code, trade.price, trade.footnoteIds])).toEqual([
    [3, 'S', '52.8208', ['F1']],
  ]);
  expect(filing.footnotes).toEqual([{ id: 'F1', text: 'A weighted average.' }]);
});

test('dates with a time zone and flags as words are read, and a purchase marked as disposal is kept as filed (AREC, 2024)', () => {
  const filing = readForm({
    form: '4',
    issuer: 1590715,
    period: '2024-07-19-05:00',
    aff10b5One: 'false',
    owners: [{ cik: 1662466, name: 'GOLDEN PROPERTIES LTD.' }],
    rows: [{ code: 'P', day: '2024-07-19-05:00', shares: '800000', price: '0.67', acquiredOrDisposed: 'D' }],
  });
  expect(filing.periodOfReport).toBe('2024-07-19');
  expect(filing.aff10b5One).toBe(false);
  expect(filing.trades[0]).toMatchObject({ day: '2024-07-19', code: 'P', acquiredDisposed: 'D' });
});

test('a missing 10b5-1 box is unknown, not "no", and an invalid figure is missing', () => {
  const filing = readForm({
    ...ADOBE_FORM,
    aff10b5One: '',
    rows: [
      { code: 'S', day: '2026-02-30', shares: 'see note', price: '1e-05', footnoteIdsByField: { shares: ['F2'] } },
    ],
  });
  expect(filing.aff10b5One).toBeNull();
  expect(filing.trades[0]).toMatchObject({ day: null, shares: null, price: '0.00001', footnoteIds: ['F2'] });
});

test('anything but a Form 4 or 5 is refused with a reason', () => {
  expect(readOwnershipDocument('<a>')).toMatch(/not readable XML/);
  expect(readOwnershipDocument('<edgarSubmission/>')).toMatch(/not an ownership filing/);
  expect(readOwnershipDocument(writeOwnershipForm({ ...ADOBE_FORM, form: '3' }))).toMatch(/Form 3/);
  expect(readOwnershipDocument(writeOwnershipForm({ ...ADOBE_FORM, form: '144' }))).toMatch(/a form other than 4 or 5/);
  expect(readOwnershipDocument(writeOwnershipForm({ ...ADOBE_FORM, issuer: 0 }))).toMatch(/issuer's CIK/);
  expect(readOwnershipDocument(writeOwnershipForm({ ...ADOBE_FORM, owners: [] }))).toMatch(/reporting owner/);
});

testWithPublicFile('ownership.zip', 'every real ownership form is read, except Form 3', async () => {
  const archive = await openArchive(getPublicFilePath('ownership.zip'), undefined, 'path');
  const counts = { filings: 0, symbols: 0, trades: 0, form3: 0 };
  for (const name of archive.names.filter((member) => member.endsWith('.xml') && !member.includes('should_fail'))) {
    const text = (await archive.read(name)).toString('utf8');
    const filing = readOwnershipDocument(text);
    if (typeof filing === 'string') {
      expect(filing, name).toBe('a Form 3, which lists no transactions');
      counts.form3 += 1;
      continue;
    }
    counts.filings += 1;
    counts.trades += filing.trades.length;
    if (filing.issuerSymbol !== null) counts.symbols += 1;
    const tableMarkup = /<nonDerivativeTable>[\s\S]*<\/nonDerivativeTable>/.exec(text)?.[0] ?? '';
    expect(filing.trades.length, name).toBe(tableMarkup.match(/<transactionCode>\s*[PS]\s*</g)?.length ?? 0);
    for (const trade of filing.trades) {
      expect(trade.day, name).not.toBeNull();
      expect(
        trade.footnoteIds.every((id) => filing.footnotes.some((note) => note.id === id)),
        name,
      ).toBe(true);
    }
  }
  archive.close();
  expect(counts.filings).toBeGreaterThan(expectOfFiles(380, 14));
  expect(counts.trades).toBeGreaterThan(expectOfFiles(500, 10));
  expect(counts.symbols).toBeGreaterThan(expectOfFiles(380, 14));
  expect(counts.form3).toBeGreaterThan(expectOfFiles(10, 0));
});
