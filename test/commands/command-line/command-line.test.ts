import { expect, test } from 'vitest';
import type { Argument, QuestionCommand } from '../../../src/ask/command/command.ts';
import { readInputs } from '../../../src/ask/command/inputs.ts';
import type { ParsedArguments } from '../../../src/ask/command/option-spec.ts';
import { readCommandLine } from '../../../src/commands/command-line/command-line.ts';
import { loadCommand } from '../../../src/commands/command-line/command-table.ts';
import {
  GLOBAL_OPTIONS,
  parseDuration,
  readGlobalOptions,
  wantsJson,
} from '../../../src/commands/command-line/global-options.ts';
import type { Io } from '../../../src/commands/command-line/io.ts';
import { isFailure } from '../../../src/contract/failure.ts';
import type { OperationId } from '../../../src/contract/operations.ts';
import { quoteShellWord } from '../../../src/contract/text/quote.ts';
import screen from '../../../src/questions/screen.ts';
import { ALL_COMMANDS, COMMAND_NAMES } from '../../all-commands.ts';
import { planCommand } from '../../questions/result-of.ts';

/** Returns the fields of a parsed command line that tests compare. */
const readCommandLineFields = async (...argv: string[]) => {
  const { name, command, args, options, failure } = await readCommandLine(ALL_COMMANDS, argv);
  return { name, known: command !== null, args, options: Object.fromEntries(options), failure };
};

test.each<[string[], string, string[], Record<string, string[]>]>([
  [['metrics', 'AAPL', '--json'], 'metrics', ['AAPL'], { json: [''] }],
  [['--base-url', 'metrics', 'screen'], 'screen', [], { 'base-url': ['metrics'] }],
  [['-o', 'csv', 'screen', '--where', 'x'], 'screen', [], { output: ['csv'], where: ['x'] }],
  [['--json', 'data', '--quiet', 'build', '--from', 'x'], 'data build', [], { json: [''], quiet: [''], from: ['x'] }],
  [['--profile=work', 'profile', 'AAPL'], 'profile', ['AAPL'], { profile: ['work'] }],
  [['-qo', 'json', 'metrics', 'AAPL'], 'metrics', ['AAPL'], { quiet: [''], output: ['json'] }],
  [['-qojson', 'metrics', 'AAPL'], 'metrics', ['AAPL'], { quiet: [''], output: ['json'] }],
  [['--where', 'roe:gt:1', 'screen', '--limit', '2'], 'screen', [], { where: ['roe:gt:1'], limit: ['2'] }],
  [['--keys=a', '--collapse', 'metrics', '--keys', 'b', 'AAPL'], 'metrics', ['AAPL'], { keys: ['a', 'b'] }],
  [['--sort', 'release', 'screen', '-q'], 'screen', [], { sort: ['release'], quiet: [''] }],
  [['--collapse', 'metrics', 'AAPL', '--keys', 'revenue', 'MSFT'], 'metrics', ['AAPL', 'MSFT'], { collapse: [''] }],
  [['metrics', '--collapse', 'AAPL', '--collapse', 'false'], 'metrics', ['AAPL'], { collapse: ['', 'false'] }],
  [['data', '--from', 'x', 'build'], 'data build', [], { from: ['x'] }],
  [['search', '--', '--json'], 'search', ['--json'], {}],
  [['--limit', '2', 'search', '--', '--json'], 'search', ['--json'], { limit: ['2'] }],
  [['metrics', 'AAPL', '--keys', 'a', '--keys=b', 'MSFT'], 'metrics', ['AAPL', 'MSFT'], { keys: ['a', 'b'] }],
])('the command in %j is %s', async (argv, name, args, options) => {
  const commandLine = await readCommandLineFields(...argv);
  expect(commandLine).toMatchObject({ name, known: true, args, options });
});

test.each([
  [['--help'], '', null],
  [[], '', null],
  [['--json'], '', null],
  [['data'], 'data', /^fin data needs a subcommand: data fetch, data build/],
  [['scren'], 'scren', /^Unknown command "scren"\. Did you mean screen\?/],
  [['data', 'biuld'], 'data biuld', /^Unknown command "data biuld"\. Did you mean data build[,?]/],
  [['--wher', 'x', 'screen'], '', /^Unknown option "--wher"\./],
  [['--limit'], '', /^--limit needs a value: --limit <count>\.|^Unknown option "--limit"\./],
  [['metrics'], 'metrics', /^fin metrics needs a ticker\. Usage: fin metrics <ticker\.\.\.> \[options\]$/],
  [['lineage', 'AAPL'], 'lineage', /^fin lineage needs a metric key\./],
  [['release', 'now'], 'release', /^Unexpected argument "now"\. Usage: fin release \[options\]$/],
  [['screen', '--wher', 'x'], 'screen', /^Unknown option "--wher"\. Did you mean --where\? Try: fin screen --help$/],
  [['screen', '--where'], 'screen', /^--where needs a value: --where <column:op:value>\./],
  [['data', 'build', '--out', ''], 'data build', /^--out needs a value: --out <dir>\./],
  [['data', 'publish', ''], 'data publish', /^fin data publish needs a directory\./],
  [['screen', '--output'], '', /^--output needs a value: --output <format>\./],
  [['-5'], '', /^Unknown option "-5"\. Try: fin --help$/],
  [['data', '-5', 'build'], 'data', /^Unknown option "-5"\. Try: fin data --help$/],
  [['data', 'help'], 'data', /^fin data needs a subcommand: .* Try: fin help data$/],
  [['data build'], 'data build', /^Unknown command "data build"\./],
  [['search', '-5'], 'search', null],
  [['help', '-5'], 'help', null],
])('%j gives help or an error for the command %j', async (argv, name, message) => {
  const { failure, ...line } = await readCommandLineFields(...argv);
  expect(line.name).toBe(name);
  if (message === null) expect(failure).toBeNull();
  else expect(`${failure?.message} ${failure?.hint}`).toMatch(message);
});

test('only --items takes a value for one command and none for another', async () => {
  const commands = await Promise.all(COMMAND_NAMES.map((name) => loadCommand(ALL_COMMANDS, name)));
  const kinds = new Map<string, Set<string>>();
  for (const { name, value, optional } of [...GLOBAL_OPTIONS, ...commands.flatMap(({ options }) => options)]) {
    const kind = value === undefined ? 'none' : optional === true ? 'optional' : 'required';
    kinds.set(name, new Set([...(kinds.get(name) ?? []), kind]));
  }
  expect([...kinds].filter(([, { size }]) => size > 1).map(([name]) => name)).toEqual(['items']);
});

test.each([
  [['--items', '2.02', 'day', '2026-08-18'], 'day', '2026-08-18', '2.02'],
  [['--items', 'read', 'AAPL'], 'read', 'AAPL', ''],
])('options before the command are those of the command: %j', async (argv, name, arg, items) => {
  const line = await readCommandLineFields(...argv);
  expect(line).toMatchObject({ name, args: [arg], options: { items: [items] } });
});

test.each<[string[], Record<string, string>, boolean]>([
  [['screen', '--wher', '--json'], {}, true],
  [['-qo', 'json', 'metrics'], {}, true],
  [['-ojson', 'scren'], {}, true],
  [['scren', '--output=json'], {}, true],
  [['scren', '--output', 'json', '--csv'], {}, true],
  [['scren'], { FIN_OUTPUT: 'json' }, true],
  [['scren', '--csv'], { FIN_OUTPUT: 'json' }, false],
  [['screen', '--output'], { FIN_OUTPUT: 'json' }, true],
  [['search', '--', '--json'], {}, false],
  [['scren'], {}, false],
])('arguments %j and environment %j: errors are printed as JSON: %s', async (argv, env, expected) => {
  expect(wantsJson((await readCommandLine(ALL_COMMANDS, argv)).options, env)).toBe(expected);
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
])('the duration %j is %s ms', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

const makeParsedArguments = (
  args: readonly string[],
  options: Record<string, readonly string[]> = {},
): ParsedArguments => ({
  args,
  options: new Map(Object.entries(options)),
});

function catchUsageMessage(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (isFailure(error) && error.kind === 'usage') return `${error.message} ${error.hint ?? ''}`.trim();
    throw error;
  }
  throw new Error('no usage error was thrown');
}

const readOptions = async (env: Record<string, string>, ...argv: string[]) => {
  const { options } = await readCommandLine(ALL_COMMANDS, argv);
  return readGlobalOptions(options, env);
};

test.each([
  [{}, [], 'table'],
  [{ FIN_OUTPUT: 'csv' }, [], 'csv'],
  [{ FIN_OUTPUT: 'csv' }, ['--json'], 'json'],
  [{}, ['--csv', '--output', 'csv'], 'csv'],
] as [Record<string, string>, string[], string][])(
  'with environment %j and arguments %j the format is %s',
  async (env, argv, format) => {
    expect((await readOptions(env, ...argv)).format).toBe(format);
  },
);

test('global options are parsed and checked', async () => {
  expect((await readOptions({}, '--fields', 'a, b')).fields).toEqual(['a', 'b']);
  expect(await readOptions({}, '--no-cache', '--no-header', '--max-wait', '2m', '--retries', '0')).toMatchObject({
    cache: false,
    header: false,
    maxWait: 120_000,
    retries: 0,
  });
  const invalidSettings: [Record<string, string>, string[], RegExp][] = [
    [{}, ['--json', '--csv'], /several formats \(json, csv\)/],
    [{}, ['--output', 'jsn'], /Did you mean json/],
    [{ FIN_OUTPUT: 'xml' }, [], /FIN_OUTPUT/],
    [{}, ['--max-wait', 'soon'], /--max-wait "soon" is not a length of time/],
    [{}, ['--retries', '-1'], /--retries/],
    [{}, ['--profile', 'a', '--profile', 'b'], /--profile was given 2 times/],
  ];
  for (const [env, argv, message] of invalidSettings) await expect(readOptions(env, ...argv)).rejects.toThrow(message);
});

const catchNamesError = (
  operation: OperationId,
  args: readonly Argument[],
  texts: readonly string[],
  options: Record<string, readonly string[]> = {},
): string =>
  catchUsageMessage(() =>
    readInputs({ operation, args } as QuestionCommand, makeParsedArguments(texts, options), {} as Io),
  );

test('names joined by commas are refused before a request, and the hint separates the names', () => {
  const tickerArgument = { parameter: 'ticker', many: true };
  expect(catchNamesError('metrics', [tickerArgument], ['AAPL,MSFT'])).toBe(
    '"AAPL,MSFT" is several tickers in one argument: write tickers separated only by spaces. fin metrics AAPL MSFT',
  );
  for (const text of ['AAPL, MSFT', '["AAPL","MSFT"]', "'AAPL' 'MSFT'", 'AAPL;MSFT,']) {
    expect(
      catchNamesError('metrics', [tickerArgument], [text, 'IBM'], {
        where: ['roe:gt:20%'],
        quiet: [''],
        'max-age': ['-1'],
      }),
    ).toMatch(/ fin metrics AAPL MSFT IBM --where roe:gt:20% --quiet --max-age=-1$/);
  }
  expect(catchNamesError('metrics', [tickerArgument], ['"AAPL"'])).toBe(
    '"\\"AAPL\\"" contains commas, semicolons, quotes or brackets: write the ticker without them. fin metrics AAPL',
  );
  expect(catchNamesError('holders', [tickerArgument], ['AAPL,', 'BRK B'])).toContain("fin holders AAPL 'BRK B'");
  const metricArguments = [{ parameter: 'ticker' }, { parameter: 'metric_key' }];
  expect(catchNamesError('revisions', metricArguments, ['AAPL', 'revenue,net_income'])).toBe(
    '"revenue,net_income" is several metric keys in one argument: fin revisions takes only one metric key. fin revisions AAPL revenue',
  );
  const searchCommand = { operation: 'search', args: [{ parameter: 'query' }] } as unknown as QuestionCommand;
  expect(readInputs(searchCommand, makeParsedArguments(['Smith, A O']), {} as Io).isArray).toBe(false);
});

test('the error for an invalid filter value shows how to write a number', async () => {
  const planWithFilter = (where: string) => planCommand(screen, { options: { where } });
  await expect(planWithFilter('revenue_yoy:gt:20x')).rejects.toMatchObject({
    message: expect.stringContaining('"20x"'),
    hint: expect.stringContaining('0.2, 20% or 1.5B (suffixes K, M, B, T)'),
  });
  expect((await planWithFilter('revenue_yoy:gt:20%')).question.rawParameters).toContainEqual([
    'where',
    'revenue_yoy:gt:0.20',
  ]);
});

test.each([
  ['AAPL', 'AAPL'],
  ['revenue_yoy:gt:20%', 'revenue_yoy:gt:20%'],
  ['Common Stock', "'Common Stock'"],
  ["O'Reilly", "'O'\\''Reilly'"],
  ['$HOME;ls', "'$HOME;ls'"],
  ['', "''"],
])('a hint quotes the word %j as %s', (text, word) => {
  expect(quoteShellWord(text)).toBe(word);
});
