/** The task that finds the latest day on which companies filed anything, by their dates alone: reading all comes later. */

import type { PublicFiles } from '../../edgar/files/public-files.ts';
import { throwMachineFault } from '../../platform/system-error.ts';

const dayIn = (years: string) => String.raw`((?:${years})-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))`;
/** A column of days, or the day of one row as some copies have it. */
const FILING_DATE = /"filing_?date"\s*:\s*(\[[^\]]*\]|"[^"]*")/gi;
const QUOTED = new RegExp(`"${dayIn('\\d{4}')}`, 'g');

/** Finds the latest filing day of some companies. */
export interface DaysTask {
  readonly kind: 'days';
  readonly ciks: readonly number[];
  /** Whether to look at the facts of companies that have a list of filings. */
  readonly thorough: boolean;
  readonly today: string;
}

export interface DaysResult {
  readonly latest: string | null;
  /** Whether later days were left out. */
  readonly untilToday: boolean;
  /** How many companies were looked at. */
  readonly asked: number;
}

const LAST_DAY = '9999-12-31';

/** Nearly always nothing was filed after today, and the result is the same on any later day. */
export async function daysOf(task: DaysTask, files: PublicFiles): Promise<DaysResult> {
  const latest = await latestOf({ ...task, today: LAST_DAY }, files);
  const asked = task.ciks.length;
  if (latest === null || latest <= task.today) return { latest, untilToday: false, asked };
  return { latest: await latestOf(task, files), untilToday: true, asked };
}

async function latestOf({ ciks, thorough, today }: DaysTask, files: PublicFiles): Promise<string | null> {
  let latest: string | null = null;
  for (const cik of ciks)
    latest = laterDay(latest, await latestFilingDay(files, cik, { thorough, since: latest, today }));
  return latest;
}

interface DaysWanted {
  /** By the facts too, where there is a list of filings: it should have all of theirs. */
  readonly thorough: boolean;
  /** A day that is known already: none that is much earlier need be found. */
  readonly since: string | null;
  /** A later day is a slip of its filer and counts for nothing. */
  readonly today: string;
}

/**
 * Null when nothing was filed. A file that cannot be read counts for nothing here: it is reported when the company is
 * read.
 */
export async function latestFilingDay(
  files: PublicFiles,
  cik: number,
  { thorough, since, today }: DaysWanted,
): Promise<string | null> {
  const submissions = await quietly(cik, () => files.submissions(cik));
  let latest: string | null = null;
  for (const text of [submissions?.main ?? '', ...(submissions?.pages ?? [])]) {
    for (const [, days = ''] of text.matchAll(FILING_DATE)) latest = laterDay(latest, latestMatch(days, QUOTED, today));
  }
  if (latest !== null && !thorough) return latest;
  const facts = await quietly(cik, () => files.facts(cik));
  // Of the facts, only what is as late as the year of the latest day that is known is looked at.
  const year = filedFrom(laterDay(since, latest));
  return facts === null ? latest : laterDay(latest, latestMatch(facts.toString('latin1'), year, today));
}

function filedFrom(day: string | null): RegExp {
  const years = day === null ? '\\d{4}' : yearsFrom(day.slice(0, 4));
  return new RegExp(String.raw`"filed"\s*:\s*"${dayIn(years)}"`, 'g');
}

/** Years of four digits that are this one or later: each differs first at some digit, which is then greater. */
function yearsFrom(year: string): string {
  const greater = [...year].map((digit, at) =>
    digit === '9' ? [] : [String.raw`${year.slice(0, at)}[${Number(digit) + 1}-9]\d{${year.length - at - 1}}`],
  );
  return [year, ...greater.flat()].join('|');
}

function latestMatch(text: string, pattern: RegExp, today: string): string | null {
  let latest: string | null = null;
  for (const [, day = ''] of text.matchAll(pattern)) if (day <= today) latest = laterDay(latest, day);
  return latest;
}

/** The later of two days, of which either may be missing. */
function laterDay(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && b > a) ? b : a;
}

/** Null for a file that cannot be read, which is reported when the company is derived. */
async function quietly<T>(cik: number, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (cause) {
    throwMachineFault(`A file of CIK ${cik}`, cause);
    return null;
  }
}
