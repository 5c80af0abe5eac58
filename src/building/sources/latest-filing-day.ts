/** Defines the task that finds the latest filing date of some companies. */

import type { PublicFiles } from '../../edgar/files/public-files.ts';
import { pickLaterDay } from '../../platform/dates.ts';
import { readOrElse } from '../tasks/reading.ts';
import type { Task } from '../tasks/task.ts';

const makeDayPattern = (years: string) => String.raw`((?:${years})-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))`;
/**
 * Matches the filing dates in a submissions file: a JSON array of dates or, in some copies of these files, one date per
 * filing.
 */
const FILING_DATE_PATTERN = /"filing_?date"\s*:\s*(\[[^\]]*\]|"[^"]*")/gi;
const QUOTED_DAY_PATTERN = new RegExp(`"${makeDayPattern('\\d{4}')}`, 'g');

export interface LatestDayTask extends Task<LatestDayResult> {
  readonly kind: 'days';
  readonly ciks: readonly number[];
  /** Whether to read facts even of companies with a list of filings, which usually has the filings of all facts. */
  readonly readsEverything: boolean;
  /** The current day; later dates are errors of filers and ignored. */
  readonly today: string;
}

interface LatestDayResult {
  readonly latest: string | null;
  /** Whether dates after today were ignored. */
  readonly isLimitedToToday: boolean;
  readonly companiesRead: number;
}

const NO_LIMIT_DAY = '9999-12-31';

/**
 * Returns the latest filing date up to today. If no date is after today, which is usual, the result can be cached,
 * because it is the same on later days.
 */
export async function findLatestFilingDay(task: LatestDayTask, files: PublicFiles): Promise<LatestDayResult> {
  const latest = await findLatestDay({ ...task, today: NO_LIMIT_DAY }, files);
  const count = task.ciks.length;
  if (latest === null || latest <= task.today) return { latest, isLimitedToToday: false, companiesRead: count };
  return { latest: await findLatestDay(task, files), isLimitedToToday: true, companiesRead: count };
}

async function findLatestDay(task: LatestDayTask, files: PublicFiles): Promise<string | null> {
  let latest: string | null = null;
  for (const cik of task.ciks)
    latest = pickLaterDay(latest, await findLatestDayOfCompany(files, cik, { ...task, since: latest }));
  return latest;
}

interface DaySearchOptions extends Pick<LatestDayTask, 'readsEverything' | 'today'> {
  /** A known filing date; the search may skip earlier years. */
  readonly since: string | null;
}

/**
 * Returns the company's latest filing date; null if no date is found. Ignores unreadable files, which are reported
 * when the company is derived.
 */
export async function findLatestDayOfCompany(
  files: PublicFiles,
  cik: number,
  { readsEverything, since, today }: DaySearchOptions,
): Promise<string | null> {
  const submissions = await readOrElse(`A file of CIK ${cik}`, null, () => files.readSubmissionFiles(cik));
  let latest: string | null = null;
  for (const text of [submissions?.mainFile ?? '', ...(submissions?.pageFiles ?? [])]) {
    for (const [, days = ''] of text.matchAll(FILING_DATE_PATTERN))
      latest = pickLaterDay(latest, findLatestMatch(days, QUOTED_DAY_PATTERN, today));
  }
  if (latest !== null && !readsEverything) return latest;
  const facts = await readOrElse(`A file of CIK ${cik}`, null, () => files.readFacts(cik));
  // Searches facts only for years from the latest known date on.
  const pattern = makeFiledSincePattern(pickLaterDay(since, latest));
  return facts === null ? latest : pickLaterDay(latest, findLatestMatch(facts.toString('latin1'), pattern, today));
}

function makeFiledSincePattern(day: string | null): RegExp {
  const years = day === null ? '\\d{4}' : makeYearsSincePattern(day.slice(0, 4));
  return new RegExp(String.raw`"filed"\s*:\s*"${makeDayPattern(years)}"`, 'g');
}

/** Returns a pattern for four-digit years from `year` on: the first differing digit must be greater. */
function makeYearsSincePattern(year: string): string {
  const patterns = [...year].map((digit, index) =>
    digit === '9' ? [] : [String.raw`${year.slice(0, index)}[${Number(digit) + 1}-9]\d{${year.length - index - 1}}`],
  );
  return [year, ...patterns.flat()].join('|');
}

function findLatestMatch(text: string, pattern: RegExp, today: string): string | null {
  let latest: string | null = null;
  for (const [, day = ''] of text.matchAll(pattern)) if (day <= today) latest = pickLaterDay(latest, day);
  return latest;
}
