import { expect, test } from 'vitest';
import type { OwnershipFiling, Trade } from '../../../src/edgar/insiders/ownership-document.ts';
import { applyAmendments } from '../../../src/ownership/insiders/amendments.ts';
import { judgeFilings, sumTrades } from '../../../src/ownership/insiders/judge.ts';
import { makeFiling, makeOwner, makeTrade } from './filing.ts';

const listAccessions = (filings: readonly { accession: string }[]) => filings.map(({ accession }) => accession);

test('an amendment replaces the only filing of the same owners on the day that it states for the original', () => {
  const originalFiling = makeFiling('0000000001-24-000001', {
    filed: '2024-11-04',
    trades: [makeTrade({ shares: '3690' })],
  });
  const otherOwnersFiling = makeFiling('0000000001-24-000002', { filed: '2024-11-04', owners: [makeOwner(7)] });
  const amendment = makeFiling('0000000001-25-000004', {
    form: '4/A',
    filed: '2025-01-21',
    originalFiled: '2024-11-04',
    trades: [makeTrade({ shares: '3609' })],
  });
  const { effectiveFilings, skipped } = applyAmendments([amendment, otherOwnersFiling, originalFiling]);
  expect(listAccessions(effectiveFilings)).toEqual(['0000000001-24-000002', '0000000001-25-000004']);
  expect(skipped).toMatchObject({ superseded: 1, unmatched: 0 });
});

test('a later amendment of the same original supersedes the earlier one', () => {
  const filings = [
    makeFiling('0000000001-24-000001', { filed: '2024-11-04' }),
    makeFiling('0000000001-24-000009', { form: '4/A', filed: '2024-11-08', originalFiled: '2024-11-04' }),
    makeFiling('0000000001-24-000012', { form: '4/A', filed: '2024-12-01', originalFiled: '2024-11-04' }),
  ];
  expect(listAccessions(applyAmendments(filings).effectiveFilings)).toEqual(['0000000001-24-000012']);
});

test('an amendment that matches no original, or several, is skipped, and the originals stay', () => {
  const repeatedFilings = [
    makeFiling('0000000001-24-000001', { filed: '2024-11-04' }),
    makeFiling('0000000001-24-000002', { filed: '2024-11-04' }),
    makeFiling('0000000001-24-000003', { form: '4/A', filed: '2024-11-08', originalFiled: '2024-11-04' }),
    makeFiling('0000000001-24-000004', { form: '4/A', filed: '2024-11-08', originalFiled: '2024-11-05' }),
    makeFiling('0000000001-24-000005', { form: '4/A', filed: '2024-11-08', originalFiled: null }),
    makeFiling('0000000001-24-000006', { form: '5/A', filed: '2024-11-08', originalFiled: '2024-11-04' }),
  ];
  const { effectiveFilings, skipped } = applyAmendments(repeatedFilings);
  expect(listAccessions(effectiveFilings)).toEqual(['0000000001-24-000001', '0000000001-24-000002']);
  expect(skipped).toMatchObject({ superseded: 0, unmatched: 4 });
});

const makeTrades = (fieldsOfTrades: readonly Partial<Trade>[]) =>
  fieldsOfTrades.map((fields, index) => makeTrade({ ordinal: index + 1, ...fields }));

const makeOriginal = (...trades: readonly Partial<Trade>[]) =>
  makeFiling('0000000001-24-000001', { filed: '2024-11-04', trades: makeTrades(trades) });

const makeAmendment = (number: number, ...trades: readonly Partial<Trade>[]) =>
  makeFiling(`0000000001-24-00001${number}`, {
    form: '4/A',
    filed: `2024-11-1${number}`,
    originalFiled: '2024-11-04',
    trades: makeTrades(trades),
  });

/** Lists the trades in effect, with the last digit of their filing's accession number. */
const listEffectiveTrades = (...filings: readonly OwnershipFiling[]) =>
  applyAmendments(filings).effectiveFilings.flatMap(({ accession, trades }) =>
    trades.map(({ shares, price }) => `${accession.slice(-2)}: ${shares} at ${price}`),
  );

test.each(['4', '5'] as const)('an amendment of Form %s without trades leaves the trades of its original', (form) => {
  const filings = [
    makeFiling('0000000001-24-000001', { form, filed: '2026-04-22' }),
    makeFiling('0000000001-24-000002', {
      form: `${form}/A`,
      filed: '2026-04-24',
      originalFiled: '2026-04-22',
      trades: [],
    }),
  ];
  const { filings: judged, skipped } = judgeFilings(filings);
  expect(listAccessions(judged)).toEqual(['0000000001-24-000001']);
  expect(sumTrades(judged.flatMap(({ trades }) => trades)).saleValue).toBe('1000');
  expect(skipped['an ownership filing replaced by an amendment']).toBe(0);
});

test('an amendment without trades leaves the trades of an earlier amendment', () => {
  expect(
    listEffectiveTrades(makeOriginal({ shares: '3690' }), makeAmendment(1, { shares: '3609' }), makeAmendment(2)),
  ).toEqual(['11: 3609 at 10']);
});

test('an amendment with more trades than its original replaces all of them', () => {
  const original = makeOriginal({ shares: '300' });
  expect(listEffectiveTrades(original, makeAmendment(1, { shares: '100' }, { shares: '200' }))).toEqual([
    '11: 100 at 10',
    '11: 200 at 10',
  ]);
});

test('an amendment that adds trades to an original without trades is in effect', () => {
  expect(listEffectiveTrades(makeOriginal(), makeAmendment(1, {}))).toEqual(['11: 100 at 10']);
});

const THREE_TRADES = [
  { shares: '100', price: '10' },
  { shares: '200', price: '11' },
  { shares: '300', price: '12' },
];

test.each<[string, Partial<Trade>, string]>([
  ['price', { shares: '200', price: '11.5' }, '200 at 11.5'],
  ['number of shares', { shares: '250', price: '11.00' }, '250 at 11.00'],
  ['date', { shares: '200', price: '11', day: '2026-04-19' }, '200 at 11'],
])('an amendment with fewer trades replaces the trade of which it corrects the %s', (_, fields, expected) => {
  const filings = [makeOriginal(...THREE_TRADES), makeAmendment(1, fields)];
  expect(listEffectiveTrades(...filings)).toEqual(['01: 100 at 10', '01: 300 at 12', `11: ${expected}`]);
  expect(applyAmendments(filings).skipped).toEqual({ superseded: 0, supersededTrades: 1, unmatched: 0, ambiguous: 0 });
});

test('a title that differs in its par value or case is of the same security', () => {
  const [, second] = THREE_TRADES;
  const amendment = makeAmendment(1, { ...second, price: '13', securityTitle: 'COMMON STOCK, $0.01 par value' });
  expect(listEffectiveTrades(makeOriginal(...THREE_TRADES), amendment)).toContain('11: 200 at 13');
});

test.each<[string, Partial<Trade>[]]>([
  ['agrees with no trade in two fields', [{ shares: '200', price: '14', day: '2026-04-19' }]],
  ['is of another security', [{ shares: '200', price: '11', securityTitle: 'Class B Common Stock' }]],
  ['is a purchase', [{ shares: '200', price: '11', code: 'P' }]],
  ['has no price and another date', [{ shares: '200', price: null, day: '2026-04-19' }]],
  ['agrees with several trades', [{ shares: '100', price: '11' }]],
  [
    'restates the same trade as another one',
    [
      { shares: '200', price: '11' },
      { shares: '201', price: '11' },
    ],
  ],
])('an amendment with fewer trades is skipped if a trade %s', (_, trades) => {
  const filings = [makeOriginal(...THREE_TRADES), makeAmendment(1, ...trades)];
  expect(listEffectiveTrades(...filings)).toEqual(['01: 100 at 10', '01: 200 at 11', '01: 300 at 12']);
  expect(applyAmendments(filings).skipped).toEqual({ superseded: 0, supersededTrades: 0, unmatched: 0, ambiguous: 1 });
});

test('a trade that is restated unchanged replaces its equal, although another trade has the same date and price', () => {
  const lots = [{ shares: '100' }, { shares: '200' }, { shares: '300', price: '12' }];
  expect(listEffectiveTrades(makeOriginal(...lots), makeAmendment(1, { shares: '200' }))).toEqual([
    '01: 100 at 10',
    '01: 300 at 12',
    '11: 200 at 10',
  ]);
});

test('later amendments may correct other trades, or a trade again by its original or its amended state', () => {
  const filings = [makeOriginal(...THREE_TRADES), makeAmendment(1, { shares: '200', price: '11.5' })];
  expect(listEffectiveTrades(...filings, makeAmendment(2, { shares: '300', price: '13' }))).toEqual([
    '01: 100 at 10',
    '11: 200 at 11.5',
    '12: 300 at 13',
  ]);
  for (const price of ['11', '11.5'])
    expect(listEffectiveTrades(...filings, makeAmendment(2, { shares: '222', price }))).toEqual([
      '01: 100 at 10',
      '01: 300 at 12',
      `12: 222 at ${price}`,
    ]);
});
