/** A real terminal (a pty, by way of `script`) for what is only done on one: countdowns, Ctrl-C, TAB. */
import { spawn, spawnSync } from 'node:child_process';
import { onTestFinished } from 'vitest';

export const hasTerminals = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

export interface Terminal {
  /** Everything that was sent to it so far, control sequences and all. */
  shown(): string;
  /** Presses keys. */
  type(keys: string): void;
  readonly ended: Promise<number | null>;
}

/** Runs a line of shell on a terminal of 24 lines; it is ended with the test. */
export function openTerminal(line: string, env: Readonly<Record<string, string>>, cwd?: string): Terminal {
  const child = spawn('script', ['-qec', `stty rows 24 cols 100; ${line}`, '/dev/null'], {
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm', ...env },
    cwd,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdout.setEncoding('utf8');
  let shown = '';
  child.stdout.on('data', (chunk) => {
    shown += chunk;
  });
  return {
    shown: () => shown,
    type: (keys) => void child.stdin.write(keys),
    ended: new Promise((done) => child.on('close', done)),
  };
}
