/** `--if-changed`: what a command last answered, remembered by a digest of its data and nothing else of it. */
import { hash } from 'node:crypto';
import { existsSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../../platform/atomic-write.ts';
import { GLOBAL_OPTIONS, type GlobalOptions } from '../command-line/global-options.ts';
import type { ParsedArguments } from '../command-line/parse.ts';
import type { Io } from '../io.ts';
import type { FetchedAnswer } from './fetched-answer.ts';
import { removeOldDigests } from './sweep-remembered.ts';

export interface LastAnswer {
  /** Adds one answer, in the order they are written. */
  add(found: FetchedAnswer): void;
  /** Whether everything added is what it was the last time, and the file that was made of it is still there. */
  same(): boolean;
  /** Remembers what was added; to be called when it is out, or need not go out. */
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
  readonly line: ParsedArguments;
  readonly globals: GlobalOptions;
  readonly io: Io;
}

export function openLastAnswer({ state, account, command, line, globals, io }: Remembering): LastAnswer {
  const options = [...line.options].filter(([name]) => !ASIDE.has(name)).sort();
  const name = hash('sha256', JSON.stringify([account, command, line.args, options, globals.format])).slice(0, 40);
  const directory = state === null ? null : join(state, 'last');
  const file = directory === null ? null : join(directory, name);
  const drawn = globals.drawing?.file ?? null;
  if (file === null) forgetful(io, 'No directory for state is known; set HOME or FIN_STATE_DIR.');
  let digest = '';
  const same = () => file !== null && read(file) === digest && (drawn === null || existsSync(drawn));
  return {
    add(found) {
      for (const { data } of found.pages()) digest = hash('sha256', digest + hash('sha256', JSON.stringify(data)));
    },
    same,
    keep() {
      if (file === null || directory === null) return;
      const now = Date.now();
      try {
        if (same()) return utimesSync(file, now / 1000, now / 1000);
        writeAtomically(file, digest);
        removeOldDigests(directory, now);
      } catch {
        forgetful(io, `${file} cannot be written.`);
      }
    },
  };
}

const forgetful = (io: Io, why: string): void => io.log(`Warning: --if-changed remembers nothing. ${why}`);

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
