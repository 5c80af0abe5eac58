import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OwnershipFiling } from '../../../src/edgar/insiders/ownership-document.ts';
import { judgeFilings, sumTrades } from '../../../src/ownership/insiders/judge.ts';
import { makeFiling, makeOwner, makeTrade } from './filing.ts';

const collectTrades = (filings: ReturnType<typeof judgeFilings>['filings']) => filings.flatMap(({ trades }) => trades);

test('a sale of 1,336 Adobe shares at 248.0201 is exactly 331,354.8536 dollars', () => {
  const sale = makeTrade({ shares: '1336', price: '248.0201', ownedFollowing: '42832.787' });
  const { filings } = judgeFilings([makeFiling('0000796343-26-000103', { trades: [sale] })]);
  expect(filings[0]?.trades[0]).toMatchObject({ status: 'counted', value: '331354.8536', repeated: false });
  expect(sumTrades(collectTrades(filings))).toEqual({
    transactions: 1,
    purchases: 0,
    sales: 1,
    uncountedTransactions: 0,
    purchaseValue: '0',
    saleValue: '331354.8536',
  });
});

test('a purchase of 13,037 Tesla shares at the offering price of 767 dollars is counted with its exact value', () => {
  const purchase = makeTrade({ code: 'P', day: '2020-02-14', shares: '13037', price: '767.00', acquiredDisposed: 'A' });
  const { filings } = judgeFilings([
    makeFiling('0001494730-20-000001', { issuerCik: 1318605, filed: '2020-02-19', trades: [purchase] }),
  ]);
  expect(sumTrades(collectTrades(filings))).toMatchObject({ purchases: 1, sales: 0, purchaseValue: '9999379' });
});

test('a joint filing of two owners counts once (DaVita, May 2026)', () => {
  const { filings } = judgeFilings([
    makeFiling('0000950103-26-006000', {
      issuerCik: 927066,
      filed: '2026-05-05',
      owners: [makeOwner(1067983), makeOwner(315090)],
      trades: [makeTrade({ day: '2026-05-01', shares: '1220376', price: '149.8429', ownedFollowing: '28880209' })],
    }),
  ]);
  expect(filings[0]?.owners).toHaveLength(2);
  expect(sumTrades(collectTrades(filings))).toMatchObject({ transactions: 1, saleValue: '182864678.9304' });
});

test('equal direct trades of different owners count twice, and equal trades of one owner in two filings count once', () => {
  const singleOwnerFiling = makeFiling('0000000001-24-000001', { owners: [makeOwner(1)] });
  const computeSaleValue = (...filings: OwnershipFiling[]) =>
    sumTrades(collectTrades(judgeFilings(filings).filings)).saleValue;
  expect(computeSaleValue(singleOwnerFiling, makeFiling('0000000001-24-000002', { owners: [makeOwner(2)] }))).toBe(
    '2000',
  );
  for (const owners of [[makeOwner(1)], [makeOwner(1), makeOwner(3)]])
    expect(computeSaleValue(singleOwnerFiling, makeFiling('0000000001-24-000002', { owners }))).toBe('1000');
  expect(
    computeSaleValue(singleOwnerFiling, makeFiling('0000000001-24-000002', { owners: [makeOwner(2), makeOwner(3)] })),
  ).toBe('2000');
  const otherAccessions = ['0000000001-24-000002', '0000000001-24-000003'];
  expect(
    computeSaleValue(
      singleOwnerFiling,
      ...otherAccessions.map((accession) => makeFiling(accession, { owners: [makeOwner(2)] })),
    ),
  ).toBe('2000');
});

test('a trade of indirectly held shares in the filings of two owners is listed twice and counted once', () => {
  const indirectOwnership = { directIndirect: 'I' };
  const indirectTrades = [
    makeTrade({ ...indirectOwnership, price: '19.80' }),
    makeTrade({ ...indirectOwnership, ordinal: 2, price: '19.8' }),
    makeTrade({ ...indirectOwnership, ordinal: 3, price: '19.9' }),
  ];
  const { filings } = judgeFilings([
    makeFiling('0000000001-24-000001', { owners: [makeOwner(1)], trades: indirectTrades }),
    makeFiling('0000000001-24-000002', {
      owners: [makeOwner(2)],
      trades: indirectTrades.map((lot) => ({ ...lot, price: `${lot.price}0` })),
    }),
  ]);
  expect(filings.map(({ trades }) => trades.map(({ repeated }) => repeated))).toEqual([
    [false, false, false],
    [true, true, true],
  ]);
  expect(sumTrades(collectTrades(filings))).toMatchObject({
    transactions: 6,
    uncountedTransactions: 0,
    saleValue: '5950',
  });
});

test('equal lots of one filing all count, and a filing that repeats them adds only its additional lots', () => {
  const makeIndirectTrade = () => makeTrade({ directIndirect: 'I' });
  const { filings } = judgeFilings([
    makeFiling('0000000001-24-000001', { trades: [makeIndirectTrade(), makeIndirectTrade()] }),
    makeFiling('0000000001-24-000002', {
      owners: [makeOwner(2)],
      trades: [makeIndirectTrade(), makeIndirectTrade(), makeIndirectTrade()],
    }),
  ]);
  expect(sumTrades(collectTrades(filings)).saleValue).toBe('3000');
});

test('trades with too few details are not treated as repeats', () => {
  const fieldsWithoutHolding = { trades: [makeTrade({ ownedFollowing: null })] };
  const { filings } = judgeFilings([
    makeFiling('0000000001-24-000001', fieldsWithoutHolding),
    makeFiling('0000000001-24-000002', fieldsWithoutHolding),
  ]);
  expect(sumTrades(collectTrades(filings)).saleValue).toBe('2000');
});

test('values add up exactly, whatever the order of the filings', () => {
  const arbitraryAmount = fc
    .integer({ min: 1, max: 10_000_000 })
    .map((n) => `${Math.floor(n / 10_000)}.${String(n % 10_000).padStart(4, '0')}`);
  fc.assert(
    fc.property(fc.array(fc.tuple(arbitraryAmount, arbitraryAmount), { maxLength: 12 }), (pairs) => {
      const filings = pairs.map(([shares, price], index) =>
        makeFiling(`0000000001-24-${String(index).padStart(6, '0')}`, {
          trades: [makeTrade({ shares, price, ownedFollowing: String(index) })],
        }),
      );
      const totals = sumTrades(collectTrades(judgeFilings(filings).filings));
      const reversedTotals = sumTrades(collectTrades(judgeFilings([...filings].reverse()).filings));
      expect(reversedTotals).toEqual(totals);
      const exactValue = pairs.reduce(
        (sum, [shares, price]) => sum + BigInt(shares.replace('.', '')) * BigInt(price.replace('.', '')),
        0n,
      );
      const saleValue = totals.uncountedTransactions === 0 ? totals.saleValue : null;
      if (saleValue !== null && pairs.length > 0) {
        const [integerPart = '', fraction = ''] = saleValue.split('.');
        expect(BigInt(integerPart + fraction.padEnd(8, '0'))).toBe(exactValue);
      }
    }),
  );
});
