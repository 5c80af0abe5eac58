/**
 * `--new`: shows only filings that the same question has not shown before. Their accession numbers are stored by
 * question after they were printed: if the program ends before that, they are shown again.
 */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { AskOptions } from '../ask/ask.ts';
import { type Answer, changeAnswer, narrowAnswer } from '../ask/command/answer.ts';
import type { Input } from '../ask/command/command.ts';
import type { ParsedArguments } from '../ask/command/option-spec.ts';
import type { Plan } from '../ask/plan.ts';
import { Failure, failUsage } from '../contract/failure.ts';
import { findParameterMaximum, findRows, type Operation, replaceRows } from '../contract/operations.ts';
import type { FilingsDay } from '../contract/resources/filings.ts';
import { option, say } from '../contract/text/text.ts';
import { writeAtomically } from '../platform/files/atomic-write.ts';
import { readIfReadable } from '../platform/files/regular-file.ts';
import { describeCause } from '../platform/files/system-error.ts';
import { withLock } from '../platform/processes/lock.ts';
import { makeWarning } from '../result/notice.ts';
import { removeOldDigests, UNDIGESTED_OPTIONS } from './if-changed.ts';

export interface NewRows {
  /** Requests the longest page of an input that was shown before, so that no new row is cut off. */
  readonly inputs: AsyncIterable<Input>;
  /** Keeps the new rows of an answer; an input that was never shown keeps all. */
  readonly narrow: NonNullable<AskOptions['narrowInput']>;
  /** Adds the rows of an answer to those to store, and returns their number. */
  add(input: Input, answers: readonly Answer[]): number;
  /** Stores the shown rows, after they were written. Throws a data Failure if that is impossible. */
  record(): Promise<void>;
}

/** Options that select the companies or the size of a page: they do not change which rows are new. */
const UNRECORDED_OPTIONS = new Set([
  ...UNDIGESTED_OPTIONS,
  ...['new', 'mark', 'limit', 'all', 'tickers', 'watchlist', 'fields', 'rows', 'xlsx', 'md', 'exact', 'no-header'],
]);

/** Maximum number of accession numbers of a question; the oldest are forgotten. */
const MAX_ENTRIES = 1_000_000;

/** @throws {Failure} usage, if no directory can store the rows */
export function openNewRows(plan: Plan, parsed: ParsedArguments, state: string | null, account: string): NewRows {
  const { operation } = plan.question;
  if (state === null) {
    const text = say`${option('new')} has no directory to remember rows in.`;
    failUsage(text, 'Set HOME or FIN_STATE_DIR.');
  }
  const relevant = [...parsed.options].filter(([name]) => !UNRECORDED_OPTIONS.has(name)).sort();
  const folder = join(state, 'shown');
  const file = join(folder, hash('sha256', JSON.stringify([account, operation.id, relevant])).slice(0, 40));
  const shown = readEntries(file);
  const added = new Set<string>();
  const max = findParameterMaximum(operation, 'limit');
  const widens = max !== null && plan.extent.kind === 'page' && !plan.isLimited;
  const isKnown = (input: Input): boolean => shown.has(makeInputEntry(input));
  return {
    inputs: mapInputs(plan.inputs, (input) =>
      widens && isKnown(input) ? { ...input, parameters: [...input.parameters, ['limit', `${max}`]] } : input,
    ),
    narrow: (input, answer) => {
      if (!isKnown(input)) return answer;
      const rows = listFilings(operation, answer.data);
      const lastShown = rows.findLastIndex((row) => shown.has(row.accession_number));
      // Lists are newest first: rows after the last shown one are older, and were on no page before. A day has no order.
      const isNew = (row: FilingRow, index: number): boolean =>
        !shown.has(row.accession_number) && (operation.id === 'day' || lastShown < 0 || index < lastShown);
      const kept = new Set<object>(rows.filter(isNew));
      const isCut = answer.isPage && lastShown < 0 && rows.length > 0 && rows.length >= (answer.meta.limit ?? max ?? 0);
      const text = say`All ${rows.length} rows of the page are new, so that others may be missing. To see them: ${option('all')}`;
      return changeAnswer(narrowAnswer(answer, operation, keepFilings(operation, answer.data, kept)), {
        isPage: false,
        notices: isCut ? [...answer.notices, makeWarning('new_rows_cut', text)] : answer.notices,
      });
    },
    add(input, answers) {
      added.add(makeInputEntry(input));
      const rows = answers.flatMap(({ data }) => listFilings(operation, data));
      for (const { accession_number: number } of rows) added.add(number);
      return rows.length;
    },
    async record() {
      if (added.size === 0) return;
      try {
        await withLock(folder, () => {
          // Another process may have added rows in the meantime.
          const all = [...readEntries(file), ...added].slice(-MAX_ENTRIES);
          writeAtomically(file, `${[...new Set(all)].join('\n')}\n`);
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

async function* mapInputs(inputs: Plan['inputs'], change: (input: Input) => Input): AsyncGenerator<Input> {
  for await (const input of inputs as AsyncIterable<Input>) yield change(input);
}

/** Returns the entry of an input, which no accession number equals. */
const makeInputEntry = ({ parameters }: Input): string =>
  `input ${parameters.flatMap(([name, text]) => (name === 'limit' ? [] : [text.trim().toUpperCase()])).join(' ')}`;

const readEntries = (file: string): ReadonlySet<string> => new Set(readIfReadable(file)?.split('\n'));

interface FilingRow {
  readonly accession_number: string;
}

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
