import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { getCommandName } from '../../src/ask/command/options.ts';
import { loadCommand } from '../../src/commands/command-line/command-table.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { QUESTION_COMMANDS, type QuestionName } from '../../src/questions/question-table.ts';
import { ALL_COMMANDS, COMMAND_NAMES } from '../all-commands.ts';
import { makeTemporaryFolder } from '../clean-up.ts';
import { serve } from '../http-service.ts';
import { makeHome, runFin, sendJson } from './run-fin.ts';
import { runHere } from './run-here.ts';

test.concurrent('every operation has a command of its name, and every command loads', async () => {
  for (const { id } of OPERATIONS) expect(COMMAND_NAMES).toContain(id);
  for (const name of COMMAND_NAMES) {
    const command = await loadCommand(ALL_COMMANDS, name);
    if (command.kind === 'utility') expect(command.utility.run).toBeTypeOf('function');
    else {
      expect(getCommandName(command.definition)).toBe(name);
      expect(command.definition.operation).toBe(QUESTION_COMMANDS[name as QuestionName].operation);
    }
  }
});

test.concurrent('help lists every command; the help of a command shows examples before options', async () => {
  const { out, code } = await runFin([]);
  expect(code).toBe(0);
  for (const name of COMMAND_NAMES) expect(out).toContain(`  ${name} `);
  const { out: screenHelp } = await runFin(['screen', '--help']);
  expect((await runFin(['help', 'screen'])).out).toBe(screenHelp);
  expect(screenHelp.indexOf('Examples')).toBeGreaterThan(0);
  expect(screenHelp.indexOf('Examples')).toBeLessThan(screenHelp.indexOf('--where'));
  for (const option of ['--base-url <url>', '--plan', '--xlsx <file>', '--exact']) {
    expect(screenHelp).not.toContain(option);
    expect((await runFin(['help', 'options'])).out).toContain(option);
  }
  expect(screenHelp).toContain('fin help options');
  for (const line of screenHelp.split('\n').filter((text) => !text.startsWith('  fin '))) {
    expect(line.length).toBeLessThanOrEqual(80);
  }
});

test.concurrent('help lists no option that is short for another option', async () => {
  const { out } = await runFin(['help', 'options']);
  expect(out).toContain('--color <when>');
  for (const line of out.split('\n')) expect(line).not.toContain('Same as --');
});

test.concurrent('an unknown help page is an error that names the closest one', async () => {
  expect(await runFin(['help', 'figurs'])).toMatchObject({
    code: 2,
    err: 'fin: Unknown help topic "figurs". Did you mean figures?\nList of commands and topics: fin help\n',
  });
  expect((await runFin(['help', 'data', 'biuld'])).err).toContain('Did you mean data build');
});

test.concurrent('an unknown option without a command is an error, not help', async () => {
  const { code, out, err } = await runFin(['--verison']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain('Did you mean --version?');
  expect(await runFin(['--foo'])).toMatchObject({ code: 2, out: '' });
  expect(await runFin(['-x'])).toMatchObject({ code: 2, out: '' });
  expect(await runFin(['--quiet', '--json'])).toMatchObject({ code: 0, err: '' });
  expect(await runFin(['--help', '--foo'])).toMatchObject({ code: 0, err: '' });
});

/** A script that, when the program ends, writes the names of loaded CommonJS modules and `vm` scripts to stderr. */
const BUNDLE_LOGGER = `const vm = require('node:vm');
  const scripts = [];
  vm.Script = class extends vm.Script {
    constructor(source, options) {
      super(source, options);
      scripts.push(options.filename);
    }
  };
  process.on('exit', () => process._rawDebug('loaded ' + [...Object.keys(require.cache), ...scripts].join(' ')));`;

/** Node options that print the loaded bundles of a program. */
let loggerOptions: string[] = [];

beforeAll(() => {
  const file = join(makeTemporaryFolder('counter'), 'counter.cjs');
  writeFileSync(file, BUNDLE_LOGGER);
  loggerOptions = ['--require', file];
});

const listLoadedBundles = (...args: string[]): Promise<string[]> => listLoadedBundlesWith({}, ...args);

async function listLoadedBundlesWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<string[]> {
  return parseBundles(await runFin(args, { env, nodeOptions: loggerOptions }));
}

function parseBundles({ err }: { readonly err: string }): string[] {
  const files = /^loaded (.*)$/m.exec(err)?.[1]?.split(' ') ?? [];
  return files
    .map((file) => basename(file))
    .filter((name) => name !== 'counter.cjs')
    .sort();
}

test.concurrent('a command loads only its own code', async () => {
  expect(await listLoadedBundles('--version')).toEqual(['fin.js', 'start.cjs']);
  expect(await listLoadedBundles('screen', '--help')).toEqual([
    'cli.cjs',
    'commands-help.cjs',
    'fin.js',
    'questions-screen.cjs',
    'shared.cjs',
    'start.cjs',
  ]);
  const localBundles = [
    'cli.cjs',
    'commands-execute.cjs',
    'fin.js',
    'questions-metrics.cjs',
    'shared.cjs',
    'start.cjs',
    'wiring-local-service.cjs',
  ];
  expect(await listLoadedBundles('metrics', 'AAPL', '--json')).toEqual(localBundles);
  expect(await listLoadedBundles('metrics', 'AAPL')).toEqual([...localBundles, 'render-formats-table.cjs'].sort());
});

test.concurrent('completion of a ticker reads no table once tickers are cached', async () => {
  const env = { HOME: makeHome() };
  await listLoadedBundlesWith(env, '__complete', 'metrics', 'AA');
  expect(await listLoadedBundlesWith(env, '__complete', 'metrics', 'AA')).toEqual([
    'cli.cjs',
    'commands-completion-complete.cjs',
    'fin.js',
    'questions-metrics.cjs',
    'shared.cjs',
    'start.cjs',
    'wiring-completion-tickers.cjs',
  ]);
});

const SHARED_BUNDLES = [
  'cli.cjs',
  'commands-execute.cjs',
  'fin.js',
  'wiring-local-service.cjs',
  'shared.cjs',
  'start.cjs',
  'render-formats-table.cjs',
  // These bundles decide how much of an answer is fetched.
  'ask-fetch-all-pages.cjs',
  'ask-fetch-whole-values.cjs',
];

/** Splits an example at its blanks as a shell does; single quotes keep the blanks of a word. */
const splitWords = (line: string): string[] =>
  (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ''));

test.concurrent.each(OPERATIONS.map(({ id }) => id))(
  'the examples of fin %s run, and the first loads one bundle in addition to shared ones',
  async (id) => {
    const command = await loadCommand(ALL_COMMANDS, id);
    if (command.kind !== 'question') throw new Error(`${id} is not a question`);
    // Some examples write a file to the working directory.
    const runs = await Promise.all(
      Object.keys(command.definition.examples).map((line, index) =>
        index === 0 || /--(xlsx|svg|html)/.test(line)
          ? runFin(splitWords(line), { cwd: makeHome(), nodeOptions: index === 0 ? loggerOptions : [] })
          : runHere(splitWords(line)),
      ),
    );
    for (const { code, err } of runs) expect({ code, err }).toMatchObject({ code: 0 });
    const [firstRun] = runs;
    if (firstRun === undefined) throw new Error(`${id} has no example`);
    // One file has both questions about insiders.
    const name = id === 'insider-activity' ? 'insiders' : id;
    expect(parseBundles(firstRun).filter((file) => !SHARED_BUNDLES.includes(file))).toEqual([`questions-${name}.cjs`]);
  },
);

test.concurrent('a question to a service loads network code and validation only if it sends a request', async () => {
  const release = { date: '2026-08-18', checks: 'passed', published_at: '2026-08-19T04:00:00Z', stamp: 's-1' };
  const meta = { schema: 'svc.data.v1', route: '/v1/metrics', request_id: 'r-1', release };
  const { baseUrl } = await serve((_, response) =>
    sendJson(response, 200, JSON.stringify({ data: [], meta }), { etag: 'W/"1"' }),
  );
  const env = { FIN_BASE_URL: baseUrl, FIN_API_KEY: `svc_${'k'.repeat(38)}`, HOME: makeHome() };
  const bundlesForCachedAnswer = [
    'cli.cjs',
    'client.cjs',
    'commands-execute.cjs',
    'fin.js',
    'questions-catalog.cjs',
    'shared.cjs',
    'start.cjs',
  ];
  expect(await listLoadedBundlesWith(env, 'catalog', '--json')).toEqual(
    [...bundlesForCachedAnswer, 'client-http-network.cjs', 'contract-validate-response.cjs'].sort(),
  );
  expect(await listLoadedBundlesWith(env, 'catalog', '--json')).toEqual(bundlesForCachedAnswer);
});
