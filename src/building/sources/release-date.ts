/** Determines the date of a release. */
import { Failure } from '../../contract/failure.ts';
import type { RunTasks } from '../build-task.ts';
import { divideIntoBatches } from '../tasks/steady-batches.ts';
import type { LatestDayTask } from './latest-filing-day.ts';

/** Usual number of companies per task. If one company's files change, the task reads all of its companies again. */
const USUAL_BATCH_SIZE = 4;
const MAX_BATCH_SIZE = 6;

interface ReleaseDateOptions {
  /**
   * Whether to read the facts of all companies, which takes a tenth of a build, or only of companies without a list of
   * filings.
   */
  readonly readsEverything: boolean;
  /** The current day; filings with a later date are errors and skipped. */
  readonly today: string;
  /** Filing days of the reports in financial statement data sets. */
  readonly setFilingDays: readonly string[];
  /** Called with the number of companies read. */
  readonly onDone: (doneCount: number) => void;
}

/**
 * Returns the release's date, which is the latest filing date of all companies and data sets. Throws a data Failure if the sources
 * contain no filings.
 */
export async function determineReleaseDate(
  ciks: readonly number[],
  runTasks: RunTasks,
  { readsEverything, today, setFilingDays, onDone }: ReleaseDateOptions,
): Promise<string> {
  const batches = divideIntoBatches(ciks, USUAL_BATCH_SIZE, MAX_BATCH_SIZE);
  const tasks = batches.map((batch): LatestDayTask => ({ kind: 'days', ciks: batch, readsEverything, today }));
  let latestDay = setFilingDays.filter((day) => day <= today).reduce((a, b) => (a > b ? a : b), '');
  let doneCount = 0;
  for await (const result of runTasks(tasks)) {
    if (result.latest !== null && result.latest > latestDay) latestDay = result.latest;
    doneCount += result.companiesRead;
    onDone(doneCount);
  }
  if (latestDay !== '') return latestDay;
  throw new Failure('data', 'The source files contain no filing of any company.', {
    hint: 'Check the files: a release needs company facts with at least one fact, submissions with at least one filing, or a financial statement data set.',
  });
}
