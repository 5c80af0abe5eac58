/** Tests `fin managers --overlap`, with invented managers. */
import { expect, test } from 'vitest';
import type { Question } from '../../src/contract/question.ts';
import type { Holder, HolderPosition } from '../../src/contract/resources/holders.ts';
import managers from '../../src/questions/managers.ts';
import { formatNotices, makeRecords, planCommand, renderText, runWithAnswers } from './result-of.ts';

const makePosition = (ticker: string, amount: string, value: string, putCall: '' | 'Put' = ''): HolderPosition => ({
  ...{ cusip: `${ticker}00000`, issuer: `${ticker} INC`, class: 'COM', put_call: putCall, amount, amount_type: 'SH' },
  ...{ value, ticker, weight: null, prior_amount: null },
});

type Quarters = Readonly<Record<string, readonly HolderPosition[]>>;

const QUARTERS_BY_CIK: Readonly<Record<string, Quarters>> = {
  1: {
    '2025-03-31': [makePosition('AAPL', '10', '1000'), makePosition('KO', '5', '300')],
    '2024-12-31': [makePosition('AAPL', '9', '900'), makePosition('MSFT', '1', '400'), makePosition('KO', '5', '200')],
  },
  2: {
    '2024-12-31': [
      makePosition('KO', '7', '350'),
      makePosition('AAPL', '1', '100'),
      makePosition('MSFT', '2', '800', 'Put'),
    ],
  },
  3: { '2025-03-31': [makePosition('KO', '1', '60')] },
};

/** Answers like the service: the latest report, or the report for the requested quarter. */
function answer({ parameters }: Question) {
  const { cik, quarter, offset = 0, limit = 100 } = parameters as Record<string, string>;
  const quarters = QUARTERS_BY_CIK[String(cik)];
  const period = quarter ?? Object.keys(quarters ?? {})[0];
  const positions = quarters?.[String(period)];
  if (quarters === undefined || period === undefined || positions === undefined) return null;
  const data: Holder = {
    ...{ cik: Number(cik), name: `Manager ${cik}`, period, accession_number: `a${cik}`, filed_at: '2025-05-01' },
    ...{ positions: positions.length, value_total: '2000', other_managers: 0, opened: null, closed: null },
    rows: [...positions.slice(Number(offset), Number(offset) + Number(limit))],
    rows_total: positions.length,
    quarters: Object.keys(quarters).map((end) => ({
      ...{ period: end, filed_at: '2025-05-01', accession_number: `a${cik}`, positions: 1, value_total: '1' },
    })),
  };
  return {
    data,
    meta: { limit: Number(limit), offset: Number(offset), ...(quarter === undefined ? {} : { quarter }) },
  };
}

const runOverlap = (overlap: string | readonly string[], args: readonly string[] = []) =>
  runWithAnswers(managers, answer, { args, options: { overlap } });

test('managers are compared in the latest quarter that all of them reported', async () => {
  const result = await runOverlap('1,2');
  expect(result.title).toBe('Positions that Manager 1, Manager 2 have in common, 2024-12-31');
  // Shares and puts on the same shares are different positions.
  expect(
    makeRecords(result).map(({ ticker, manager_cik, amount, value }) => [ticker, manager_cik, amount, value]),
  ).toEqual([
    ['AAPL', 1, '9', '900'],
    ['AAPL', 2, '1', '100'],
    ['KO', 1, '5', '200'],
    ['KO', 2, '7', '350'],
  ]);
  expect(formatNotices(result)).toEqual([
    '2024-12-31 is the latest quarter that all of these managers reported. Later reports: Manager 1 (2025-03-31).',
  ]);
  const text = renderText(result);
  expect(text).toMatch(/Manager 1\s+1\s+3\s+2\s+55\.0 %/);
  expect(text).toMatch(/Manager 2\s+2\s+3\s+2\s+22\.5 %/);
  const document = JSON.parse([...result.document()].join(''));
  expect(document.data).toMatchObject({
    period: '2024-12-31',
    managers: [
      { cik: 1, shared: 2, shared_value: '1100' },
      { cik: 2, shared: 2, shared_value: '450' },
    ],
    positions: [
      {
        ticker: 'AAPL',
        value: '1000',
        holders: [
          { cik: 1, amount: '9' },
          { cik: 2, amount: '1' },
        ],
      },
      { ticker: 'KO' },
    ],
  });
});

test('a quarter that all managers reported last needs no further requests', async () => {
  const requested: string[] = [];
  const result = await runWithAnswers(
    managers,
    (question) => {
      requested.push(JSON.stringify(question.rawParameters));
      return answer(question);
    },
    { args: [], options: { overlap: '1,3' } },
  );
  expect(requested.some((text) => text.includes('quarter'))).toBe(false);
  expect(requested).toHaveLength(2);
  expect(makeRecords(result).map(({ ticker }) => ticker)).toEqual(['KO', 'KO']);
});

test('managers without a common quarter, and a manager without a report, have no overlap', async () => {
  await expect(runOverlap('2,3')).rejects.toThrow(/No quarter has reports of all these managers/);
  await expect(runOverlap('1,99')).rejects.toThrow(/no answer of manager/);
});

test.each([
  [['1'], [], /at least two managers/],
  [['1,1'], [], /at least two managers/],
  [['1,Berkshire'], [], /"Berkshire" is not a CIK/],
  [['1,2'], ['berkshire'], /remove "berkshire"/],
])('--overlap %j with the arguments %j is refused', async (overlap, args, message) => {
  await expect(planCommand(managers, { args, options: { overlap } })).rejects.toThrow(message);
});
