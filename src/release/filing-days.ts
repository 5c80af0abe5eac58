/** The latest day on which a company filed anything, found without reading all of what it filed. */
import type { PublicFiles } from '../edgar/source.ts';
import { readSubmissions } from '../edgar/submissions.ts';

const FILED = /"filed"\s*:\s*"(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))"/g;

/**
 * Null when nothing is on file. A file that cannot be read counts for nothing here: whoever reads the
 * company says so.
 */
export async function latestFilingDay(files: PublicFiles, cik: number): Promise<string | null> {
  const days = [await quietly(() => latestOfFacts(files, cik)), await quietly(() => latestOfSubmissions(files, cik))];
  return days.reduce((a, b) => (a === null || (b !== null && b > a) ? b : a), null);
}

async function latestOfFacts(files: PublicFiles, cik: number): Promise<string | null> {
  let latest: string | null = null;
  const text = await files.facts(cik);
  if (text === null) return null;
  for (const [, day = ''] of text.matchAll(FILED)) if (latest === null || day > latest) latest = day;
  return latest;
}

async function latestOfSubmissions(files: PublicFiles, cik: number): Promise<string | null> {
  const { main, pages } = await files.submissions(cik);
  if (main === null && pages.length === 0) return null;
  return readSubmissions(main, pages).filings[0]?.filed ?? null;
}

async function quietly<T>(read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read();
  } catch {
    return null;
  }
}
