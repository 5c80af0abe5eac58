/** Tests the task that makes the tables of managers, with reports of two quarters. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeManagerTables } from '../../../src/building/market/manager-tables.ts';
import { KEYED_LINE_CODEC, NO_TABLE, type TableCounts } from '../../../src/building/market/market-files.ts';
import { makePricesGroup, type QuarterEndPrice, readPriceRows } from '../../../src/building/market/observations.ts';
import type { NamedSecurities } from '../../../src/building/market/securities-index.ts';
import { makeHoldersGroup, makeSecurityHolders } from '../../../src/building/market/security-holders.ts';
import { SliceIndex, SliceWriter, writeSharedValue } from '../../../src/building/tasks/slices.ts';
import type { HoldingLine, ThirteenFReport } from '../../../src/edgar/holdings/thirteen-f-report.ts';
import type { Table } from '../../../src/store/schema/declare-table.ts';
import { HOLDER_POSITIONS, HOLDER_REPORTS, SECURITY_HOLDERS } from '../../../src/store/schema/holders.ts';
import type { TablePart } from '../../../src/store/table-part.ts';
import { makeTemporaryFolder } from '../../clean-up.ts';

const APPLE_CUSIP = '037833100';
const ALPHABET_A_CUSIP = '02079K305';
const ALPHABET_C_CUSIP = '02079K107';
const UNCOVERED_CUSIP = '999999999';
const NAMED_SECURITIES: NamedSecurities = {
  cusips: [
    [APPLE_CUSIP, { cik: 320193, tickerNormalized: 'AAPL' }],
    [ALPHABET_A_CUSIP, { cik: 1652044, tickerNormalized: 'GOOGL' }],
    [ALPHABET_C_CUSIP, { cik: 1652044, tickerNormalized: 'GOOG' }],
  ],
  issuers: [],
  symbols: [],
  outdated: [],
};

const createHoldingLine = (
  cusip: string,
  value: string,
  amount: string,
  overrides: Partial<HoldingLine> = {},
): HoldingLine => ({
  ...{ issuer: `ISSUER OF ${cusip}`, titleOfClass: 'COM', amountType: 'SH', putCall: '' },
  ...{ cusip, value, amount, ...overrides },
});

interface TestReport extends Partial<ThirteenFReport> {
  readonly period: string;
  readonly filed: string | null;
  readonly lines: readonly HoldingLine[];
  /** By default the table has the lines only. */
  readonly table?: Partial<TableCounts>;
}

const THIRD_QUARTER = { period: '2023-09-30', filed: '2023-11-14' } as const;
const FOURTH_QUARTER = { period: '2023-12-31', filed: '2024-02-14' } as const;

/**
 * Runs the task on files, each with a list of reports. A report that several files contain has the same `key` in each
 * of them.
 */
async function makeTables(
  files: readonly (readonly (TestReport & { readonly key?: string })[])[],
  {
    lastDay = null,
    prices = [],
  }: { readonly lastDay?: string | null; readonly prices?: readonly QuarterEndPrice[] } = {},
) {
  const folder = makeTemporaryFolder('managers');
  const seenKeys = new Set<string>();
  const sources = files.map((reports, index) => {
    const writer = new SliceWriter(join(folder, `lines-${index}`));
    const keyedReports = reports.flatMap(({ lines, key, table, ...overrides }, reportIndex) => {
      const report: ThirteenFReport = {
        ...{ cik: 7, managerName: 'A Manager', form: '13F-HR', amendment: null, otherManagerCount: 0, reportedBy: [] },
        ...{ accession: `0000000007-24-00000${reportIndex + 1}`, entryTotal: null, valueTotal: null },
        ...overrides,
      };
      const reportKey = key ?? `${index} ${reportIndex}`;
      for (const reportLine of lines)
        writer.add('managers', `${report.cik}\t${KEYED_LINE_CODEC.write({ key: reportKey, line: reportLine })}\n`);
      // As in the build, a report that several files contain is returned only for the first of these files.
      if (seenKeys.has(reportKey)) return [];
      seenKeys.add(reportKey);
      return [{ key: reportKey, report, table: { ...NO_TABLE, lines: lines.length, ...table } }];
    });
    const slices = new SliceIndex();
    slices.add(writer.finish());
    return { reports: keyedReports, lines: slices.getSlices('managers') };
  });
  const managersResult = await makeManagerTables(
    {
      ...{ kind: 'managers', sources, lastDay, shardEnds: [] },
      securityNames: writeSharedValue(join(folder, 'names'), NAMED_SECURITIES),
      quarterEndPrices: writeSharedValue(join(folder, 'prices'), prices),
    },
    new SliceWriter(join(folder, 'output')),
  );
  const outputSlices = new SliceIndex();
  outputSlices.add(managersResult.output);
  const holdersResult = await makeSecurityHolders({
    kind: 'holders',
    holdings: outputSlices.getSlices(makeHoldersGroup('last')),
    quarter: '2023-12-31',
  });
  const [reports, positions] = managersResult.parts;
  return {
    reports: readRemainingRows(HOLDER_REPORTS, reports),
    positions: readRemainingRows(HOLDER_POSITIONS, positions),
    holders: readRemainingRows(SECURITY_HOLDERS, holdersResult.parts[0]),
    prices: [...readPriceRows({ slices: outputSlices.getSlices(makePricesGroup('last')), lastDay: null })].flatMap(
      ([, rows]) => rows,
    ),
    totals: managersResult.totals,
    lastDay: managersResult.lastDay,
  };
}

/** Returns the rows of a part that is too small for a row group. */
function readRemainingRows(table: Table, part: TablePart | undefined): Record<string, unknown>[] {
  const { columns, keys } = part?.remainingRows ?? { columns: [], keys: [] };
  expect(part?.groups).toEqual([]);
  return Array.from({ length: columns[0]?.length ?? keys.length }, (_, row) =>
    Object.fromEntries(table.columns.map(({ field }, index) => [field, columns[index]?.[row]])),
  );
}

test('lines of one security are summed, and positions are compared with the previous quarter', async () => {
  const { reports, positions, prices, lastDay } = await makeTables([
    [
      {
        ...THIRD_QUARTER,
        lines: [createHoldingLine(APPLE_CUSIP, '1712100', '10000'), createHoldingLine(UNCOVERED_CUSIP, '500', '50')],
      },
      {
        ...FOURTH_QUARTER,
        lines: [
          createHoldingLine(APPLE_CUSIP, '1925300', '10000'),
          createHoldingLine(APPLE_CUSIP, '962650', '5000'),
          createHoldingLine(ALPHABET_A_CUSIP, '139690', '1000'),
        ],
      },
    ],
  ]);
  expect(reports).toMatchObject([
    { period: '2023-09-30', positions: 2, valueTotal: '1712600', priorPeriod: null, opened: null, closed: null },
    { period: '2023-12-31', positions: 2, valueTotal: '3027640', priorPeriod: '2023-09-30', opened: 1, closed: 1 },
  ]);
  expect(positions).toMatchObject([
    { ...{ cusip: APPLE_CUSIP, amount: '15000', value: '2887950', weight: '0.9538617537' }, tickerNormalized: 'AAPL' },
    { ...{ cusip: ALPHABET_A_CUSIP, amount: '1000', value: '139690', priorAmount: null }, tickerNormalized: 'GOOGL' },
  ]);
  expect(positions[0]).toMatchObject({ priorAmount: '10000', priorValue: '1712100', cik: 320193 });
  // Each report implies one price per covered security, on the last trading day of the quarter.
  expect(prices.map(({ tickerNormalized, day, price }) => [tickerNormalized, day, price])).toEqual([
    ['AAPL', '2023-09-29', '171.21'],
    ['AAPL', '2023-12-29', '192.53'],
    ['GOOGL', '2023-12-29', '139.69'],
  ]);
  expect(lastDay).toBe('2023-12-29');
});

test('a report in thousands is recognized by prices of other sources and converted to dollars', async () => {
  const reportInThousands = {
    ...FOURTH_QUARTER,
    lines: [createHoldingLine(APPLE_CUSIP, '1925', '10000'), createHoldingLine(ALPHABET_A_CUSIP, '140', '1000')],
  };
  const prices: readonly QuarterEndPrice[] = [['AAPL 2023-12-31', '192.53', '2023-12-29']];
  const { reports, positions, totals } = await makeTables([[reportInThousands]], { prices });
  expect(reports).toMatchObject([{ valueTotal: '2065000' }]);
  expect(positions.map(({ value }) => value)).toEqual(['1925000', '140000']);
  expect(totals).toMatchObject({ testedReports: 1, reportsInThousands: 1 });
  // Without a known price for comparison, a report filed since 2023 counts as stated in dollars.
  expect((await makeTables([[reportInThousands]])).reports).toMatchObject([{ valueTotal: '2065' }]);
});

test('a restatement replaces its original, new holdings are added, and amendments filed after the release are ignored', async () => {
  const makeAmendedReport = (
    number: number,
    type: 'restatement' | 'new_holdings',
    filed: string,
    ...lines: HoldingLine[]
  ) => ({
    ...{ ...FOURTH_QUARTER, form: '13F-HR/A', amendment: { number, type }, filed, lines },
    accession: `0000000007-24-00001${number}`,
  });
  const reports = [
    { ...FOURTH_QUARTER, lines: [createHoldingLine(APPLE_CUSIP, '100', '1')] },
    makeAmendedReport(1, 'restatement', '2024-02-20', createHoldingLine(APPLE_CUSIP, '1925300', '10000')),
    makeAmendedReport(2, 'new_holdings', '2024-03-01', createHoldingLine(ALPHABET_A_CUSIP, '139690', '1000')),
  ];
  const tables = await makeTables([reports]);
  expect(tables.reports).toMatchObject([
    { accession: '0000000007-24-000011', filed: '2024-02-20', positions: 2, valueTotal: '2064990' },
  ]);
  const tablesWithoutAdditions = await makeTables([reports], { lastDay: '2024-02-29' });
  expect(tablesWithoutAdditions.reports).toMatchObject([{ accession: '0000000007-24-000011', valueTotal: '1925300' }]);
  const tablesOfOriginal = await makeTables([reports], { lastDay: '2024-02-19' });
  expect(tablesOfOriginal.reports).toMatchObject([{ accession: '0000000007-24-000001', valueTotal: '100' }]);
  expect((await makeTables([reports], { lastDay: '2024-01-01' })).reports).toEqual([]);
});

test('notes of a covered company have no ticker, options are positions without holders, and each class is separate', async () => {
  const { positions, holders, prices } = await makeTables([
    [
      {
        ...FOURTH_QUARTER,
        lines: [
          createHoldingLine(ALPHABET_A_CUSIP, '139690', '1000'),
          createHoldingLine(ALPHABET_C_CUSIP, '140930', '1000'),
          createHoldingLine(APPLE_CUSIP, '192530', '1000', { putCall: 'Put' }),
          createHoldingLine('037833AB1', '990000', '1000000', { amountType: 'PRN' }),
        ],
      },
    ],
  ]);
  expect(positions.map(({ cusip, cik, tickerNormalized }) => [cusip, cik, tickerNormalized])).toEqual([
    ['037833AB1', 320193, ''],
    [APPLE_CUSIP, 320193, 'AAPL'],
    [ALPHABET_C_CUSIP, 1652044, 'GOOG'],
    [ALPHABET_A_CUSIP, 1652044, 'GOOGL'],
  ]);
  expect(
    holders.map(({ cik, tickerNormalized, amountType, amount }) => [cik, tickerNormalized, amountType, amount]),
  ).toEqual([
    [320193, '', 'PRN', '1000000'],
    [1652044, 'GOOG', 'SH', '1000'],
    [1652044, 'GOOGL', 'SH', '1000'],
  ]);
  expect(prices.map(({ tickerNormalized }) => tickerNormalized)).toEqual(['GOOG', 'GOOGL']);
});

test('the row of a holder states whether the manager reported the previous and the next quarter', async () => {
  const lines = [createHoldingLine(APPLE_CUSIP, '192530', '1000')];
  const { holders } = await makeTables([
    [
      { ...THIRD_QUARTER, lines },
      { ...FOURTH_QUARTER, lines },
    ],
  ]);
  expect(holders).toMatchObject([
    { period: '2023-09-30', holderName: 'A Manager', priorKnown: false, nextKnown: true, weight: '1' },
    { period: '2023-12-31', holderName: 'A Manager', priorKnown: true, nextKnown: false },
  ]);
});

test('an incomplete report, and a report of an unknown filing, are omitted but imply prices', async () => {
  const lines = [createHoldingLine(APPLE_CUSIP, '192530', '1000')];
  for (const overrides of [{ entryTotal: 3 }, { accession: null, filed: null }]) {
    const { reports, holders, prices } = await makeTables([[{ ...FOURTH_QUARTER, ...overrides, lines }]]);
    expect([reports, holders]).toEqual([[], []]);
    expect(prices).toMatchObject([{ tickerNormalized: 'AAPL', price: '192.53' }]);
  }
});

test('a table that repeats values as share amounts implies no prices and no holders', async () => {
  const cusips = [APPLE_CUSIP, ALPHABET_A_CUSIP, ALPHABET_C_CUSIP, UNCOVERED_CUSIP, '888888888'];
  const lines = cusips.map((cusip, index) => createHoldingLine(cusip, `${index + 1}000`, `${index + 1}000`));
  const { positions, holders, prices } = await makeTables([[{ ...FOURTH_QUARTER, lines }]]);
  expect(positions).toHaveLength(5);
  expect([holders, prices]).toEqual([[], []]);
});

test('a quarter whose table repeats values as share amounts counts as unreported by the manager', async () => {
  const cusips = [APPLE_CUSIP, ALPHABET_A_CUSIP, ALPHABET_C_CUSIP, UNCOVERED_CUSIP, '888888888'];
  const faultyLines = cusips.map((cusip, index) => createHoldingLine(cusip, `${index + 1}000`, `${index + 1}000`));
  const lines = [createHoldingLine(APPLE_CUSIP, '192530', '1000')];
  const readHolderFlags = async (...quarters: readonly TestReport[]) =>
    (await makeTables([quarters])).holders.map(({ period, priorKnown, nextKnown }) => [period, priorKnown, nextKnown]);
  expect(await readHolderFlags({ ...THIRD_QUARTER, lines }, { ...FOURTH_QUARTER, lines: faultyLines })).toEqual([
    ['2023-09-30', false, false],
  ]);
  expect(await readHolderFlags({ ...THIRD_QUARTER, lines: faultyLines }, { ...FOURTH_QUARTER, lines })).toEqual([
    ['2023-12-31', false, false],
  ]);
});

test('positions of fewer than a hundred shares imply no price', async () => {
  const lines = [createHoldingLine(APPLE_CUSIP, '19060', '99'), createHoldingLine(ALPHABET_A_CUSIP, '13969', '100')];
  const { prices } = await makeTables([[{ ...FOURTH_QUARTER, lines }]]);
  expect(prices.map(({ tickerNormalized }) => tickerNormalized)).toEqual(['GOOGL']);
});

test('a small position stated in thousands implies no price, because its value is rounded too coarsely', async () => {
  const quarterEndPrices: readonly QuarterEndPrice[] = [['AAPL 2020-12-31', '132.69', '2020-12-31']];
  const derivePrices = async (value: string, amount: string) => {
    const report = {
      period: '2020-12-31',
      filed: '2021-01-27',
      lines: [createHoldingLine(APPLE_CUSIP, value, amount)],
    };
    return (await makeTables([[report]], { prices: quarterEndPrices })).prices.map(({ price }) => price);
  };
  // 100 shares at 132.69 dollars have a value of 13 thousand dollars, which would imply 130 dollars.
  expect(await derivePrices('13', '100')).toEqual([]);
  expect(await derivePrices('531', '4000')).toEqual(['132.75']);
});

test('the implied price of a position is in whole cents if such a price fits the rounded value', async () => {
  const derivePrices = async (value: string, quarterEndPrices: readonly QuarterEndPrice[] = []) =>
    (
      await makeTables([[{ ...FOURTH_QUARTER, lines: [createHoldingLine(APPLE_CUSIP, value, '10001')] }]], {
        prices: quarterEndPrices,
      })
    ).prices;
  expect(await derivePrices('1925493')).toMatchObject([{ price: '192.53' }]);
  expect(await derivePrices('1925499')).toMatchObject([{ price: '192.5306' }]);
  const quarterEndPrices: readonly QuarterEndPrice[] = [['AAPL 2023-12-31', '192.53', '2023-12-29']];
  expect(await derivePrices('1925', quarterEndPrices)).toMatchObject([{ price: '192.48' }]);
});

test('a report that two files contain counts once, and a manager without a covered security is omitted', async () => {
  const lines = [createHoldingLine(APPLE_CUSIP, '192530', '1000')];
  const tables = await makeTables([
    [{ ...FOURTH_QUARTER, lines, key: 'same' }],
    [{ ...FOURTH_QUARTER, lines, key: 'same' }],
    [{ ...FOURTH_QUARTER, cik: 8, lines: [createHoldingLine(UNCOVERED_CUSIP, '1000', '100')] }],
  ]);
  expect(tables.reports).toMatchObject([{ holderCik: 7, positions: 1, valueTotal: '192530' }]);
  expect(tables.positions).toHaveLength(1);
  // The table of the omitted manager is still compared with its cover page.
  expect(tables.totals.testedReports).toBe(2);
});
