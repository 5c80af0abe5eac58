import { expect, test } from 'vitest';
import { readCommandLine } from '../../src/commands/command-line/command-line.ts';
import { suggestCandidates } from '../../src/commands/completion/complete.ts';
import { ALL_COMMANDS, COMMAND_NAMES } from '../all-commands.ts';

const COMPANIES = [
  { ticker: 'AAPL', name: 'Apple Inc.' },
  { ticker: 'MSFT', name: 'MICROSOFT CORP' },
];

const SOURCES = { commands: ALL_COMMANDS, loadTickers: async () => COMPANIES, readLine: readCommandLine };

const completeWords = async (...words: string[]): Promise<string[]> =>
  (await suggestCandidates(words, SOURCES)).map(({ value }) => value);

test.each<[string[], string[]]>([
  [['scr'], ['screen']],
  [['data', ''], 'fetch build analytics sql tables status check diff use publish pull keygen'.split(' ')],
  [['--json', 'data', 'st'], ['status']],
  [['screen', '--where', 'revenue_y'], ['revenue_yoy:']],
  [['screen', '--where', 'revenue_yoy:'], ['gte', 'lte', 'gt', 'lt'].map((op) => `revenue_yoy:${op}:`)],
  [['screen', '--where', 'revenue_yoy:gt:'], []],
  [
    ['screen', '--dir', ''],
    ['asc', 'desc'],
  ],
  [['screen', '--columns', 'pe,pe'], ['pe,pe_ttm']],
  [['metrics', 'A'], ['AAPL']],
  [['metrics', 'AAPL', 'M'], ['MSFT']],
  [['metrics', 'aa'], ['aapl']],
  [['metrics', 'AAPL,M'], []],
  [['open', 'A'], ['AAPL']],
  [['screen', '--tickers', 'AAPL,M'], ['AAPL,MSFT']],
  [['insider-activity', '--tickers=ms'], ['--tickers=msft']],
  [['metrics', 'AAPL', '--statement', 'income,b'], ['income,balance']],
  [['metrics', '--period', 'q'], ['quarterly']],
  [['metrics', '--keys', 'revenue,gross_p'], ['revenue,gross_profit']],
  [['compare', 'AAPL', '--keys', 'revenue,gross_p'], ['revenue,gross_profit']],
  [['lineage', 'AAPL', 'gross_p'], ['gross_profit']],
  [['lineage', 'AAPL', 'revenue', ''], []],
  [['release', '--outp'], ['--output']],
  [['release', '--base'], ['--base-url']],
  [['keys', 'list', '--base'], []],
  [['release', '--output', 'nd'], ['ndjson']],
  [['release', '-o', 'c'], ['csv']],
  [['help', 'exit'], ['exit-codes']],
  [['completion', 'z'], ['zsh']],
  [['nosuch', ''], []],
  [['release', '--output=nd'], ['--output=ndjson']],
  [['screen', '--where=revenue_y'], ['--where=revenue_yoy:']],
  [['metrics', '--keys=revenue,gross_p'], ['--keys=revenue,gross_profit']],
  [['prices', 'AAPL', '--svg', '--ra'], ['--range']],
])('after fin %j completion offers %j', async (words, expected) => {
  expect(await completeWords(...words)).toEqual(expected);
});

test.each([
  [['prices', 'AAPL', '--svg', ''], 'file'],
  [['prices', 'AAPL', '--html', 'ch'], 'file'],
  [['prices', 'AAPL', '--html=ch'], 'file'],
  [['release', '--api-key-file', ''], 'file'],
  [['serve', '--tls-cert', 'x'], 'file'],
  [['serve', '--limits', ''], 'file'],
  [['data', 'build', '--from', ''], 'directory'],
  [['data', 'build', '--out=/tmp/x'], 'directory'],
])('after fin %j completion is left to the shell for a %s', async (words, kind) => {
  expect(await suggestCandidates(words, SOURCES)).toEqual([{ value: '', text: kind }]);
});

test('completion of the first word offers every command once', async () => {
  const offeredWords = await completeWords('');
  for (const name of COMMAND_NAMES) expect(offeredWords).toContain(name.split(' ')[0]);
  expect(new Set(offeredWords).size).toBe(offeredWords.length);
});
