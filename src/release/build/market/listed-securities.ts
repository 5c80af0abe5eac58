import type { PublicFiles } from '../../../edgar/files/public-files.ts';
import { describeCompany } from '../../../edgar/filings/listed-company.ts';
import type { FilingRecord } from '../../../edgar/filings/submissions.ts';
import { readSubmissions } from '../../../edgar/filings/submissions.ts';
import type { TickerRow } from '../../../edgar/filings/tickers.ts';
import type { ListedSecurity } from '../../../figures/issuers/cusip-map.ts';

/**
 * What trades under which ticker, before any company is derived: securities of the ticker lists or, where there are none, of the filers' own submissions.
 * @param ciks the companies that the release will cover, as far as is known
 */
export async function listedSecurities(
  ciks: readonly number[],
  rows: readonly TickerRow[],
  files: PublicFiles,
): Promise<readonly ListedSecurity[]> {
  const byCik = new Map<number, TickerRow[]>(ciks.map((cik) => [cik, []]));
  for (const row of rows) byCik.get(row.cik)?.push(row);
  const listed: ListedSecurity[] = [];
  for (const [cik, own] of byCik) {
    const filer = rows.length === 0 ? await filerOf(files, cik) : null;
    const { entityName, securities } = describeCompany(cik, filer, own, null);
    const names = [...new Set([entityName, ...own.flatMap(({ title }) => title ?? [])])];
    const hasPrimary = securities.some(({ isPrimary }) => isPrimary);
    for (const [index, { ticker, tickerNormalized, isPrimary }] of securities.entries()) {
      listed.push({ cik, ticker, tickerNormalized, isPrimary: hasPrimary ? isPrimary : index === 0, names });
    }
  }
  return listed;
}

/** A filer's own list of filings; empty where it is missing, or cannot be read, which is reported when the company is derived. */
export async function filingsOf(files: PublicFiles, cik: number): Promise<readonly FilingRecord[]> {
  try {
    const { main, pages } = await files.submissions(cik);
    return main === null && pages.length === 0 ? [] : readSubmissions(main, pages).filings;
  } catch {
    return [];
  }
}

async function filerOf(files: PublicFiles, cik: number) {
  try {
    return readSubmissions((await files.submissions(cik)).main).filer;
  } catch {
    return null;
  }
}
