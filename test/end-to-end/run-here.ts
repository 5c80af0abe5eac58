/**
 * Runs commands in the process of the tests, which takes a fifth of the processor time of a separate process. For tests
 * of what a command prints; tests of streams, signals, start and exit run the built program.
 */
import { Readable } from 'node:stream';
import { version } from '../../package.json';
import { findExitCode, formatFailureLines, makeProblemDocument } from '../../src/ask/failure-report.ts';
import { readCommandLine } from '../../src/commands/command-line/command-line.ts';
import { wantsJson } from '../../src/commands/command-line/global-options.ts';
import type { Io } from '../../src/commands/command-line/io.ts';
import { run } from '../../src/commands/run.ts';
import { redactApiKeys } from '../../src/contract/text/quote.ts';
import { readLines } from '../../src/platform/files/input-text.ts';
import { usesColors } from '../../src/render/terminal/colors.ts';
import { sanitize } from '../../src/render/text/sanitize.ts';
import { ALL_COMMANDS as commands } from '../all-commands.ts';
import type { ProcessResult } from '../fin-process.ts';
import { type Home, makeHome as makeHomeOfProcesses } from './http-process.ts';
import { makeHome, type RunOptions, runFin } from './run-fin.ts';

const ports = {
  localService: () => import('../../src/wiring/local-service.ts'),
  published: () => import('../../src/wiring/published-service.ts'),
  documents: () => import('../../src/wiring/documents/open-documents.ts'),
};

/** Like `runFin`, with the code of the sources instead of the built program. `changes` are made to the Io. */
export async function runHere(
  args: readonly string[],
  { env: variables, input = '' }: Pick<RunOptions, 'env' | 'input'> = {},
  changes: Partial<Io> = {},
): Promise<ProcessResult> {
  const env = { PATH: process.env.PATH ?? '', HOME: variables?.HOME ?? makeHome(), ...variables };
  let [out, err] = ['', ''];
  const print = (text: string): void => {
    out += text;
  };
  const line = await readCommandLine(commands, args);
  const [color] = line.options.has('no-color') ? ['never'] : (line.options.get('color') ?? []);
  const io: Io = {
    ...{ print, usesPager: false, page: async (text) => print(text), progress: () => {}, setShutdownTimeout: () => {} },
    log: (text) => {
      err += `${redactApiKeys(sanitize(text))}\n`;
    },
    startBackgroundLog: async () => {},
    ...{ outIsTerminal: false, errIsTerminal: false, inIsTerminal: false, width: null },
    ...{ colors: usesColors(color, false, env), env, signal: new AbortController().signal },
    input: () => process.stdin,
    lines: () => readLines(Readable.from(input === '' ? [] : [Buffer.from(input)]), 'Standard input'),
    ...changes,
  };
  try {
    return { code: await run(line, io, { version, commands, ports }), out, err };
  } catch (error) {
    if (wantsJson(line.options, env)) io.log(JSON.stringify(makeProblemDocument(error)));
    else for (const text of formatFailureLines(error)) io.log(text);
    return { code: findExitCode(error), out, err };
  }
}

/**
 * Returns a function that runs every eighth command as a process of the built program and all others here, so that over
 * the commands of a file most commands, options and formats are run both ways.
 */
export function everyEighthAsProcess(): typeof runFin {
  let count = 0;
  return (args, options = {}) => {
    const needsProcess = options.cwd ?? options.signal ?? options.nodeOptions;
    return needsProcess !== undefined || count++ % 8 === 0 ? runFin(args, options) : runHere(args, options);
  };
}

/** Returns a function like `makeHome` of http-process.ts, with one such function as the `run` of all its homes. */
export function homesWithEveryEighthAsProcess(): (sharedEnv?: Record<string, string>) => Home {
  const run = everyEighthAsProcess();
  return (sharedEnv) => makeHomeOfProcesses(sharedEnv, run);
}
