/** Compares two releases. */
import { compareText } from '../contract/compare-text.ts';
import { Failure } from '../contract/failure.ts';
import { toCikTicker } from '../contract/identifiers.ts';
import { call, say } from '../contract/text/text.ts';
import { compareChains } from '../figures/revisions/chain-changes.ts';
import { openRelease, type ReleaseReader } from '../store/reader.ts';
import { findRelease, findSampleRelease, getReleasesHome, listStamps } from '../store/releases/home.ts';

export type ReleaseDifference = Awaited<ReturnType<typeof compareReleases>>;

/** A report, figure or company that differs between two releases. Fields that do not apply are null. */
export interface ReleaseChange {
  readonly change: 'report_added' | 'revised' | 're_expressed' | 'withdrawn' | 'company_added' | 'company_removed';
  readonly ticker: string;
  readonly cik: number;
  readonly name: string;
  readonly metricKey: string | null;
  readonly unit: string | null;
  readonly start: string | null;
  readonly end: string | null;
  /** Values of the figure in the older and in the newer release. */
  readonly before: string | null;
  readonly after: string | null;
  /** For `report_added`: number of figures that this report is the first to contain. */
  readonly figures: number | null;
  /** Form of the added report; for a changed figure, form of the filing that supplies the value. */
  readonly form: string | null;
  readonly accession: string | null;
  readonly filed: string | null;
}

/**
 * Throws a data Failure if a release is missing or damaged.
 * @param stamps stamps or unambiguous prefixes. Null for `after`: the current release. Null for `before`: the release
 * that precedes `after`.
 */
export async function compareReleases(
  data: string,
  stamps: { readonly before: string | null; readonly after: string | null },
  onProgress: (done: number, total: number) => void,
) {
  const newer = findRelease(data, stamps.after);
  const older = findRelease(data, stamps.before ?? findPreviousStamp(data, newer.stamp));
  const oldReader = openRelease(older.directory);
  const newReader = openRelease(newer.directory);
  try {
    const oldByCik = await readCompaniesByCik(oldReader);
    const newByCik = await readCompaniesByCik(newReader);
    const ciks = [...new Set([...oldByCik.keys(), ...newByCik.keys()])].sort((a, b) => a - b);
    const tickers = await readTickersByCik(newReader, await readTickersByCik(oldReader));
    const rows: ReleaseChange[] = [];
    for (const [index, cik] of ciks.entries()) {
      onProgress(index, ciks.length);
      const name = (newByCik.get(cik) ?? oldByCik.get(cik))?.entityName ?? '';
      const company = { ticker: tickers.get(cik) ?? toCikTicker(cik), cik, name, ...EMPTY };
      if (!newByCik.has(cik)) rows.push({ ...company, change: 'company_removed' });
      else if (!oldByCik.has(cik)) rows.push({ ...company, change: 'company_added' });
      else rows.push(...(await compareCompany(oldReader, newReader, cik)).map((change) => ({ ...company, ...change })));
    }
    return { before: older.stamp, after: newer.stamp, companies: ciks.length, rows: rows.sort(compareByFilingDate) };
  } finally {
    await oldReader.close();
    await newReader.close();
  }
}

/**
 * Returns the stamp of the previous release. Throws a data Failure if this machine has no earlier release.
 */
function findPreviousStamp(data: string, stamp: string): string {
  const stamps = listStamps(getReleasesHome(data));
  const position = stamps.indexOf(stamp);
  const previous = position === -1 ? stamps.find((candidate) => candidate < stamp) : stamps[position + 1];
  if (previous !== undefined) return previous;
  if (stamps.some((candidate) => candidate !== stamp)) {
    throw new Failure('data', `There is no release before ${stamp} on this machine.`, {
      hint: say`Give the stamps of two releases: ${call('data diff <stamp> <stamp>')}. To list the stamps: ${call('data status')}`,
    });
  }
  if (stamps.length === 0) {
    throw new Failure('data', `There is only the built-in sample (${stamp}) on this machine.`, {
      hint: say`A comparison needs two releases. To build a release: ${call('data fetch --bulk')}, then ${call('data build')}`,
    });
  }
  const sample = findSampleRelease()?.stamp ?? stamp;
  if (sample === stamp) {
    throw new Failure('data', `There is only one release on this machine: ${stamp}.`, {
      hint: say`A comparison needs two releases. To build a newer release: ${call('data fetch')}, then ${call('data build')}`,
    });
  }
  throw new Failure('data', `There is only one release on this machine apart from the built-in sample: ${stamp}.`, {
    hint: say`A comparison needs two releases. To compare it with the sample: ${call(`data diff ${sample} ${stamp}`)}`,
  });
}

const readCompaniesByCik = async (release: ReleaseReader) =>
  new Map((await release.companies()).map((company) => [company.cik, company]));

/** Returns the primary tickers by CIK. For a company without one in this release, returns the ticker in `previous`. */
async function readTickersByCik(release: ReleaseReader, previous: ReadonlyMap<number, string> = new Map()) {
  const primary = (await release.securities()).filter(({ isPrimary }) => isPrimary);
  return new Map([...previous, ...primary.map(({ cik, ticker }) => [cik, ticker] as const)]);
}

const EMPTY = {
  ...{ metricKey: null, unit: null, start: null, end: null, before: null, after: null, figures: null },
  ...{ form: null, accession: null, filed: null },
} satisfies Omit<ReleaseChange, 'change' | 'ticker' | 'cik' | 'name'>;

type CompanyChange = Pick<ReleaseChange, 'change'> & Partial<ReleaseChange>;

/** Returns the changes of a company, without fields that do not apply. */
async function compareCompany(older: ReleaseReader, newer: ReleaseReader, cik: number): Promise<CompanyChange[]> {
  const { reports, figures } = compareChains(await older.reportedValues(cik), await newer.reportedValues(cik));
  return [
    ...reports.map((report) => ({ change: 'report_added' as const, ...report })),
    ...figures.map(({ source: { form, accession, filed }, ...change }) => ({ form, accession, filed, ...change })),
  ];
}

/** Orders changes by filing date, latest first, then by ticker. */
const compareByFilingDate = (a: ReleaseChange, b: ReleaseChange): number =>
  compareText(b.filed ?? '', a.filed ?? '') || compareText(a.ticker, b.ticker);
