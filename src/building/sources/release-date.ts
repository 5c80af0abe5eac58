/** Finds the date of a release. */
import { Failure } from '../../contract/failure.ts';
import type { RunTasks } from '../build-task.ts';
import { steadyBatches } from '../tasks/steady-batches.ts';
import type { DaysTask } from './latest-filing-day.ts';

/** Usual number of companies in a task. When one company changes, all of its task are read again. */
const USUAL_BATCH_SIZE = 4;
const MAX_BATCH_SIZE = 6;

interface ReleaseDateOptions {
  /**
   * Whether to read all companies' facts, which takes a tenth of a build; otherwise only facts of companies without a
   * list of filings.
   */
  readonly readsEverything: boolean;
  /** The current day; filings with a later date are errors. */
  readonly today: string;
  /** Called with the number of companies done. */
  readonly onDone: (doneCount: number) => void;
}

/**
 * Returns the release's date: the latest day on which a company filed. Throws a data Failure if no company filed
 * anything.
 */
export async function latestReleaseDay(
  ciks: readonly number[],
  runTasks: RunTasks,
  { readsEverything, today, onDone }: ReleaseDateOptions,
): Promise<string> {
  const batches = steadyBatches(ciks, USUAL_BATCH_SIZE, MAX_BATCH_SIZE);
  const tasks = batches.map((batch): DaysTask => ({ kind: 'days', ciks: batch, readsEverything, today }));
  let latest = '';
  let doneCount = 0;
  for await (const result of runTasks(tasks)) {
    if (result.latest !== null && result.latest > latest) latest = result.latest;
    doneCount += result.companiesRead;
    onDone(doneCount);
  }
  if (latest !== '') return latest;
  throw new Failure('data', 'The source files contain no filing of any company.', {
    hint: 'Check the files: a release needs company facts with at least one fact, or submissions with at least one filing.',
  });
}
