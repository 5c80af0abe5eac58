/** `--if-changed`: detects whether a command's answer changed since its last run, by a stored digest of the answer. */
import { hash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from '../ask/command/answer.ts';
import type { QuestionCommand } from '../ask/command/command.ts';
import type { ParsedArguments } from '../ask/command/option-spec.ts';
import { writeAtomically } from '../platform/files/atomic-write.ts';
import { readIfReadable } from '../platform/files/regular-file.ts';
import { describeCause } from '../platform/files/system-error.ts';
import { GLOBAL_OPTIONS } from './command-line/global-options.ts';
import type { Io } from './command-line/io.ts';
import type { Presentation } from './output/presentation.ts';

export interface AnswerDigest {
  /** Adds one answer to the digest; answers must be added in printed order. */
  add(answer: Answer): void;
  /** Whether the added answers equal the answers of the last run, and the output file, if any, still exists. */
  isSame(): boolean;
  /** Stores the digest. Must be called last: after printing, or after the decision to print nothing. */
  saveDigest(): void;
}

/**
 * Options that are left out of a digest's file name. Most do not change the answer's content. The name includes the
 * format instead of `--json`, `--csv` and `--output`.
 */
export const UNDIGESTED_OPTIONS = new Set([
  ...['if-changed', 'quiet', 'verbose', 'stats', 'color', 'no-pager', 'json', 'csv', 'output'],
  ...GLOBAL_OPTIONS.filter(({ group }) => group === 'service').map(({ name }) => name),
]);

interface AnswerDigestSetup {
  /** The state directory; null if unknown. */
  readonly stateDirectory: string | null;
  /** The result of `readAccountHash`: identifies the service and the account; `local:` for data on this machine. */
  readonly account: string;
  readonly command: QuestionCommand;
  readonly parsed: ParsedArguments;
  readonly presentation: Presentation;
  readonly io: Io;
}

export function openAnswerDigest(setup: AnswerDigestSetup): AnswerDigest {
  const { stateDirectory, account, command, parsed, presentation, io } = setup;
  const { format, file: output } = presentation;
  const ownNames = new Set(command.options?.map(({ name }) => name));
  const warn = (reason: string): void =>
    io.log(`Warning: --if-changed cannot remember this answer for the next run. ${reason}`);
  const relevant = [...parsed.options].filter(([name]) => ownNames.has(name) || !UNDIGESTED_OPTIONS.has(name)).sort();
  const parts = [account, command.operation, parsed.args, relevant, format];
  const digestName = hash('sha256', JSON.stringify(parts)).slice(0, 40);
  const directory = stateDirectory === null ? null : join(stateDirectory, 'last');
  const file = directory === null ? null : join(directory, digestName);
  if (file === null) warn('There is no directory to store the answer in: set HOME or FIN_STATE_DIR.');
  let digest = '';
  const isSame = () => file !== null && readIfReadable(file) === digest && (output === null || existsSync(output));
  return {
    add(answer) {
      for (const { data } of answer.pages()) digest = hash('sha256', digest + hash('sha256', JSON.stringify(data)));
    },
    isSame,
    saveDigest() {
      if (file === null || directory === null) return;
      const now = Date.now();
      if (isSame()) return recordUse(file, now);
      try {
        writeAtomically(file, digest);
      } catch (error) {
        return warn(`${file} cannot be written: ${describeCause(error)}.`);
      }
      removeOldDigests(directory, now);
    },
  };
}

/** Updates the file's modification time, by which old digests are removed. Ignores failures. */
function recordUse(file: string, now: number): void {
  try {
    utimesSync(file, now / 1000, now / 1000);
  } catch {}
}

/**
 * Maximum number of digests, and their maximum age in days. The age exceeds a year because some commands run once a
 * year.
 */
export const DIGEST_LIMITS = { files: 1000, days: 400 } as const;

const DAY_MS = 86_400_000;

/** Removes digests that exceed the maximum age, and the least recently used digests that exceed the maximum number. */
export function removeOldDigests(directory: string, now: number): void {
  try {
    readdirSync(directory)
      .flatMap((name) => {
        const file = join(directory, name);
        const fileStats = statSync(file, { throwIfNoEntry: false });
        return fileStats?.isFile() === true ? [{ file, used: fileStats.mtimeMs }] : [];
      })
      .sort((a, b) => b.used - a.used)
      .filter(({ used }, index) => index >= DIGEST_LIMITS.files || now - used > DIGEST_LIMITS.days * DAY_MS)
      .forEach(({ file }) => {
        rmSync(file, { force: true });
      });
  } catch {
    // Ignored: old digests only take space, and the next changed answer removes them.
  }
}
