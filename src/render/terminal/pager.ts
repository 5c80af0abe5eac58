/**
 * Shows long output in the user's pager. The pager's command is split at spaces and run without a shell, and its
 * environment lacks the API key.
 */

import { spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { codeOf } from '../../platform/system-error.ts';
import { displayWidth } from '../text-width.ts';

export interface Screen {
  readonly columns: number;
  readonly rows: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns whether the text was shown; false if it fits the screen or there is no pager, so that the caller must write
 * it.
 */
export function showInPager(text: string, screen: Screen, env: Environment): boolean {
  const [command = '', ...args] = pagerOf(env);
  if (command === '' || command === 'cat' || !isLonger(text, screen)) return false;
  const { FIN_API_KEY: _, ...others } = env;
  const { error } = spawnSync(command, args, {
    input: text,
    stdio: ['pipe', 'inherit', 'inherit'],
    // The settings that git uses: exit if the text fits, keep colours, leave the text on the screen. Also UTF-8
    // without a locale, as in most containers.
    env: { LESS: 'FRX', LESSCHARSET: 'utf-8', LV: '-c', ...others },
  });
  // EPIPE: the user closed the pager before the end.
  return error === undefined || codeOf(error) === 'EPIPE';
}

/** FIN_PAGER, then PAGER, then less; none if the first that is set is empty. */
const pagerOf = ({ FIN_PAGER, PAGER }: Environment): string[] => (FIN_PAGER ?? PAGER ?? 'less').trim().split(/\s+/);

function isLonger(text: string, { columns, rows }: Screen): boolean {
  let lines = 0;
  for (const line of text.trimEnd().split('\n')) {
    lines += Math.max(1, Math.ceil(displayWidth(stripVTControlCharacters(line)) / columns));
    // The prompt that follows takes a line too.
    if (lines >= rows) return true;
  }
  return false;
}
