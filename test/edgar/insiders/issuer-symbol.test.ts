import { expect, test } from 'vitest';
import { openArchive } from '../../../src/edgar/files/archive.ts';
import { readTable } from '../../../src/edgar/files/delimited.ts';
import { SkippedRowCounts } from '../../../src/edgar/files/skipped-rows.ts';
import { parseIssuerSymbol } from '../../../src/edgar/insiders/ownership-document.ts';
import { expectOfFiles, getPublicFilePath, testWithPublicFile } from '../../public-files.ts';

test.each([
  ['AAPL', 'AAPL'],
  [' vicr ', 'VICR'],
  ['NYSE: KRC', 'KRC'],
  ['NASDAQ:OPI', 'OPI'],
  ['NYSE/TRN', 'TRN'],
  ['NYSE American: XPL', 'XPL'],
  ['(SIRI)', 'SIRI'],
  ["'LTRX", 'LTRX'],
  ['HBIA.PK', 'HBIA'],
  ['LGF.B', 'LGF-B'],
  ['BF/B', 'BF-B'],
  ['BRK A', 'BRK-A'],
])('the issuer symbol in "%s" is %s', (text, symbol) => {
  expect(parseIssuerSymbol(text)).toBe(symbol);
});

test.each([
  ['BFA, BFB', 'BFA'],
  ['HEI, HEI.A', 'HEI'],
  ['WSO; WSOB', 'WSO'],
  ['MOGA/MOGB', 'MOGA'],
  ['Z AND ZG', 'Z'],
])('the first of the symbols in "%s" is read', (text, symbol) => {
  expect(parseIssuerSymbol(text)).toBe(symbol);
});

test.each([
  ...['', '-', 'NONE', '[None]', 'none', 'N/A', 'n/a', 'NA', 'N.A.', 'NASDAQ', 'NYSE:', '1314152', 'M-6697'],
  ...['PPTINC', 'N O G', 'BIO BIOB', 'MFAC.U', 'ALF P', 'GGT.RT', 'ACRG.A.U', 'ASX:CRN', 'Not Applicable'],
])('%s is not read as a symbol', (text) => {
  expect(parseIssuerSymbol(text)).toBeNull();
});

test('a text of a million characters is read', () => {
  expect(parseIssuerSymbol(`${' '.repeat(1e6)}X`)).toBeNull();
  expect(parseIssuerSymbol(`AAPL,${'X'.repeat(1e6)}`)).toBe('AAPL');
});

testWithPublicFile(
  'datasets/2024q3_form345.zip',
  'nearly every issuer in the set of 2024 Q3 has a symbol',
  async () => {
    const archive = await openArchive(getPublicFilePath('datasets/2024q3_form345.zip'));
    const symbolByText = new Map<string, string | null>();
    const tableOptions = { required: ['ISSUERTRADINGSYMBOL'], optional: [], skipped: new SkippedRowCounts() } as const;
    for await (const rows of readTable(archive, 'SUBMISSION.tsv', tableOptions))
      for (const { ISSUERTRADINGSYMBOL: text } of rows) symbolByText.set(text, parseIssuerSymbol(text));
    archive.close();
    const changedEntries = [...symbolByText].filter(([text, symbol]) => text !== symbol);
    const textsWithoutSymbol = changedEntries.flatMap(([text, symbol]) => (symbol === null ? [text] : []));
    expect(symbolByText.size).toBe(expectOfFiles(4144, 112));
    expect(changedEntries).toHaveLength(75);
    expect(textsWithoutSymbol.filter((text) => !/^[[(]?n.?(?:one|a)?.?[\])]?$/i.test(text)).sort()).toEqual([
      ...[
        '-',
        '1314152',
        'ACRG.A.U',
        'ALF P',
        'ARF STS',
        'ASX:CRN',
        'BIO BIOB',
        'CCIX U',
        'FTCRED',
        'GGT.RT',
        'M-6697',
      ],
      ...['MACI U', 'N O G', 'NASDAQ', 'NTIP-NYSE', 'PPTINC', 'PRTFTM', 'ctb$news20'],
    ]);
  },
);
