/** The task that finds the latest day on which companies filed anything. It reads only dates. */

import type { PublicFiles } from '../../edgar/files/public-files.ts';
import { throwMachineFault } from '../../platform/system-error.ts';

const dayPattern = (yearsPattern: string) =>
  String.raw`((?:${yearsPattern})-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))`;
/** A column of days, or the day of a single row, as some copies of the files have it. */
const FILING_DATE_PATTERN = /"filing_?date"\s*:\s*(\[[^\]]*\]|"[^"]*")/gi;
const QUOTED_DAY_PATTERN = new RegExp(`"${dayPattern('\\d{4}')}`, 'g');

/** Finds the latest filing day of some companies. */
export interface DaysTask {
  readonly kind: 'days';
  readonly ciks: readonly number[];
  /** Whether to read also the facts of companies that have a list of filings. */
  readonly readsEverything: boolean;
  readonly today: string;
}

export interface DaysResult {
  readonly latest: string | null;
  /** Whether later days were left out. */
  readonly isLimitedToToday: boolean;
  /** Number of companies that were read. */
  readonly companiesRead: number;
}

const NO_LIMIT_DAY = '9999-12-31';

/** Nothing is usually filed after today, so the result stays the same on later days. */
export async function latestFilingDayOf(task: DaysTask, files: PublicFiles): Promise<DaysResult> {
  const latest = await latestOfCompanies({ ...task, today: NO_LIMIT_DAY }, files);
  const companiesRead = task.ciks.length;
  if (latest === null || latest <= task.today) return { latest, isLimitedToToday: false, companiesRead };
  return { latest: await latestOfCompanies(task, files), isLimitedToToday: true, companiesRead };
}

async function latestOfCompanies(
  { ciks, readsEverything, today }: DaysTask,
  files: PublicFiles,
): Promise<string | null> {
  let latest: string | null = null;
  for (const cik of ciks)
    latest = laterDay(latest, await latestFilingDay(files, cik, { thorough: readsEverything, since: latest, today }));
  return latest;
}

interface DayRange {
  /** Whether to read facts in addition to a list of filings, which should include all their filings. */
  readonly thorough: boolean;
  /** A filing day found earlier: days much before it need not be found. */
  readonly since: string | null;
  /** The current day; a later day is an error of the filer and is ignored. */
  readonly today: string;
}

/** Null if nothing was filed. Ignores an unreadable file, which is reported when the company is read. */
export async function latestFilingDay(
  files: PublicFiles,
  cik: number,
  { thorough, since, today }: DayRange,
): Promise<string | null> {
  const submissions = await nullIfUnreadable(cik, () => files.submissions(cik));
  let latest: string | null = null;
  for (const text of [submissions?.mainFile ?? '', ...(submissions?.pageFiles ?? [])]) {
    for (const [, days = ''] of text.matchAll(FILING_DATE_PATTERN))
      latest = laterDay(latest, latestMatch(days, QUOTED_DAY_PATTERN, today));
  }
  if (latest !== null && !thorough) return latest;
  const facts = await nullIfUnreadable(cik, () => files.facts(cik));
  // In facts, searches only years from that of the latest known day on.
  const year = filedFromPattern(laterDay(since, latest));
  return facts === null ? latest : laterDay(latest, latestMatch(facts.toString('latin1'), year, today));
}

function filedFromPattern(day: string | null): RegExp {
  const years = day === null ? '\\d{4}' : yearsFromPattern(day.slice(0, 4));
  return new RegExp(String.raw`"filed"\s*:\s*"${dayPattern(years)}"`, 'g');
}

/**
 * Matches years of four digits from this one on: at the first digit that differs, a later year has the greater digit.
 */
function yearsFromPattern(year: string): string {
  const greater = [...year].map((digit, index) =>
    digit === '9' ? [] : [String.raw`${year.slice(0, index)}[${Number(digit) + 1}-9]\d{${year.length - index - 1}}`],
  );
  return [year, ...greater.flat()].join('|');
}

function latestMatch(text: string, pattern: RegExp, today: string): string | null {
  let latest: string | null = null;
  for (const [, day = ''] of text.matchAll(pattern)) if (day <= today) latest = laterDay(latest, day);
  return latest;
}

/** Returns the later of two days, either of which may be missing. */
function laterDay(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && b > a) ? b : a;
}

/** Returns null for an unreadable file, which is reported when the company is derived. */
async function nullIfUnreadable<T>(cik: number, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (cause) {
    throwMachineFault(`A file of CIK ${cik}`, cause);
    return null;
  }
}
