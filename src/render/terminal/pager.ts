/**
 * Shows long output in the user's pager, which `sh` runs, as in git; FIN_API_KEY is removed from its environment.
 */

import { spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { readErrorCode } from '../../platform/files/system-error.ts';
import { measureWidth } from '../text/text-width.ts';

type ScreenSize = Readonly<Record<'columns' | 'rows', number>>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Exit code of a shell whose command was interrupted. */
const INTERRUPTED = 130;

/**
 * Shows the text in the pager. Returns false if the text fits the screen, no pager runs, or the pager fails; the caller
 * must then write the text.
 */
export function showInPager(text: string, screen: ScreenSize, env: Environment): boolean {
  // An empty variable disables the pager.
  const command = (env.FIN_PAGER ?? env.PAGER ?? 'less').trim();
  if (command === '' || command === 'cat' || !isLongerThanScreen(text, screen)) return false;
  const { FIN_API_KEY: _, ...others } = env;
  const { error, status, signal } = spawnSync(command, {
    shell: true,
    input: env.LESS === undefined || keepsColors(env.LESS) ? text : stripVTControlCharacters(text),
    stdio: ['pipe', 'inherit', 'inherit'],
    // Defaults for variables that the user has not set. LESS and LV are as in git: exit if the text fits, keep colours.
    // LESSCHARSET is UTF-8, because most containers lack a locale.
    env: { LESS: 'FRX', LESSCHARSET: 'utf-8', LV: '-c', ...others },
  });
  // EPIPE: the user quit the pager before the end of the text.
  if (error !== undefined && readErrorCode(error) !== 'EPIPE') return false;
  return status === 0 || status === INTERRUPTED || signal === 'SIGINT';
}

/** Whether options in the variable LESS include -R or -r, without which `less` shows escape sequences as text. */
const keepsColors = (options: string): boolean =>
  options
    .split(/\s+/)
    .some((word, index) => /^--raw/i.test(word) || ((index === 0 || word.startsWith('-')) && /^-?[^-P]*r/i.test(word)));

function isLongerThanScreen(text: string, { columns, rows }: ScreenSize): boolean {
  let lines = 0;
  for (const line of text.trimEnd().split('\n')) {
    lines += Math.max(1, Math.ceil(measureWidth(stripVTControlCharacters(line)) / columns));
    // The shell's prompt after the text takes a line too.
    if (lines >= rows) return true;
  }
  return false;
}
