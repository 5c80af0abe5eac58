/** The latest day on which a company filed anything, found by its dates alone: reading all of it comes later. */
import type { PublicFiles } from '../edgar/source.ts';

const DAY = String.raw`(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))`;
const FILED = new RegExp(String.raw`"filed"\s*:\s*"${DAY}"`, 'g');
/** A column of days, or the day of one row as some copies have it. */
const FILING_DATE = /"filing_?date"\s*:\s*(\[[^\]]*\]|"[^"]*")/gi;
const QUOTED = new RegExp(`"${DAY}`, 'g');

/**
 * Null when nothing is on file. A file that cannot be read counts for nothing here: whoever reads the
 * company says so.
 */
export async function latestFilingDay(files: PublicFiles, cik: number): Promise<string | null> {
  const facts = await quietly(() => files.facts(cik));
  const submissions = await quietly(() => files.submissions(cik));
  let latest: string | null = facts === null ? null : latestMatch(facts, FILED);
  for (const text of [submissions?.main ?? '', ...(submissions?.pages ?? [])]) {
    for (const [, days = ''] of text.matchAll(FILING_DATE)) latest = later(latest, latestMatch(days, QUOTED));
  }
  return latest;
}

function latestMatch(text: string, pattern: RegExp): string | null {
  let latest: string | null = null;
  for (const [, day = ''] of text.matchAll(pattern)) latest = later(latest, day);
  return latest;
}

function later(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && b > a) ? b : a;
}

async function quietly<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch {
    return null;
  }
}
