import { expect, test } from 'vitest';
import { openArchive } from '../../../src/edgar/files/archive.ts';
import { SkippedRowCounts } from '../../../src/edgar/files/skipped-rows.ts';
import { readInformationTable } from '../../../src/edgar/holdings/thirteen-f-documents.ts';
import type { HoldingLine } from '../../../src/edgar/holdings/thirteen-f-report.ts';
import {
  buildPositions,
  comparePositions,
  computeWeight,
  detectValueUnit,
  makePositionKey,
  repeatsValuesAsAmounts,
  sumValues,
} from '../../../src/ownership/holders/positions.ts';
import type { ReportFiling } from '../../../src/ownership/holders/quarters.ts';
import { areReportsDue, findEffectiveReport, findPreviousQuarterEnd } from '../../../src/ownership/holders/quarters.ts';
import { getPublicFilePath, testWithPublicFile } from '../../public-files.ts';

const makeHoldingLine = (
  cusip: string,
  value: string,
  amount: string,
  overrides: Partial<HoldingLine> = {},
): HoldingLine => ({
  issuer: 'X',
  titleOfClass: 'COM',
  cusip,
  value,
  amount,
  amountType: 'SH',
  putCall: '',
  ...overrides,
});
const findNoPrice = () => null;

async function readTable(fileName: string): Promise<HoldingLine[]> {
  const archive = await openArchive(getPublicFilePath('13f.zip'));
  const rows = readInformationTable(String(await archive.read(fileName)), new SkippedRowCounts());
  archive.close();
  return rows.filter((row) => typeof row !== 'string');
}

testWithPublicFile(
  '13f.zip',
  "the unit of values is detected in four 13F reports, of which Baupost's still states thousands in 2026",
  async () => {
    // Activision Blizzard's price per share in Berkshire's tables: $74.34 in September 2022 if values are in thousands,
    // and $76.55 in December if values are in dollars.
    expect(detectValueUnit(await readTable('BRK_B_13f_ancient.xml'), '2022-11-14', findNoPrice)).toBe('thousands');
    expect(detectValueUnit(await readTable('danielsobrado__20651.xml'), '2023-02-14', findNoPrice)).toBe('dollars');
    expect(detectValueUnit(await readTable('baupost_2026q1_infotable.xml'), '2026-05-14', findNoPrice)).toBe(
      'thousands',
    );
    expect(detectValueUnit(await readTable('sa-2025-q4-informationtable.xml'), '2026-02-11', findNoPrice)).toBe(
      'dollars',
    );
  },
);

testWithPublicFile('13f.zip', "Berkshire's lines for one security are summed to one position", async () => {
  const holdingLines = await readTable('BRK_B_13f_ancient.xml');
  const positions = buildPositions(holdingLines, 'thousands');
  expect(holdingLines).toHaveLength(179);
  expect(sumValues(positions)).toBe('296096640000');
  const applePosition = positions[0];
  expect(applePosition).toMatchObject({ cusip: '037833100', amount: '894802319', amountType: 'SH' });
  expect(positions.length).toBeLessThan(60);
});

test('known prices decide the unit first, and the filing date decides if a report has only two lines', () => {
  const lines = [makeHoldingLine('A', '100', '10'), makeHoldingLine('B', '7', '1000')];
  expect(detectValueUnit(lines, '2022-11-14', findNoPrice)).toBe('thousands');
  expect(detectValueUnit(lines, '2022-11-14', (cusip) => (cusip === 'A' ? '10.05' : null))).toBe('dollars');
  // Two warrants worth ten cents each do not prove that a report states values in thousands.
  expect(
    detectValueUnit(
      [makeHoldingLine('A', '100', '1000'), makeHoldingLine('B', '10', '100')],
      '2026-05-14',
      findNoPrice,
    ),
  ).toBe('dollars');
  // Dollars became mandatory in 2023, but this report of 2021 already states dollars.
  expect(
    detectValueUnit(
      Array.from({ length: 6 }, (_, index) => makeHoldingLine(`C${index}`, '50000', '1000')),
      '2021-02-12',
      findNoPrice,
    ),
  ).toBe('dollars');
});

const makeReportFiling = (accession: string, filed: string, overrides: Partial<ReportFiling> = {}): ReportFiling => ({
  accession,
  filed,
  form: '13F-HR',
  amendment: null,
  entryTotal: 110,
  ...overrides,
});
const makeAmendmentFields = (
  number: number,
  type: 'restatement' | 'new_holdings' | null,
  entryTotal: number | null = 4,
) => ({
  form: '13F-HR/A',
  amendment: { number, type },
  entryTotal,
});

test("Berkshire's new holdings of the first quarter of 2025 are added to the original report", () => {
  const originalFiling = makeReportFiling('0000950123-25-005701', '2025-05-15');
  const newHoldingsFiling = makeReportFiling(
    '0000950123-25-008361',
    '2025-08-14',
    makeAmendmentFields(1, 'new_holdings'),
  );
  expect(findEffectiveReport([newHoldingsFiling, originalFiling])).toEqual({
    base: originalFiling,
    parts: [originalFiling, newHoldingsFiling],
  });
  // An amendment that adds holdings needs the report to which it adds.
  expect(findEffectiveReport([newHoldingsFiling])).toBeNull();
});

test('a restatement replaces all earlier reports, new holdings add to it, and an untyped amendment is classified by its entry count', () => {
  const originalReport = makeReportFiling('0000000001-25-000001', '2025-05-15');
  const restatement = makeReportFiling(
    '0000000001-25-000002',
    '2025-05-20',
    makeAmendmentFields(1, 'restatement', 100),
  );
  const newHoldingsReport = makeReportFiling(
    '0000000001-25-000003',
    '2025-06-01',
    makeAmendmentFields(2, 'new_holdings'),
  );
  expect(findEffectiveReport([originalReport, restatement, newHoldingsReport])).toEqual({
    base: restatement,
    parts: [restatement, newHoldingsReport],
  });
  const untypedAmendment = makeReportFiling('0000000001-25-000004', '2025-07-01', makeAmendmentFields(3, null, 90));
  expect(findEffectiveReport([originalReport, untypedAmendment])?.base).toBe(untypedAmendment);
  expect(
    findEffectiveReport([
      originalReport,
      makeReportFiling('0000000001-25-000005', '2025-07-01', makeAmendmentFields(3, null, 4)),
    ])?.parts,
  ).toHaveLength(2);
});

test('a notice (13F-NT) is not a report of holdings', () => {
  expect(findEffectiveReport([makeReportFiling('0001178913-25-000237', '2025-01-28', { form: '13F-NT' })])).toBeNull();
});

test('options, principal amounts and shares are separate positions, and each is compared only with its own previous position', () => {
  const currentPositions = buildPositions(
    [
      makeHoldingLine('037833100', '100', '10'),
      makeHoldingLine('037833100', '50', '5'),
      makeHoldingLine('037833100', '70', '7', { putCall: 'Put' }),
      makeHoldingLine('594918104', '40', '4', { amountType: 'PRN' }),
    ],
    'dollars',
  );
  expect(
    currentPositions.map(({ putCall, amountType, value, amount }) => [putCall, amountType, value, amount]),
  ).toEqual([
    ['', 'SH', '150', '15'],
    ['Put', 'SH', '70', '7'],
    ['', 'PRN', '40', '4'],
  ]);
  const [largestPosition] = currentPositions;
  if (largestPosition !== undefined)
    expect(computeWeight(largestPosition, sumValues(currentPositions))).toBe('0.5769230769');
  const previousPositions = buildPositions(
    [makeHoldingLine('037833100', '90', '9', { titleOfClass: 'COMMON' }), makeHoldingLine('88160R101', '1', '1')],
    'dollars',
  );
  const { previousByKey, opened, closed } = comparePositions(currentPositions, previousPositions);
  expect(currentPositions.map((position) => previousByKey.get(makePositionKey(position))?.amount ?? null)).toEqual([
    '9',
    null,
    null,
  ]);
  expect([opened, closed]).toEqual([2, 1]);
});

test('a table that repeats values as share amounts is recognized', () => {
  const linesWithCopiedValues = Array.from({ length: 5 }, (_, index) => makeHoldingLine(`C${index}`, '500', '500'));
  expect(repeatsValuesAsAmounts(linesWithCopiedValues)).toBe(true);
  expect(repeatsValuesAsAmounts(linesWithCopiedValues.slice(1))).toBe(false);
  expect(
    repeatsValuesAsAmounts([
      ...linesWithCopiedValues.slice(1),
      makeHoldingLine('D', '1', '2'),
      makeHoldingLine('E', '1', '2'),
    ]),
  ).toBe(false);
});

test('the previous quarter end is found, and reports of a quarter are due 45 days after its end', () => {
  expect(findPreviousQuarterEnd('2026-03-31')).toBe('2025-12-31');
  expect(findPreviousQuarterEnd('2025-12-31')).toBe('2025-09-30');
  expect(areReportsDue('2025-12-31', '2026-02-13')).toBe(false);
  expect(areReportsDue('2025-12-31', '2026-02-14')).toBe(true);
});
