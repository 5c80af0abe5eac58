/**
 * For any answer of a service, fin either prints the answer correctly, or refuses it with exit code 7 and prints
 * nothing.
 */
import { expect, test } from 'vitest';
import { findExitCode } from '../../src/ask/failure-report.ts';
import { createClient } from '../../src/client/client.ts';
import type { Destination } from '../../src/client/destination.ts';
import { type CommandLine, readCommandLine } from '../../src/commands/command-line/command-line.ts';
import { readGlobalOptions } from '../../src/commands/command-line/global-options.ts';
import type { Io } from '../../src/commands/command-line/io.ts';
import { createProgressLine } from '../../src/commands/output/progress.ts';
import { runQuestion } from '../../src/commands/run-question.ts';
import { OUTPUT_FORMAT_NAMES } from '../../src/render/formats.ts';
import { ALL_COMMANDS } from '../all-commands.ts';
import { countSome, selectSome } from '../select-some.ts';
import { type GoodAnswer, makeArguments, makeWrongAnswers, readGoodAnswers } from '../wrong-answers.ts';

const BASE_URL = 'http://127.0.0.1:1';
const DIRECTORIES = { config: null, cache: null, state: null, data: null };
const DESTINATION: Destination = {
  ...{ to: 'service' as const, baseUrl: BASE_URL, origin: BASE_URL, isLoopback: true, addressSource: '--base-url' },
  ...{
    key: null,
    withheld: null,
    isStoredKeyOverridden: false,
    account: null,
    profile: 'default',
    isStatedService: false,
  },
};

interface RunResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command against a service that answers with this text. */
async function runCommandLine({ command, args, options }: CommandLine, text: string): Promise<RunResult> {
  if (command?.kind !== 'question') throw new Error('no question');
  const [out, err]: [string[], string[]] = [[], []];
  const print = (written: string): void => void out.push(written);
  const io: Io = {
    ...{ print, page: async (written) => print(written), usesPager: false, log: (line) => void err.push(line) },
    ...{
      progress: () => undefined,
      setShutdownTimeout: () => undefined,
      startBackgroundLog: async () => undefined,
      input: () => process.stdin,
      lines: async function* () {},
    },
    ...{ outIsTerminal: false, errIsTerminal: false, inIsTerminal: false, width: 80, colors: false, env: {} },
    signal: new AbortController().signal,
  };
  const send = async () => ({ status: 200, headers: {}, body: text });
  const transport = { send, close: async () => undefined };
  const client = createClient({ baseUrl: BASE_URL, key: null, directories: DIRECTORIES, transport });
  const makeResult = (code: number): RunResult => ({ code, out: out.join(''), err: err.join('\n') });
  try {
    const code = await runQuestion({
      ...{
        command: command.definition,
        parsed: { args, options },
        globals: readGlobalOptions(options, {}),
        io,
        waitLine: createProgressLine(io),
      },
      ...{ target: { directories: DIRECTORIES, destination: DESTINATION }, stats: null },
      connect: async () => ({ client, isInProcess: false, sample: null }),
    });
    return makeResult(code);
  } catch (error) {
    err.push(error instanceof Error ? error.message : String(error));
    return makeResult(findExitCode(error));
  }
}

const OUTPUT_OPTIONS = OUTPUT_FORMAT_NAMES.map((format) => `--output=${format}`);

/** Returns one command line per output format that the answer's command supports, including the formats of charts. */
async function makeCommandLines(goodAnswer: GoodAnswer): Promise<readonly CommandLine[]> {
  const commandArguments = makeArguments(goodAnswer);
  const parsedCommandLine = await readCommandLine(ALL_COMMANDS, commandArguments);
  const hasCharts =
    parsedCommandLine.command?.kind === 'question' && parsedCommandLine.command.definition.hasCharts === true;
  const formatOptions = [...OUTPUT_OPTIONS, ...(hasCharts ? ['--chart', '--svg', '--html'] : [])];
  return Promise.all(formatOptions.map((form) => readCommandLine(ALL_COMMANDS, [...commandArguments, form])));
}

const hasChartOutput = ({ options }: CommandLine): boolean =>
  ['chart', 'svg', 'html'].some((name) => options.has(name));
const hasJsonOutput = ({ options }: CommandLine): boolean => options.get('output')?.[0] === 'json';

/** Text that JavaScript prints for a value of an unexpected type. */
const LEAKED_VALUE_PATTERN = /\bundefined\b|\bNaN\b|\bInfinity\b|\[object |native code/;

const makeRefusalPattern = (id: string) =>
  new RegExp(
    `^${BASE_URL} (sent a response that does not follow the HTTP API\\. ${id}: (the field "(data|meta)" is|data|meta)|answered with (no )?schema )|^The response of ${BASE_URL} does not follow the HTTP API`,
  );

/** Returns null if the answer was printed correctly or correctly refused; otherwise the fault. */
function findFault({ id }: GoodAnswer, line: CommandLine, { code, out, err }: RunResult, text: string): string | null {
  if (code === 7)
    return out === '' && makeRefusalPattern(id).test(err)
      ? null
      : `the refusal has an unexpected message: ${out}${err}`;
  if (code !== 0) return `exit ${code}: ${err}`;
  if (hasJsonOutput(line)) return out === `${text}\n` ? null : 'the document differs from the response';
  return LEAKED_VALUE_PATTERN.exec(out + err)?.[0] ?? null;
}

const goodAnswers = await readGoodAnswers();

test.each(goodAnswers)('$id: $target with one wrong value is printed correctly or refused', async (goodAnswer) => {
  const commandLines = await makeCommandLines(goodAnswer);
  for (const line of commandLines)
    expect(await runCommandLine(line, JSON.stringify(goodAnswer.body))).toMatchObject({ code: 0 });
  const faults: string[] = [];
  let commandLineIndex = 0;
  let refusalCount = 0;
  for (const { change, text, hasWrongType } of selectSome(makeWrongAnswers(goodAnswer), 2)) {
    // One format per answer in rotation, so that each field, which is replaced several times, is printed in many formats.
    const line = commandLines[commandLineIndex++ % commandLines.length] as CommandLine;
    const outcome = await runCommandLine(line, text);
    const acceptanceFault = outcome.code === 0 && hasWrongType ? 'a value of a wrong type is accepted' : null;
    const fault = acceptanceFault ?? findFault(goodAnswer, line, outcome, text);
    if (fault !== null) faults.push(`${change} (${[...line.options].join(' ')}): ${fault}`);
    if (outcome.code !== 0) refusalCount++;
  }
  expect(faults).toEqual([]);
  expect(refusalCount).toBeGreaterThan(countSome(25, 50));
});

test('columns that only a newer service has are printed, whatever their values', async () => {
  const screenAnswer = goodAnswers.find(({ id }) => id === 'screen');
  if (screenAnswer === undefined) throw new Error('there is no answer of screen');
  const { data, meta } = screenAnswer.body as { data: object[]; meta: object };
  const newValues = [true, 12.5, null, [], [['a', { b: [1] }]], { c: { d: null } }, 'text', {}];
  for (const newValue of newValues) {
    const rows = data.map((row) => ({ ...row, newer: newValue }));
    const text = JSON.stringify({ data: rows, meta: { ...meta, columns: ['revenue', 'newer', 'constructor'] } });
    for (const line of await makeCommandLines(screenAnswer)) {
      const outcome = await runCommandLine(line, text);
      expect(outcome.code, outcome.err).toBe(0);
      expect(findFault(screenAnswer, line, outcome, text)).toBeNull();
      if (!hasChartOutput(line)) expect(outcome.out.toLowerCase(), [...line.options].join(' ')).toContain('newer');
    }
  }
});
