/** `day --since`: the days back to one, a request each. Loaded on demand. */
import { Failure, isFailure } from '../../contract/failure.ts';
import { isDay } from '../../contract/identifiers.ts';
import { changeQuestion, givenText, type Question } from '../../contract/question/question.ts';
import { quote } from '../../contract/quote.ts';
import type { FilingsDay } from '../../contract/resources/filings.ts';
import { addDays, dayNumber, daysBetween } from '../../platform/dates.ts';
import type { Answer, Narrowing } from '../command.ts';
import { joinDays } from '../questions/shared/day-filters.ts';
import type { FetchCall, FetchedAnswer } from './fetch.ts';
import type { Input } from './inputs.ts';
import { DAYS_HINT, readPastDay } from './past-day.ts';

/** A quarter of a year: at most 66 requests. */
const MOST_DAYS = 92;
/** How many days an answer counts filings of, its own the last. */
const LISTED_DAYS = 14;

interface Page {
  readonly text: string;
  readonly answer: Answer<FilingsDay>;
}

/**
 * The days with filings from the day that is asked for, or the latest, back to `since`; newest first. Days that the answer
 * before counts no filings for are not asked for. Throws a Failure where there is no such day.
 */
export async function walkDays(
  { client, question, progress }: FetchCall,
  since: string,
  narrowing: Narrowing | null,
): Promise<FetchedAnswer> {
  const ask = async (asked: Question): Promise<Page> => {
    const response = await client.ask(asked);
    return { text: response.text.trimEnd(), answer: response.envelope as Answer<FilingsDay> };
  };
  const pages: Page[] = [];
  try {
    let page: Page | null = await ask(question);
    const last = page.answer.data.date;
    const from = firstDay(since, last);
    while (page !== null) {
      const { date, filings, days }: FilingsDay = page.answer.data;
      if (filings > 0 || pages.length === 0) pages.push(page);
      progress(`Filings of ${date}`);
      const listed = days.findLast((day) => day.date < date && day.filings > 0)?.date;
      const next: string = listed ?? addDays(date, -LISTED_DAYS);
      page = next < from ? null : await askOrNull(() => ask(changeQuestion(question, [['date', next]])));
    }
  } finally {
    progress(null);
  }
  return joined(pages, narrowing);
}

/** Before the first day of a release there is none. */
async function askOrNull(ask: () => Promise<Page>): Promise<Page | null> {
  try {
    return await ask();
  } catch (error) {
    if (isFailure(error) && error.kind === 'not_found') return null;
    throw error;
  }
}

/** @param last what a length of time is counted back from */
function firstDay(since: string, last: string): string {
  const from = readPastDay(since, () => last);
  if (!isDay(from)) throw new Failure('usage', `--since ${quote(since)} is not a day.`, { hint: DAYS_HINT });
  if (from > last) throw new Failure('not_found', `The last day is ${last}: there is none since ${from}.`);
  const days = daysBetween(from, last);
  if (days <= MOST_DAYS) return from;
  throw new Failure('usage', `--since ${since} is ${days} days before ${last}; at most ${MOST_DAYS} are walked.`, {
    hint: `Name the last day too: fin day <day> --since ${MOST_DAYS}d`,
  });
}

function joined(pages: readonly Page[], narrowing: Narrowing | null): FetchedAnswer {
  const [first] = pages;
  if (first === undefined) throw new Error('a walk has its first day');
  const before = pages.map(({ answer }) => answer);
  const join = ([latest, ...earlier]: readonly Answer<FilingsDay>[]): FilingsDay =>
    joinDays([(latest ?? first.answer).data, ...earlier.map(({ data }) => data)]);
  const after = before.map(({ data, meta }) => ({ data: (narrowing?.apply(data, meta) ?? data) as FilingsDay, meta }));
  return {
    answer: first.answer,
    pages: () => after,
    whole: () => ({ data: join(after), meta: first.answer.meta }),
    text: () => [
      '[\n',
      pages.map(({ text }, index) => (narrowing === null ? text : JSON.stringify(after[index]))).join(',\n'),
      '\n]',
    ],
    notices: narrowing?.notice(join(before), join(after)) ?? [],
    close: () => undefined,
  };
}

/** What a walk would ask at most: each weekday, as filings are dated by no other. */
export function* daysToPlan({ given }: Question, since: string): Generator<Input> {
  const last = givenText(given, 'date') ?? readPastDay('today');
  for (let day = last; day >= firstDay(since, last); day = addDays(day, -1)) {
    // 1970-01-01 was a Thursday.
    const weekday = (dayNumber(day) + 4) % 7;
    if (weekday !== 0 && weekday !== 6) yield { name: day, parameters: [['date', day]] };
  }
}
