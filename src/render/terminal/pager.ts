/**
 * Shows long output in the user's pager. The pager's command is split at spaces and run without a shell; FIN_API_KEY
 * is removed from its environment.
 */

import { spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { readErrorCode } from '../../platform/system-error.ts';
import { measureDisplayWidth } from '../text-width.ts';

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Shows the text in the pager. Returns false if the text fits the screen or no pager runs; the caller must then write
 * the text.
 */
export function showInPager(text: string, screen: ScreenSize, env: Environment): boolean {
  const [command = '', ...args] = choosePager(env);
  if (command === '' || command === 'cat' || !isLongerThanScreen(text, screen)) return false;
  const { FIN_API_KEY: _, ...otherVariables } = env;
  const { error } = spawnSync(command, args, {
    input: text,
    stdio: ['pipe', 'inherit', 'inherit'],
    // Defaults for variables that the user has not set. LESS and LV are as in git: exit if the text fits, keep colours.
    // LESSCHARSET is UTF-8, because most containers lack a locale.
    env: { LESS: 'FRX', LESSCHARSET: 'utf-8', LV: '-c', ...otherVariables },
  });
  // EPIPE: the user quit the pager before the end of the text.
  return error === undefined || readErrorCode(error) === 'EPIPE';
}

/** Returns the pager's command: FIN_PAGER, else PAGER, else `less`. An empty variable disables the pager. */
const choosePager = ({ FIN_PAGER, PAGER }: Environment): string[] => (FIN_PAGER ?? PAGER ?? 'less').trim().split(/\s+/);

function isLongerThanScreen(text: string, { columns, rows }: ScreenSize): boolean {
  let lineCount = 0;
  for (const line of text.trimEnd().split('\n')) {
    lineCount += Math.max(1, Math.ceil(measureDisplayWidth(stripVTControlCharacters(line)) / columns));
    // The shell's prompt after the text takes a line too.
    if (lineCount >= rows) return true;
  }
  return false;
}
