/**
 * Answers one question with values that are read from a release: `fin serve` writes the values as JSON; `local:` uses
 * the values directly.
 */
import type { OperationId } from '../../contract/operations.ts';
import type { Question } from '../../contract/question.ts';
import type { Meta } from '../../contract/resources/envelope.ts';
import { API_WORDING, formatText } from '../../contract/text/text.ts';
import type { ReleaseReader } from '../../store/reader.ts';
import type { Table } from '../../store/schema/declare-table.ts';
import type { RowGroupRef } from '../../store/table-reader.ts';
import { HANDLERS } from '../handlers/index.ts';
import { makeMeta } from '../handlers/meta.ts';
import { waitForTurn } from '../request/event-loop.ts';
import type { HandlerRequest, HandlerResult } from '../request/handler.ts';
import { ProblemError } from '../request/problem-error.ts';

export interface Answer {
  readonly data: unknown;
  readonly meta: Omit<Meta, 'request_id'>;
}

/**
 * Returns `data` and `meta` of the response.
 * @param release the release to read; null if there is none
 * @throws {ProblemError} for an invalid request or missing data; any other error is a defect, a failure
 * to read the release, or the signal's abort reason
 */
export async function answerQuestion(
  release: ReleaseReader | null,
  question: Question,
  signal: AbortSignal,
): Promise<Answer> {
  const { operation, parameters, faults } = question;
  if (faults.length > 0) {
    const names = new Set(operation.parameters.map(({ name }) => name));
    const unknown = faults.map(({ parameter }) => parameter).filter((name) => !names.has(name));
    const detail = faults.map((fault) => formatText(fault.detail, API_WORDING)).join(' ');
    throw new ProblemError('bad_request', detail, {}, unknown);
  }
  if (release === null)
    throw new ProblemError('unavailable', 'The service has no data release at the moment. Try again later.');
  // The cast is safe: a question without faults has the parameters that the handler of its operation expects.
  const handler = HANDLERS[operation.id] as unknown as (
    request: Omit<HandlerRequest<OperationId>, 'parameters'> & Pick<Question, 'parameters'>,
  ) => Promise<HandlerResult<OperationId>>;
  const { data, meta = {} } = await handler({ release: makeInterruptible(release, signal), parameters, signal });
  signal.throwIfAborted();
  return { data, meta: makeMeta(question, release.manifest, meta) };
}

/** Number of screen columns per read; reading this number of columns of a full release takes a few milliseconds. */
export const COLUMNS_PER_READ = 16;

/**
 * Returns a reader that yields to other requests before and after each read, and starts no read after the signal
 * aborts. A screen is read in groups of columns, because a running read cannot be interrupted.
 */
export function makeInterruptible(release: ReleaseReader, signal: AbortSignal): ReleaseReader {
  const pause = async () => {
    await waitForTurn();
    signal.throwIfAborted();
  };
  const paced =
    <Arguments extends unknown[], Result>(readTable: (...args: Arguments) => Promise<Result>) =>
    async (...args: Arguments): Promise<Result> => {
      await pause();
      const result = await readTable(...args);
      // Yields again, because deriving figures from the result takes as long as reading it.
      await pause();
      return result;
    };
  const readScreen = paced((names: readonly string[], rows?: readonly number[]) => release.screen(names, rows));
  return {
    manifest: release.manifest,
    securities: paced(() => release.securities()),
    companies: paced(() => release.companies()),
    company: paced((cik: number) => release.company(cik)),
    reportedValues: paced((cik: number, keys?: readonly string[]) => release.reportedValues(cik, keys)),
    quarterStarts: paced((cik: number, asOf: string | null) => release.quarterStarts(cik, asOf)),
    splits: paced((cik: number) => release.splits(cik)),
    rawConcepts: paced((cik: number) => release.rawConcepts(cik)),
    async screen(columns, rows) {
      const first = await readScreen(columns.slice(0, COLUMNS_PER_READ), rows);
      const cells = { ...first.columns };
      for (let start = COLUMNS_PER_READ; start < columns.length; start += COLUMNS_PER_READ)
        Object.assign(cells, (await readScreen(columns.slice(start, start + COLUMNS_PER_READ), rows)).columns);
      return { length: first.length, columns: cells };
    },
    coverage: paced(() => release.coverage()),
    includes: (table, column) => release.includes(table, column),
    rowsOf: (table, key, ...tests) => paced(() => release.rowsOf(table, key, ...tests))(),
    pageOf: (table, key, page, ...tests) => paced(() => release.pageOf(table, key, page, ...tests))(),
    rowsBetween: (table, first, last) => paced(() => release.rowsBetween(table, first, last))(),
    rowsOfEach: (table, keys) => paced(() => release.rowsOfEach(table, keys))(),
    columnsOf: paced((table: Table, columns: readonly string[], rows?: readonly number[]) =>
      release.columnsOf(table, columns, rows),
    ),
    groupsBetween: paced((table: Table, first: number, last: number) => release.groupsBetween(table, first, last)),
    columnsIn: paced((table: Table, groups: readonly RowGroupRef[], columns: readonly string[]) =>
      release.columnsIn(table, groups, columns),
    ),
    allOf: (table) => paced(() => release.allOf(table))(),
    close: () => release.close(),
  };
}
