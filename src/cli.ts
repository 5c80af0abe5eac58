/**
 * The program: reads command-line arguments and sets the exit code. Only this file and `start.ts` use the process's
 * streams, signals and exit code. Only this file joins the commands of both rooms.
 */

import { fstatSync, statSync } from 'node:fs';
import { version } from '../package.json';
import type { GivenOptions } from './ask/command/option-spec.ts';
import { findExitCode, formatFailureLines, makeProblemDocument } from './ask/failure-report.ts';
import type { Ports } from './client/request/ports.ts';
import { readCommandLine } from './commands/command-line/command-line.ts';
import { wantsJson } from './commands/command-line/global-options.ts';
import type { Io } from './commands/command-line/io.ts';
import { COMMANDS } from './commands/commands.ts';
import { run } from './commands/run.ts';
import { isError } from './contract/error-code.ts';
import { Failure } from './contract/failure.ts';
import { redactApiKeys } from './contract/text/quote.ts';
import { OPERATE_COMMANDS } from './operate/operator-commands.ts';
import type { BackgroundLog } from './platform/background-log.ts';
import { readLines } from './platform/files/input-text.ts';
import { isPipeClosed, writeAll } from './platform/write-all.ts';
import { usesColors } from './render/terminal/colors.ts';
import type { Spinner } from './render/terminal/spinner.ts';
import { sanitize } from './render/text/sanitize.ts';
import { wrapWords } from './render/text/wrap.ts';

const commands = { ...COMMANDS, ...OPERATE_COMMANDS };

const ports: Ports = {
  localService: () => import('./wiring/local-service.ts'),
  published: () => import('./wiring/published-service.ts'),
  documents: () => import('./wiring/documents/open-documents.ts'),
};

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
/** Milliseconds that a command may use to clean up after a signal, unless it requests more. */
let graceMs = 2000;

const interruptionController = new AbortController();
let signalExitCode: number | null = null;
/** Closes stdin, because an open stdin keeps the process alive. */
let closeInput = (): void => undefined;
/** Whether a pager is running, which then handles the signals of the terminal. */
let isPaging = false;

function onSignal(code: number): void {
  if (isPaging) return;
  // A second signal ends the process immediately.
  if (signalExitCode !== null) process.exit(code);
  signalExitCode = code;
  process.exitCode = code;
  interruptionController.abort();
  // The exit is safe, because no output is pending: every write completes before it returns.
  setTimeout(() => process.exit(code), graceMs).unref();
}

/**
 * Whether a descriptor is a terminal. Recognizes pipes, files and /dev/null without loading node:tty, which is slow.
 */
function isTerminal(descriptor: number): boolean {
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isCharacterDevice() || stat.rdev === readNullDeviceNumber()) return false;
    return process.getBuiltinModule('node:tty').isatty(descriptor);
  } catch {
    return false;
  }
}

const readNullDeviceNumber = (): number | null => statSync('/dev/null', { throwIfNoEntry: false })?.rdev ?? null;

/** The log of a server, which never waits for a reader of stderr; other commands write to stderr directly. */
let backgroundLog: BackgroundLog | null = null;

const describeLostLines = (count: number): string =>
  `${count} ${count === 1 ? 'line' : 'lines'} of the log were lost, because its reader was too slow.\n`;

async function startBackgroundLog(): Promise<void> {
  const { openBackgroundLog } = await import('./platform/background-log.ts');
  backgroundLog = openBackgroundLog(process.stderr, describeLostLines);
}

/**
 * Writes text other than the progress line to stderr. Errors are ignored, because a broken stderr leaves no way to
 * report them.
 */
function writeToStderr(text: string): void {
  try {
    if (backgroundLog === null) writeAll(STDERR, redactApiKeys(text));
    else backgroundLog.write(redactApiKeys(text));
  } catch {}
}

/** Columns of a terminal that reports no size, as in a container at its start. */
const DEFAULT_COLUMNS = 80;
/** Minimum width of output: on a narrower terminal, lines wrap, because cut tables would lose values. */
const MIN_COLUMNS = 30;

/** Returns the size of a terminal; null if it reports none, or cannot move the cursor (TERM=dumb). */
const findScreenSize = ({ columns, rows }: NodeJS.WriteStream): { columns: number; rows: number } | null =>
  columns > 0 && rows > 0 && process.env.TERM !== 'dumb' ? { columns, rows } : null;

function makeIo(options: GivenOptions): Io {
  const outIsTerminal = isTerminal(STDOUT);
  const screen = outIsTerminal ? findScreenSize(process.stdout) : null;
  // A terminal without a size does not count, because no line can be overwritten there.
  const errIsTerminal = isTerminal(STDERR) && findScreenSize(process.stderr) !== null;
  const [color] = options.has('no-color') ? ['never'] : (options.get('color') ?? []);
  const show = openProgressLine(errIsTerminal);
  const usesPager = screen !== null && !options.has('no-pager');
  return {
    print: (text) => {
      show(null);
      writeAll(STDOUT, text);
    },
    usesPager,
    page: async (text) => {
      show(null);
      if (!usesPager) return writeAll(STDOUT, text);
      const { showInPager } = await import('./render/terminal/pager.ts');
      // Signals are ignored while the pager runs, because the keys that end it are not meant for fin.
      isPaging = true;
      if (!showInPager(text, screen, process.env)) writeAll(STDOUT, text);
      setImmediate(() => {
        isPaging = false;
      });
    },
    log: (line) => {
      show(null);
      const columns = errIsTerminal ? process.stderr.columns : undefined;
      const text = sanitize(line);
      writeToStderr(`${columns === undefined ? text : wrapWords(text, columns).join('\n')}\n`);
    },
    progress: show,
    outIsTerminal,
    errIsTerminal,
    get inIsTerminal() {
      return isTerminal(STDIN);
    },
    width: outIsTerminal ? Math.max(MIN_COLUMNS, process.stdout.columns || DEFAULT_COLUMNS) : null,
    colors: usesColors(color, outIsTerminal, process.env),
    env: process.env,
    input: () => process.stdin,
    lines: () => {
      refuseDirectoryAsStdin();
      closeInput = () => void process.stdin.destroy();
      return readLines(process.stdin, 'Standard input');
    },
    startBackgroundLog,
    signal: interruptionController.signal,
    setShutdownTimeout: (ms) => {
      graceMs = ms;
    },
  };
}

/** Throws if stdin is a directory, which Node.js would read as an empty stream. */
function refuseDirectoryAsStdin(): void {
  if (!fstatSync(STDIN).isDirectory()) return;
  const hint = 'Redirect a file: < tickers.txt';
  throw new Failure('usage', 'Standard input is a directory instead of a file.', { hint });
}

/**
 * Returns a function that shows the given progress line on stderr if stderr is a terminal; null removes the shown line.
 * The spinner is loaded in the background, so that it does not delay the command.
 */
function openProgressLine(isTerminal: boolean): Io['progress'] {
  let text: string | null = null;
  let isLoading = false;
  let spinner: Spinner | undefined;
  return (line) => {
    text = line === null ? null : sanitize(line);
    if (text === null) return spinner?.stop();
    if (spinner !== undefined) return spinner.show(text);
    if (!isTerminal || isLoading) return;
    isLoading = true;
    import('./render/terminal/spinner.ts')
      .then(({ openSpinner }) => {
        spinner = openSpinner(process.stderr);
        if (text !== null) spinner.show(text);
      })
      // Ignored: the work continues without a progress line.
      .catch(() => undefined);
  };
}

/** Node.js warnings that are meant for developers, and are therefore printed only if FIN_DEBUG is set. */
const DEVELOPER_WARNINGS: ReadonlySet<string> = new Set(['DeprecationWarning', 'ExperimentalWarning']);

async function main(argv: readonly string[]): Promise<void> {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => {
    if (!DEVELOPER_WARNINGS.has(name) || process.env.FIN_DEBUG) writeToStderr(`${name}: ${message}\n`);
  });
  process.on('SIGINT', () => onSignal(130));
  process.once('SIGTERM', () => onSignal(143));
  if (argv[0] === '__complete') {
    const { printCompletions } = await import('./commands/completion/complete.ts');
    const io = makeIo(new Map());
    const loadTickers = async () => (await import('./wiring/completion-tickers.ts')).loadTickers(io.env);
    return printCompletions(argv.slice(1), io, { commands, loadTickers, readLine: readCommandLine });
  }
  const line = await readCommandLine(commands, argv);
  const io = makeIo(line.options);
  try {
    process.exitCode = await run(line, io, { version, commands, ports });
  } catch (error) {
    if (signalExitCode !== null || isPipeClosed(error)) return;
    process.exitCode = findExitCode(error);
    logFailure(error, io, wantsJson(line.options, io.env));
  } finally {
    closeInput();
    io.progress(null);
    if (signalExitCode !== null) process.exitCode = signalExitCode;
  }
}

function logFailure(error: unknown, io: Io, asJson: boolean): void {
  if (asJson) io.log(JSON.stringify(makeProblemDocument(error)));
  else for (const line of formatFailureLines(error)) io.log(line);
  if (!io.env.FIN_DEBUG || !isError(error)) return;
  const text = `${error.stack}\n${error.cause ? `Cause: ${error.cause}\n` : ''}`;
  // The message of an error may quote text of a service.
  writeToStderr(text.split('\n').map(sanitize).join('\n'));
}

/** Permission of everyone to write, which no file of fin has, even under a umask of 0. */
const WRITABLE_BY_OTHERS = 0o002;
process.umask(process.umask(0o077) | WRITABLE_BY_OTHERS);

main(process.argv.slice(2))
  .catch((error) => {
    // Reached only if stdout is broken, or a command cannot be loaded.
    if (!isPipeClosed(error)) {
      process.exitCode = 1;
      writeToStderr(`fin: ${isError(error) ? error.message : error}\n`);
    }
  })
  .finally(async () => {
    await backgroundLog?.flush();
    // A normal exit would wait while V8 optimizes code that this process will not run again, and a log that nobody
    // reads would keep the process alive.
    if (signalExitCode === null || backgroundLog !== null) process.exit();
  });
