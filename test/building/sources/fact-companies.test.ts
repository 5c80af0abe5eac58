import { expect, test } from 'vitest';
import { resolveFactCompanies } from '../../../src/building/sources/company-notes.ts';

const TICKERS = [{ cik: 320193, ticker: 'AAPL', title: 'Apple Inc.', exchange: 'Nasdaq' }];

test('companies for facts are chosen by ticker, CIK or CIK with its prefix; others are unknown', () => {
  const chosenNames = ['aapl', '789019', 'CIK0000021344', 'CIK0000000001', 'NOPE'];
  expect(resolveFactCompanies(chosenNames, [21344, 320193, 789019], TICKERS)).toEqual({
    ciks: new Set([320193, 789019, 21344]),
    unknownNames: ['CIK0000000001', 'NOPE'],
  });
});
