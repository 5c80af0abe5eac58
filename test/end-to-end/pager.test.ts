import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { FIN_PATH } from '../fin-process.ts';
import { testNeeding } from '../needs.ts';
import { makeHome } from './run-fin.ts';
import { hasTerminals, openTerminal } from './terminal.ts';

/** Runs a command on a terminal with this number of lines; returns the text on the terminal. */
function runOnTerminal(command: string, env: Readonly<Record<string, string>>, rows = 12): string {
  const HOME = env.HOME ?? makeHome();
  const line = `stty rows ${rows} cols 80; "${process.execPath}" "${FIN_PATH}" ${command}; echo "exit $?"`;
  const { stdout } = spawnSync('script', ['-qec', line, '/dev/null'], {
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm', ...env, HOME },
    encoding: 'utf8',
  });
  return stdout.replaceAll('\r\n', '\n');
}

const testOnTerminal = testNeeding('script(1)', hasTerminals);

testOnTerminal('output longer than the screen goes to the pager; FIN_PAGER takes precedence over PAGER', () => {
  const screenText = runOnTerminal('help figures', { FIN_PAGER: 'head -n 1', PAGER: 'head -n 3' });
  expect(screenText).toMatch(/^Ratios are fractions[^\n]*\nexit 0\n$/);
  expect(runOnTerminal('help figures', { PAGER: 'head -n 1' })).toBe(screenText);
  const tableText = runOnTerminal('catalog income ratios', { FIN_PAGER: 'tail -n 2' });
  expect(tableText).toMatch(/columns? did not fit[^\n]*\n[^\n]*one metric in full[^\n]*\nexit 0\n$/);
});

testOnTerminal('output that fits the screen uses no pager, nor does --no-pager', () => {
  const unpagedText = runOnTerminal('help figures', { FIN_PAGER: 'head -n 1' }, 400);
  expect(unpagedText.split('\n').length).toBeGreaterThan(50);
  expect(runOnTerminal('help figures --no-pager', { FIN_PAGER: 'head -n 1' })).toBe(unpagedText);
  for (const FIN_PAGER of ['', 'cat']) expect(runOnTerminal('help figures', { FIN_PAGER })).toBe(unpagedText);
});

testOnTerminal('if the pager cannot start or fails, the output is printed without it', () => {
  const unpagedText = runOnTerminal('help figures --no-pager', {});
  for (const FIN_PAGER of ['no-such-pager', 'false', 'head -n 1; exit 2'])
    expect(runOnTerminal('help figures', { FIN_PAGER })).toContain(unpagedText);
});

testOnTerminal('the shell runs the pager, without a key in its environment', () => {
  expect(runOnTerminal('help figures', { FIN_PAGER: "head -n '1' | tr a-z A-Z" })).toMatch(
    /^RATIOS ARE[^\n]*\nexit 0\n$/,
  );
  const screenText = runOnTerminal('help figures', { FIN_PAGER: 'env', FIN_API_KEY: 'svc_secret' });
  expect(screenText).toContain('LESS=FRX');
  expect(screenText).not.toContain('svc_secret');
});

testOnTerminal('colours reach the pager, unless options in LESS would show them as text', () => {
  const hasColours = (LESS: string) => runOnTerminal('catalog', { FIN_PAGER: 'cat -v', LESS }).includes('^[[');
  expect(['FRX', '-R', 'i -R', '--RAW-CONTROL-CHARS', 'r'].map(hasColours)).toEqual([true, true, true, true, true]);
  expect(['', 'FX', '-i', '-Pprompt', '-P prompt'].map(hasColours)).toEqual([false, false, false, false, false]);
});

const hasLess = spawnSync('less', ['--version']).status === 0;

testNeeding('script(1) and less', hasTerminals && hasLess)(
  'less shows non-ASCII characters without a locale',
  async () => {
    const terminal = openTerminal(`"${process.execPath}" "${FIN_PATH}" catalog`, { HOME: makeHome(), PAGER: 'less' });
    await expect.poll(terminal.terminalText).toContain('gross_profit');
    expect(terminal.terminalText()).toContain('──');
    expect(terminal.terminalText()).not.toContain('<E2>');
    terminal.type('q');
    expect(await terminal.exitCode).toBe(0);
  },
);

testOnTerminal('leaving a pager early ends the command with exit code 0', () => {
  expect(runOnTerminal('metrics AAPL --period all --csv', { FIN_PAGER: 'true' })).toMatch(/exit 0\n$/);
});

test('output into a pipe is not paged', () => {
  const { stdout } = spawnSync(process.execPath, [FIN_PATH, 'help', 'figures'], {
    env: { PATH: process.env.PATH ?? '', HOME: makeHome(), FIN_PAGER: 'head -n 1' },
    encoding: 'utf8',
  });
  expect(stdout.split('\n').length).toBeGreaterThan(50);
});
