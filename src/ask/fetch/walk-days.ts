/** Fetches the days of `day --since`, one request per day. Loaded on demand. */
import { compareText } from '../../contract/compare-text.ts';
import { Failure, isFailure } from '../../contract/failure.ts';
import { changeQuestion, findGivenText, type Question } from '../../contract/question.ts';
import type { FilingsDay } from '../../contract/resources/filings.ts';
import { option, say } from '../../contract/text/text.ts';
import { addDays, countDaysBetween, toDayNumber } from '../../platform/dates.ts';
import { type Answer, changeAnswer, type Envelope, joinAnswers } from '../command/answer.ts';
import type { FetchExtent, Input } from '../command/command.ts';
import { readPastDay, readSinceDay } from '../values/past-day.ts';
import type { FetchCall } from './fetch-response.ts';

/**
 * Maximum number of days between the first and the last day without `--all`: a quarter of a year has at most 67
 * weekdays, and each is a request. The service in this process has no maximum.
 */
const MAX_DAYS = 92;
/** Number of days for which an answer states the number of filings: the requested day and the 13 days before it. */
const COUNTED_DAYS = 14;

type DayEnvelope = Envelope<FilingsDay>;
type DaysExtent = Extract<FetchExtent, { kind: 'days' }>;

/**
 * Returns the days with filings from `extent.since` to the requested or latest day, newest first, as one answer. Throws
 * a Failure if `extent.since` is invalid, too early, or after the last day.
 */
export async function walkDays({ client, question, progress }: FetchCall, extent: DaysExtent): Promise<Answer> {
  const ask = async (question: Question): Promise<DayEnvelope> => (await client.ask(question)).envelope as DayEnvelope;
  const days: DayEnvelope[] = [];
  try {
    let day: DayEnvelope | null = await ask(question);
    const lastDay = day.data.date;
    const fromDay = readFirstDay(extent, lastDay, findGivenText(question.rawParameters, 'date') !== undefined);
    while (day !== null) {
      const { date, filings, days: counts }: FilingsDay = day.data;
      if (filings > 0 || days.length === 0) days.push(day);
      progress(`Fetched the filings of ${date}`);
      const previous = counts.findLast((count) => count.date < date && count.filings > 0)?.date;
      const next: string = previous ?? addDays(date, -COUNTED_DAYS);
      day = next < fromDay ? null : await ask(changeQuestion(question, [['date', next]])).catch(nullIfNotFound);
    }
  } finally {
    progress(null);
  }
  const [newest, ...earlierDays] = days;
  if (newest === undefined) throw new Error('the first day is missing');
  const data = joinDays([newest.data, ...earlierDays.map((day) => day.data)]);
  const joined = joinAnswers(question.operation, { data, meta: newest.meta }, () => days, { requests: days.length });
  return changeAnswer(joined, { data, unfiltered: data });
}

/** Handles the rejection of a day: null if the day is before the first day of the release. */
function nullIfNotFound(error: unknown): null {
  if (isFailure(error) && error.kind === 'not_found') return null;
  throw error;
}

/**
 * Returns the first day to fetch.
 * @param lastDay the day from which a duration such as `5d` is counted back
 * @param isGiven whether the user gave `lastDay`; if so, a later `since` is a usage error, otherwise a not-found error
 */
function readFirstDay({ since, isUnlimited }: DaysExtent, lastDay: string, isGiven: boolean): string {
  const fromDay = readSinceDay(since, () => lastDay);
  if (fromDay > lastDay) {
    if (!isGiven)
      throw new Failure('not_found', `There are no filings since ${fromDay} yet: the latest day is ${lastDay}.`);
    throw new Failure('usage', say`${option('since', since)} is after ${lastDay}, the last day of the period.`);
  }
  const days = countDaysBetween(fromDay, lastDay);
  if (isUnlimited || days <= MAX_DAYS) return fromDay;
  const text = say`${option('since', since)} is ${days} days before ${lastDay}; the maximum is ${MAX_DAYS} days.`;
  const hint = say`To send a request for each day with filings: ${option('all')}. To count them: ${option('plan')}`;
  throw new Failure('usage', text, { hint });
}

/** Yields one input per weekday of the range, because filings are dated on weekdays only. */
export function* listDaysToPlan({ rawParameters }: Question, extent: DaysExtent): Generator<Input> {
  const givenDay = findGivenText(rawParameters, 'date');
  const lastDay = givenDay ?? readPastDay('today');
  const first = readFirstDay({ ...extent, isUnlimited: true }, lastDay, givenDay !== undefined);
  for (let day = lastDay; day >= first; day = addDays(day, -1)) {
    // 1970-01-01 (day 0) was a Thursday.
    const weekday = (toDayNumber(day) + 4) % 7;
    if (weekday !== 0 && weekday !== 6) yield { name: day, parameters: [['date', day]] };
  }
}

/** Combines days, newest first: lists and counts include all days; other fields are those of the newest day. */
function joinDays(days: readonly [FilingsDay, ...FilingsDay[]]): FilingsDay {
  const [newest] = days;
  const sumDays = (getCount: (day: FilingsDay) => number): number => days.reduce((sum, day) => sum + getCount(day), 0);
  const sums = new Map<string, number>();
  for (const day of days) for (const { form, filings } of day.forms) sums.set(form, (sums.get(form) ?? 0) + filings);
  return {
    ...newest,
    filings: sumDays(({ filings }) => filings),
    lines: sortNewestFirst(days.flatMap(({ date, lines }) => lines.map((line) => ({ filed_at: date, ...line })))),
    lines_total: sumDays(({ lines_total: total }) => total),
    // Reports listed for a single day have no date, so each report gets the date of its day.
    reports: sortNewestFirst(days.flatMap(({ date, reports }) => reports.map((row) => ({ filed_at: date, ...row })))),
    forms: [...sums].map(([form, filings]) => ({ form, filings })).sort((a, b) => b.filings - a.filings),
    days: days.map(({ date, filings }) => ({ date, filings })).reverse(),
  };
}

type DatedFiling = { readonly filed_at?: string | null; readonly accepted_at?: string | null };

/**
 * Sorts filings of several days by day, then by acceptance, newest first: a service lists those of one day earliest
 * first. Filings without a time come last on their day.
 */
function sortNewestFirst<Row extends DatedFiling>(rows: readonly Row[]): Row[] {
  const readInstant = ({ accepted_at: time }: DatedFiling): number => (time == null ? 0 : Date.parse(time) || 0);
  return rows.toSorted((a, b) => compareText(b.filed_at ?? '', a.filed_at ?? '') || readInstant(b) - readInstant(a));
}
