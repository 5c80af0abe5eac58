/** Whether a directory of the person's own can be used, and by nobody else. */
import { accessSync, constants, type Stats, statSync } from 'node:fs';
import type { Finding } from './finding.ts';

/** Others may read releases and held answers, but not settings: a key may stand there. */
const PRIVATE = new Set(['config']);
const OTHERS = 0o077;

export function directoryFinding(kind: string, path: string | null): Finding {
  const check = `${kind} directory`;
  if (path === null) {
    return { check, state: 'note', detail: `none is known: set HOME, or FIN_${kind.toUpperCase()}_DIR` };
  }
  let found: Stats | undefined;
  try {
    found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return { check, state: 'ok', detail: `${path} (not made yet)` };
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return { check, state: 'wrong', detail: `${path} cannot be used: it is not readable and writable` };
  }
  if (!found.isDirectory()) return { check, state: 'wrong', detail: `${path} is not a directory` };
  const open = process.platform !== 'win32' && PRIVATE.has(kind) && (found.mode & OTHERS) !== 0;
  return open
    ? { check, state: 'note', detail: `${path} is open to others: chmod 700 ${path}` }
    : { check, state: 'ok', detail: path };
}
