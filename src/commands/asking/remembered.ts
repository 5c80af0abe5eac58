/** `--if-changed`: what a command last answered, remembered by a digest of its data and nothing else of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../client/digest.ts';
import { writeAside } from '../../client/held-answers.ts';
import { GLOBAL_OPTIONS, type Globals } from '../globals.ts';
import type { Io } from '../io.ts';
import type { ParsedLine } from '../parse-options.ts';
import type { Found } from './found.ts';

export interface Remembered {
  /** Adds one answer, in the order they are written. */
  add(found: Found): void;
  /** Whether everything added is what it was the last time. */
  same(): boolean;
  /** Remembers what was added; to be called when it is out. */
  keep(): void;
}

/** Options that change the way to an answer, or what is said about it, but not what is written. */
const ASIDE = new Set([
  ...['if-changed', 'quiet', 'verbose', 'stats', 'color', 'no-pager', 'json', 'csv', 'output'],
  ...GLOBAL_OPTIONS.filter(({ group }) => group === 'service').map(({ name }) => name),
]);

export interface Remembering {
  readonly state: string | null;
  /** One-way name of origin and key. */
  readonly account: string;
  readonly command: string;
  readonly line: ParsedLine;
  readonly globals: Globals;
  readonly io: Io;
}

export function openRemembered({ state, account, command, line, globals, io }: Remembering): Remembered {
  const options = [...line.options].filter(([name]) => !ASIDE.has(name)).sort();
  const name = sha256(JSON.stringify([account, command, line.args, options, globals.format])).slice(0, 40);
  const file = state === null ? null : join(state, 'last', name);
  if (file === null) forgetful(io, 'No directory for state is known; set HOME or FIN_STATE_DIR.');
  let digest = '';
  return {
    add(found) {
      for (const { data } of found.pages()) digest = sha256(digest + sha256(JSON.stringify(data)));
    },
    same: () => file !== null && read(file) === digest,
    keep() {
      if (file === null) return;
      try {
        writeAside(file, digest);
      } catch {
        forgetful(io, `${file} cannot be written.`);
      }
    },
  };
}

const forgetful = (io: Io, why: string): void => io.say(`Warning: --if-changed remembers nothing. ${why}`);

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
