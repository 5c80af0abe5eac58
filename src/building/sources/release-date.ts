/** Dates a release. */
import { Failure } from '../../contract/failure.ts';
import type { Results } from '../build-task.ts';
import { steadyBatches } from '../tasks/steady-batches.ts';
import type { DaysTask } from './latest-filing-day.ts';

/** Companies whose days are found together: so many are looked at again where one changed. */
const USUAL_BATCH = 4;
const MAX_BATCH = 6;

interface Dating {
  /** By all their facts too, which takes a tenth of a build; else by these only where there is no list of filings. */
  readonly thorough: boolean;
  /** Nothing can have been filed after it. */
  readonly today: string;
  /** Called with how many companies are done. */
  readonly onDone: (done: number) => void;
}

/** The release's date: the latest day on which any of the companies filed. Throws a data Failure where none has. */
export async function latestDay(
  ciks: readonly number[],
  results: Results,
  { thorough, today, onDone }: Dating,
): Promise<string> {
  const batches = steadyBatches(ciks, USUAL_BATCH, MAX_BATCH);
  const tasks = batches.map((batch): DaysTask => ({ kind: 'days', ciks: batch, thorough, today }));
  let latest = '';
  let done = 0;
  for await (const result of results(tasks)) {
    if (result.latest !== null && result.latest > latest) latest = result.latest;
    done += result.asked;
    onDone(done);
  }
  if (latest !== '') return latest;
  throw new Failure('data', 'The sources hold no filing of any company.', {
    hint: 'Look at the files: company facts that list no fact, and submissions that list no filing, make no release.',
  });
}
