/**
 * Stores what a question remembers for its next run. `--if-changed`: a digest of the answer, to detect whether it
 * changed. `--new`: the accession numbers of shown filings, stored after they were printed: if the program ends before
 * that, they are shown again.
 */
import { hash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AskOptions } from '../ask/ask.ts';
import { type Answer, changeAnswer, narrowAnswer } from '../ask/command/answer.ts';
import type { Input, QuestionCommand } from '../ask/command/command.ts';
import { mapAsync } from '../ask/command/inputs.ts';
import type { ParsedArguments } from '../ask/command/option-spec.ts';
import type { Plan } from '../ask/plan.ts';
import { type ConnectionTarget, readAccountHash } from '../client/connection.ts';
import { Failure, failUsage } from '../contract/failure.ts';
import { findParameterMaximum, findRows, type Operation, replaceRows } from '../contract/operations.ts';
import type { FilingsDay } from '../contract/resources/filings.ts';
import { option, say } from '../contract/text/text.ts';
import { writeAtomically } from '../platform/files/atomic-write.ts';
import { setTimesIfPossible } from '../platform/files/directories.ts';
import { readIfReadable } from '../platform/files/regular-file.ts';
import { describeCause } from '../platform/files/system-error.ts';
import { withLock } from '../platform/processes/lock.ts';
import { makeWarning } from '../result/notice.ts';
import { GLOBAL_OPTIONS } from './command-line/global-options.ts';
import type { Io } from './command-line/io.ts';
import type { Presentation } from './output/presentation.ts';

/**
 * Options that are left out of a digest's file name. Most do not change the answer's content. The name includes the
 * format instead of `--json`, `--csv` and `--output`.
 */
const UNDIGESTED_OPTIONS = new Set([
  ...['if-changed', 'quiet', 'verbose', 'stats', 'color', 'no-pager', 'json', 'csv', 'output'],
  ...GLOBAL_OPTIONS.filter(({ group }) => group === 'service').map(({ name }) => name),
]);

/** The parts of a question's call that identify its stored state, and the log for warnings. */
interface QuestionCall {
  readonly command: QuestionCommand;
  readonly parsed: ParsedArguments;
  readonly target: ConnectionTarget;
  readonly io: Pick<Io, 'log'>;
}

export async function openAnswerDigest({ command, parsed, target, io }: QuestionCall, presentation: Presentation) {
  const account = await readAccountHash(target);
  const { state } = target.directories;
  const { format, file: output } = presentation;
  const ownNames = new Set(command.options?.map(({ name }) => name));
  const warn = (reason: string): void =>
    io.log(`Warning: --if-changed cannot remember this answer for the next run. ${reason}`);
  const options = [...parsed.options].filter(([name]) => ownNames.has(name) || !UNDIGESTED_OPTIONS.has(name)).sort();
  const parts = [account, command.operation, parsed.args, options, format];
  const digestName = hash('sha256', JSON.stringify(parts)).slice(0, 40);
  const directory = state === null ? null : join(state, 'last');
  const file = directory === null ? null : join(directory, digestName);
  if (file === null) warn('There is no directory to store the answer in: set HOME or FIN_STATE_DIR.');
  let digest = '';
  /** Whether the added answers equal the answers of the last run, and the output file, if any, still exists. */
  const isSame = () => file !== null && readIfReadable(file) === digest && (output === null || existsSync(output));
  return {
    /** Adds one answer to the digest; answers must be added in printed order. */
    add(answer: Answer) {
      for (const { data } of answer.readPages()) digest = hash('sha256', digest + hash('sha256', JSON.stringify(data)));
    },
    isSame,
    /** Stores the digest. Must be called last: after printing, or after the decision to print nothing. */
    saveDigest() {
      if (file === null || directory === null) return;
      const now = Date.now();
      // Old digests are removed by the time of their last use.
      if (isSame()) return setTimesIfPossible(file, now);
      try {
        writeAtomically(file, digest);
      } catch (error) {
        return warn(`${file} cannot be written: ${describeCause(error)}.`);
      }
      removeOldDigests(directory, now);
    },
  };
}

/**
 * Maximum number of digests, and their maximum age in days. The age exceeds a year because some commands run once a
 * year.
 */
export const DIGEST_LIMITS = { files: 1000, days: 400 } as const;

const DAY_MS = 86_400_000;

/** Removes digests that exceed the maximum age, and the least recently used digests that exceed the maximum number. */
function removeOldDigests(directory: string, now: number): void {
  try {
    readdirSync(directory)
      .flatMap((name) => {
        const file = join(directory, name);
        const fileStats = statSync(file, { throwIfNoEntry: false });
        return fileStats?.isFile() === true ? [{ file, usedMs: fileStats.mtimeMs }] : [];
      })
      .sort((a, b) => b.usedMs - a.usedMs)
      .filter(({ usedMs }, index) => index >= DIGEST_LIMITS.files || now - usedMs > DIGEST_LIMITS.days * DAY_MS)
      .forEach(({ file }) => {
        rmSync(file, { force: true });
      });
  } catch {
    // Ignored: old digests only take space, and the next changed answer removes them.
  }
}

/** Options that select the companies or the size of a page: they do not change which rows are new. */
const UNRECORDED_OPTIONS = new Set([
  ...UNDIGESTED_OPTIONS,
  ...['new', 'mark', 'limit', 'all', 'tickers', 'watchlist', 'fields', 'rows', 'xlsx', 'md', 'exact', 'no-header'],
]);

/** Maximum number of accession numbers of a question; the oldest are forgotten. */
const MAX_ENTRIES = 1_000_000;

/** @throws {Failure} usage, if no directory can store the rows */
export async function openNewRows(plan: Plan, { parsed, target }: QuestionCall) {
  const { operation } = plan.question;
  const account = await readAccountHash(target);
  const { state } = target.directories;
  if (state === null) {
    const text = say`${option('new')} has no directory to remember rows in.`;
    failUsage(text, 'Set HOME or FIN_STATE_DIR.');
  }
  const options = [...parsed.options].filter(([name]) => !UNRECORDED_OPTIONS.has(name)).sort();
  const folder = join(state, 'shown');
  const file = join(folder, hash('sha256', JSON.stringify([account, operation.id, options])).slice(0, 40));
  const entries = readEntries(file);
  const newEntries = new Set<string>();
  const max = findParameterMaximum(operation, 'limit');
  const usesFullPage = max !== null && plan.extent.kind === 'page' && !plan.isLimited;
  const isKnown = (input: Input): boolean => entries.has(makeInputEntry(input));
  return {
    /** The inputs of the plan. An input that was shown before gets the maximum limit, so that no new row is cut off. */
    inputs: mapAsync<Input, Input>(plan.inputs, (input) =>
      usesFullPage && isKnown(input) ? { ...input, parameters: [...input.parameters, ['limit', `${max}`]] } : input,
    ),
    /** Keeps the new rows of an answer; an input that was never shown keeps all rows. */
    narrow: ((input, answer) => {
      if (!isKnown(input)) return answer;
      const rows = listFilings(operation, answer.data);
      const lastIndex = rows.findLastIndex((row) => entries.has(row.accession_number));
      // Lists are newest first: rows after the last shown one are older, and were on no page before. A day has no order.
      const isNew = (row: FilingRow, index: number): boolean =>
        !entries.has(row.accession_number) && (operation.id === 'day' || lastIndex < 0 || index < lastIndex);
      const newRows = new Set<object>(rows.filter(isNew));
      const isCut = answer.isPage && lastIndex < 0 && rows.length > 0 && rows.length >= (answer.meta.limit ?? max ?? 0);
      const text = say`All ${rows.length} rows of the page are new, so other new rows may be missing. To see them: ${option('all')}`;
      return changeAnswer(narrowAnswer(answer, operation, keepFilings(operation, answer.data, newRows)), {
        isPage: false,
        notices: isCut ? [...answer.notices, makeWarning('new_rows_cut', text)] : answer.notices,
      });
    }) satisfies AskOptions['narrowInput'],
    /** Adds the rows of an answer to the rows to store, and returns their number. */
    add(input: Input, answers: readonly Answer[]) {
      newEntries.add(makeInputEntry(input));
      const rows = answers.flatMap(({ data }) => listFilings(operation, data));
      for (const { accession_number: number } of rows) newEntries.add(number);
      return rows.length;
    },
    /** Stores the shown rows, after they were written. Throws a data Failure if that is impossible. */
    async record() {
      if (newEntries.size === 0) return;
      try {
        await withLock(folder, () => {
          // Another process may have added rows in the meantime.
          const allEntries = [...readEntries(file), ...newEntries].slice(-MAX_ENTRIES);
          writeAtomically(file, `${[...new Set(allEntries)].join('\n')}\n`);
          removeOldDigests(folder, Date.now());
        });
      } catch (error) {
        throw new Failure('data', `The shown rows cannot be remembered in ${folder}: ${describeCause(error)}.`, {
          hint: 'The next run shows them again.',
        });
      }
    },
  };
}

/** Returns the entry of an input, which no accession number equals. */
const makeInputEntry = ({ parameters }: Input): string =>
  `input ${parameters.flatMap(([name, text]) => (name === 'limit' ? [] : [text.trim().toUpperCase()])).join(' ')}`;

const readEntries = (file: string): ReadonlySet<string> => new Set(readIfReadable(file)?.split('\n'));

type FilingRow = { readonly accession_number: string };

const listFilings = (operation: Operation, data: unknown): readonly FilingRow[] => {
  if (operation.id !== 'day') return (findRows(operation, data) ?? []) as readonly FilingRow[];
  const { lines, reports, insiders } = data as FilingsDay;
  return [...lines, ...reports, ...insiders.largest];
};

function keepFilings(operation: Operation, data: unknown, kept: ReadonlySet<object>): unknown {
  const filter = <Row extends object>(rows: readonly Row[]): Row[] => rows.filter((row) => kept.has(row));
  if (operation.id !== 'day') return replaceRows(operation, data, filter(listFilings(operation, data)));
  const { lines, reports, insiders, ...day } = data as FilingsDay;
  const largest = filter(insiders.largest);
  return { ...day, lines: filter(lines), reports: filter(reports), insiders: { ...insiders, largest } };
}
