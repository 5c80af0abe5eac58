/** Compares two releases, for `fin data diff`. */
import type { ReleaseChange, ReleaseDifference } from '../commands/ports/check.ts';
import { compareText } from '../contract/compare-text.ts';
import { Failure } from '../contract/failure.ts';
import { cikTicker } from '../contract/identifiers.ts';
import { chainChanges } from '../figures/revisions/chain-changes.ts';
import { openRelease, type ReleaseReader } from '../store/reader.ts';
import { findRelease, listStamps, releasesHome } from '../store/releases/home.ts';

export async function compareReleases(
  dataDirectory: string,
  wanted: { readonly before: string | null; readonly after: string | null },
  onProgress: (done: number, total: number) => void,
): Promise<ReleaseDifference> {
  const after = findRelease(dataDirectory, wanted.after);
  const before = findRelease(dataDirectory, wanted.before ?? previousStamp(dataDirectory, after.stamp));
  const [old, now] = [openRelease(before.directory), openRelease(after.directory)];
  try {
    const [oldCompanies, companies] = [await companiesByCik(old), await companiesByCik(now)];
    const ciks = [...new Set([...oldCompanies.keys(), ...companies.keys()])].sort((a, b) => a - b);
    const tickerOf = await tickers(now, await tickers(old));
    const rows: ReleaseChange[] = [];
    for (const [index, cik] of ciks.entries()) {
      onProgress(index, ciks.length);
      const company = {
        ticker: tickerOf.get(cik) ?? cikTicker(cik),
        cik,
        name: (companies.get(cik) ?? oldCompanies.get(cik))?.entityName ?? '',
      };
      if (!companies.has(cik)) rows.push({ ...company, ...EMPTY, change: 'company_removed' });
      else if (!oldCompanies.has(cik)) rows.push({ ...company, ...EMPTY, change: 'company_added' });
      else rows.push(...(await changesOf(old, now, cik)).map((change) => ({ ...company, ...EMPTY, ...change })));
    }
    return { before: before.stamp, after: after.stamp, companies: ciks.length, rows: rows.sort(byFilingDay) };
  } finally {
    await old.close();
    await now.close();
  }
}

/** Throws a data Failure if no release of an earlier day is on this machine. */
function previousStamp(dataDirectory: string, stamp: string): string {
  const previous = listStamps(releasesHome(dataDirectory)).find((one) => one < stamp);
  if (previous !== undefined) return previous;
  throw new Failure('data', `There is no release before ${stamp} on this machine.`, {
    hint: 'Name the two to compare: fin data diff <stamp> <stamp>. The stamps: fin data status',
  });
}

const companiesByCik = async (release: ReleaseReader) =>
  new Map((await release.companies()).map((company) => [company.cik, company]));

/** Returns the primary ticker by company; companies that this release lacks keep the given one. */
async function tickers(release: ReleaseReader, given: ReadonlyMap<number, string> = new Map()) {
  const primary = (await release.securities()).filter(({ isPrimary }) => isPrimary);
  return new Map([...given, ...primary.map(({ cik, ticker }) => [cik, ticker] as const)]);
}

type Change = Omit<ReleaseChange, 'ticker' | 'cik' | 'name'>;

const EMPTY = {
  ...{ metricKey: null, unit: null, start: null, end: null, before: null, after: null, figures: null },
  ...{ form: null, accession: null, filed: null },
} satisfies Omit<Change, 'change'>;

async function changesOf(old: ReleaseReader, now: ReleaseReader, cik: number): Promise<Change[]> {
  const { reports, figures } = chainChanges(await old.reportedValues(cik), await now.reportedValues(cik));
  return [
    ...reports.map((report) => ({ ...EMPTY, change: 'report_added' as const, ...report })),
    ...figures.map(({ source: { form, accession, filed }, ...change }) => ({
      ...{ figures: null, form, accession, filed },
      ...change,
    })),
  ];
}

/** Latest filings first; the changes of a company stay together. */
const byFilingDay = (a: ReleaseChange, b: ReleaseChange): number =>
  compareText(b.filed ?? '', a.filed ?? '') || compareText(a.ticker, b.ticker);
