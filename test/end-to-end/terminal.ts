/** A real terminal (a pty, through `script`) for behaviour that needs one: countdowns, Ctrl-C, TAB. */
import { spawn, spawnSync } from 'node:child_process';
import { sanitize } from '../../src/render/text/sanitize.ts';
import { wrapWords } from '../../src/render/text/wrap.ts';
import { registerCleanUp } from '../clean-up.ts';
import { FIN_PATH } from '../fin-process.ts';
import { makeHome } from './run-fin.ts';
import { runHere } from './run-here.ts';

export const hasTerminals = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

export interface Terminal {
  /** Returns everything that was sent to the terminal so far, including control sequences. */
  terminalText(): string;
  type(keys: string): void;
  readonly exitCode: Promise<number | null>;
}

/** Runs a shell command on a terminal with 24 lines; the process is killed when the tests of the file are done. */
export function openTerminal(line: string, env: Readonly<Record<string, string>>, cwd?: string): Terminal {
  const child = spawn('script', ['-qec', `stty rows 24 cols 100; ${line}`, '/dev/null'], {
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm', ...env },
    cwd,
  });
  registerCleanUp(() => void child.kill('SIGKILL'));
  child.stdout.setEncoding('utf8');
  let screenText = '';
  child.stdout.on('data', (chunk) => {
    screenText += chunk;
  });
  return {
    terminalText: () => screenText,
    type: (keys) => void child.stdin.write(keys),
    exitCode: new Promise((done) => child.on('close', done)),
  };
}

/** Marks the end of a command's output. */
const OUTPUT_END = '\u001e';

/** Text on a line before it is erased, and sequences that move or hide the cursor. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences are made of them.
const ERASED_TEXT_PATTERN = /^.*\u001b\[1G\u001b\[0K|\u001b\[(?:\?\d+[hl]|1G)/gm;

/**
 * Returns the final screen of each command on a terminal of this width, with colours and without erased progress lines.
 */
export async function captureScreens(
  commands: readonly string[],
  columns: number,
  env: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const shellCommands = commands.map((command) => `"${process.execPath}" "${FIN_PATH}" ${command}; printf '\\036'`);
  const terminal = openTerminal(`stty cols ${columns}; ${shellCommands.join('; ')}`, {
    HOME: makeHome(),
    FIN_PAGER: 'cat',
    ...env,
  });
  await terminal.exitCode;
  const screens = terminal.terminalText().replaceAll('\r\n', '\n').split(OUTPUT_END);
  return screens.map((screen) => screen.replaceAll(ERASED_TEXT_PATTERN, ''));
}

/**
 * Returns the same screens as `captureScreens`, but without colours, processes or a terminal.
 * @param columns width of the terminal; null if stdout is not a terminal
 */
export async function renderScreens(lines: readonly string[], columns: number | null): Promise<readonly string[]> {
  const env = { HOME: makeHome() };
  const screens: string[] = [];
  for (const line of lines) {
    let screen = '';
    const print = (text: string) => {
      screen += text;
    };
    await runHere(
      line.split(' '),
      { env },
      {
        ...{ print, usesPager: true, page: async (text) => print(text) },
        log: (text) => print(columns === null ? '' : `${wrapWords(sanitize(text), columns).join('\n')}\n`),
        ...{ outIsTerminal: columns !== null, errIsTerminal: true, inIsTerminal: true, width: columns, colors: false },
      },
    );
    screens.push(screen);
  }
  return screens;
}

/**
 * Returns the final screen of terminal output, without erased lines. Supports only the control sequences that erase
 * lines or move the cursor to the first column; ignores all others.
 */
export function toFinalScreen(output: string): string {
  const lines = [''];
  let column = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences are made of them.
  for (const [piece, text] of output.matchAll(/\u001b\[[?\d;]*[A-Za-z]|\r|\n|([^\u001b\r\n]+)/g)) {
    const lastLine = lines.at(-1) ?? '';
    if (text !== undefined) {
      lines[lines.length - 1] = lastLine.slice(0, column).padEnd(column) + text + lastLine.slice(column + text.length);
      column += text.length;
    } else if (piece === '\n') {
      lines.push('');
      column = 0;
    } else if (piece === '\r' || piece === '\u001b[1G') column = 0;
    else if (piece === '\u001b[K' || piece === '\u001b[0K') lines[lines.length - 1] = lastLine.slice(0, column);
    else if (piece === '\u001b[2K') lines[lines.length - 1] = '';
  }
  return lines.join('\n').trim();
}
