/** `fin screen --as-of A..B`: the screens of many days are those of single days. */
import { expect, test } from 'vitest';
import { addDays, addMonths } from '../../src/platform/dates.ts';
import { makeTemporaryFolder } from '../clean-up.ts';
import { startFileServer } from '../file-server.ts';
import { publish, SAMPLE_RELEASE } from '../publish/releases.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

const MONTH_ENDS = Array.from({ length: 20 }, (_, index) => addDays(addMonths('2018-07-01', index), -1));
const [FIRST = '', LAST = ''] = [MONTH_ENDS[0], MONTH_ENDS.at(-1)];
const QUESTION = [
  '--where',
  'revenue:gt:1B',
  '--columns',
  'revenue,net_margin,market_cap,revenue_ttm',
  '--sort',
  'revenue:desc',
];

/** Rows of CSV with their day, without the header. */
async function screenDay(day: string, ...args: string[]): Promise<string[]> {
  const { out } = await runFin(['screen', ...QUESTION, '--as-of', day, '--all', '--csv', '--no-header', ...args]);
  return out
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) => `${day},${line}`);
}

test('a panel has the rows of the single screens, with their days', async () => {
  const args = ['screen', ...QUESTION, '--as-of', `${FIRST}..${LAST}`, '--every', 'month', '--no-header'];
  const [csv, ndjson, ...screens] = await Promise.all([
    runFin([...args, '--csv']),
    runFin([...args.slice(0, -1), '-o', 'ndjson']),
    ...MONTH_ENDS.map((day) => screenDay(day)),
  ]);
  const expected = screens.flat();
  expect(expected.length).toBeGreaterThan(400);
  expect(csv.out.split('\r\n').filter((line) => line !== '')).toEqual(expected);
  const rows = ndjson.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows.map(({ as_of, ticker }) => `${as_of} ${ticker}`)).toEqual(
    expected.map((line) => [line.split(',')[0], line.split(',')[2]].join(' ')),
  );
  expect(rows.every((row) => 'last_report' in row && 'gone' in row)).toBe(true);
});

test('counts by day are those of the single screens, in one table', async () => {
  const args = [
    'screen',
    '--where',
    'revenue_yoy:gt:20%',
    '--as-of',
    `${FIRST}..${LAST}`,
    '--every',
    'quarter',
    '--per-day',
  ];
  const [csv, json, single] = await Promise.all([
    runFin([...args, '--csv']),
    runFin([...args, '--json']),
    runFin(['screen', '--where', 'revenue_yoy:gt:20%', '--as-of', FIRST, '--limit', '1', '--json']),
  ]);
  const { data } = JSON.parse(json.out);
  const { universe, set_aside, total, no_longer_reporting } = JSON.parse(single.out).meta;
  expect(data).toHaveLength(7);
  expect(data[0]).toEqual({ as_of: FIRST, universe, set_aside, matching: total, no_longer_reporting });
  expect(csv.out.split('\r\n').slice(1, -1)).toEqual(data.map((row: object) => Object.values(row).join(',')));
});

test('formulas are computed for each day', async () => {
  const formula = [
    '--compute',
    'place=rank(net_margin)',
    '--sort',
    'place',
    '--limit',
    '1',
    '--fields',
    'ticker,place',
  ];
  const args = [
    'screen',
    '--where',
    'revenue:gt:1B',
    '--as-of',
    '2018-12-31..2020-12-31',
    '--every',
    'year',
    ...formula,
  ];
  const { out, code } = await runFin([...args, '--csv', '--no-header']);
  expect(code).toBe(0);
  expect(
    out
      .split('\r\n')
      .filter((line) => line !== '')
      .map((line) => line.split(',')[1]),
  ).toEqual(['1', '1', '1']);
});

test('a panel from a static host is the local one, and reads each range once', async () => {
  const root = makeTemporaryFolder('panel');
  await publish(SAMPLE_RELEASE, root);
  const server = await startFileServer(root);
  const args = ['screen', ...QUESTION, '--as-of', `${FIRST}..${LAST}`, '--csv'];
  const [remote, local] = [await runFin([...args, '--base-url', server.url]), await runFin(args)];
  expect(remote.code).toBe(0);
  expect(remote.out).toBe(local.out);
  const ranges = server.requests.flatMap(({ path, headers }) =>
    headers.range === undefined ? [] : [`${path} ${headers.range}`],
  );
  expect(new Set(ranges).size).toBe(ranges.length);
});

test.each([
  [['--as-of', '2019-06-30..2019-05-31'], /two days in order/],
  [['--every', 'month'], /two days in order/],
  [['--as-of', '2018-01-01..2019-12-31', '--every', 'fortnight'], /day, week, month, quarter or year/],
  [['--as-of', '2000-01-01..2019-12-31', '--every', 'day'], /more than 4000 days/],
  [['--as-of', '2018-01-01..2019-12-31', '--summary'], /describes one screen/],
])('%j is refused', async (args, message) => {
  const { code, out, err } = await runFin(['screen', ...args]);
  expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringMatching(message) });
});
