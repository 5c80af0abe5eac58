import { expect, test } from 'vitest';
import type { Argument, QuestionCommand } from '../../src/commands/command.ts';
import { findCommand } from '../../src/commands/command-line/command-words.ts';
import { parseDuration } from '../../src/commands/command-line/duration.ts';
import { GLOBAL_OPTIONS } from '../../src/commands/command-line/global-options.ts';
import { parseOptions } from '../../src/commands/command-line/parse.ts';
import { readGlobalOptions } from '../../src/commands/command-line/read-global-options.ts';
import type { ConnectionTarget } from '../../src/commands/connection/target.ts';
import type { Io } from '../../src/commands/io.ts';
import { readInputs } from '../../src/commands/pipeline/inputs.ts';
import { readParameters } from '../../src/commands/pipeline/parameters.ts';
import screen from '../../src/commands/questions/screen.ts';
import { isFailure } from '../../src/contract/failure.ts';
import { type OperationId, operationOf } from '../../src/contract/operations.ts';
import { shellWord } from '../../src/contract/quote.ts';

const NAMES = ['screen', 'metrics', 'data build', 'data status', 'profile'];

test.each<[string[], string | null, string[]]>([
  [['metrics', 'AAPL', '--json'], 'metrics', ['AAPL', '--json']],
  [['--base-url', 'metrics', 'screen'], 'screen', ['--base-url', 'metrics']],
  [['-o', 'csv', 'screen', '--where', 'x'], 'screen', ['-o', 'csv', '--where', 'x']],
  [['--json', 'data', '--quiet', 'build', '--from', 'x'], 'data build', ['--json', '--quiet', '--from', 'x']],
  [['data'], 'data', []],
  [['--profile=work', 'profile', 'AAPL'], 'profile', ['--profile=work', 'AAPL']],
  [['--help'], null, ['--help']],
  [[], null, []],
])('in %j the command is %s', (argv, name, rest) => {
  expect(findCommand(argv, NAMES)).toEqual({ name, rest });
});

test.each<[string, number | null]>([
  ['500ms', 500],
  ['30', 30_000],
  ['1.5m', 90_000],
  ['2h', 7_200_000],
  ['7d', 604_800_000],
  ['', null],
  ['5 parsecs', null],
  ['-1s', null],
  ['1e9', null],
])('the time %j is %s ms', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

const line = (...argv: string[]) =>
  parseOptions([{ name: 'where', value: 'clause', help: '' }, ...GLOBAL_OPTIONS], argv, 'screen');

test('every occurrence of an option is kept, and what is no option is an argument', () => {
  const { args, options } = line('AAPL', '--where', 'a:gt:1', '--where=b:lt:-2', '-', '--no-cache', '-q');
  expect(args).toEqual(['AAPL', '-']);
  expect(options.get('where')).toEqual(['a:gt:1', 'b:lt:-2']);
  expect([...options.keys()]).toEqual(['where', 'no-cache', 'quiet']);
});

function failureOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (isFailure(error) && error.kind === 'usage') return `${error.message} ${error.hint ?? ''}`.trim();
    throw error;
  }
  throw new Error('nothing was refused');
}

test('a misspelt option is named, with what may have been meant', () => {
  expect(failureOf(() => line('--wher', 'x'))).toBe(
    "Unknown option '--wher'. Did you mean --where? Try: fin screen --help",
  );
  expect(failureOf(() => line('--where'))).toMatch(/--where.*argument missing/);
});

test('options of every command, read and checked', () => {
  const read = (env: Record<string, string>, ...argv: string[]) => readGlobalOptions(line(...argv).options, env);
  expect(read({}).format).toBe('table');
  expect(read({ FIN_OUTPUT: 'csv' }).format).toBe('csv');
  expect(read({ FIN_OUTPUT: 'csv' }, '--json').format).toBe('json');
  expect(read({}, '--csv', '--output', 'csv').format).toBe('csv');
  expect(read({}, '--fields', 'a, b').fields).toEqual(['a', 'b']);
  expect(read({}, '--no-cache', '--no-header', '--max-wait', '2m', '--retries', '0')).toMatchObject({
    cache: false,
    header: false,
    maxWait: 120_000,
    retries: 0,
  });
  expect(failureOf(() => read({}, '--json', '--csv'))).toMatch(/cannot be both json and csv/);
  expect(failureOf(() => read({}, '--output', 'jsn'))).toMatch(/Did you mean json/);
  expect(failureOf(() => read({ FIN_OUTPUT: 'xml' }))).toMatch(/FIN_OUTPUT/);
  expect(failureOf(() => read({}, '--max-wait', 'soon'))).toMatch(/--max-wait "soon" is not a time/);
  expect(failureOf(() => read({}, '--retries', '-1'))).toMatch(/--retries/);
  expect(failureOf(() => read({}, '--profile', 'a', '--profile', 'b'))).toMatch(/--profile was given 2 times/);
});

const words = (...texts: string[]) => line(...texts);

const joined = (operation: OperationId, args: readonly Argument[], ...texts: string[]): string =>
  failureOf(() =>
    readInputs({ operation, args } as QuestionCommand, operationOf(operation), words(...texts), {} as Io),
  );

test('names joined by commas are told apart before anything is asked', () => {
  const ticker = { parameter: 'ticker', many: true };
  expect(joined('metrics', [ticker], 'AAPL,MSFT')).toBe(
    '"AAPL,MSFT" is several tickers in one: write names alone, with spaces between. fin metrics AAPL MSFT',
  );
  for (const text of ['AAPL, MSFT', '["AAPL","MSFT"]', "'AAPL' 'MSFT'", 'AAPL;MSFT,']) {
    expect(joined('metrics', [ticker], text, 'IBM', '--where', 'roe:gt:20%', '--quiet', '--max-age=-1')).toMatch(
      / fin metrics AAPL MSFT IBM --where roe:gt:20% --quiet --max-age=-1$/,
    );
  }
  expect(joined('metrics', [ticker], '"AAPL"')).toBe(
    '"\\"AAPL\\"" is more than a name: write names alone, with spaces between. fin metrics AAPL',
  );
  expect(joined('holders', [ticker], 'AAPL,', 'BRK B')).toContain("fin holders AAPL 'BRK B'");
  const one = [{ parameter: 'ticker' }, { parameter: 'metric_key' }];
  expect(joined('revisions', one, 'AAPL', 'revenue,net_income')).toBe(
    '"revenue,net_income" is several metric keys in one: fin revisions takes one. fin revisions AAPL revenue',
  );
  const name = { operation: 'search', args: [{ parameter: 'query' }] } as unknown as QuestionCommand;
  expect(readInputs(name, operationOf('search'), words('Smith, A O'), {} as Io).several).toBe(false);
});

test('a refused filter is answered with the ways to write one', () => {
  const place = { destination: { to: 'local' } } as ConnectionTarget;
  const read = (clause: string) => () =>
    readParameters(screen, line('--where', clause), readGlobalOptions(new Map(), {}), place);
  expect(failureOf(read('revenue_yoy:gt:20x'))).toMatch(/"20x".*\(0\.2\).*K, M, B or T.*\(20%, 1\.5B\)/);
  expect(read('revenue_yoy:gt:20%')().question.given).toContainEqual(['where', 'revenue_yoy:gt:0.20']);
});

test.each([
  ['AAPL', 'AAPL'],
  ['revenue_yoy:gt:20%', 'revenue_yoy:gt:20%'],
  ['Common Stock', "'Common Stock'"],
  ["O'Reilly", "'O'\\''Reilly'"],
  ['$HOME;ls', "'$HOME;ls'"],
  ['', "''"],
])('a hint repeats %j as %s', (text, word) => {
  expect(shellWord(text)).toBe(word);
});
