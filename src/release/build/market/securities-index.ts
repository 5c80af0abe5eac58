import type { PublicFiles } from '../../../edgar/files/public-files.ts';
import { describeCompany } from '../../../edgar/filings/listed-company.ts';
import { type FilingRecord, readSubmissions } from '../../../edgar/filings/submissions.ts';
import type { TickerRow } from '../../../edgar/filings/tickers.ts';
import { pushTo } from '../../../figures/groups.ts';
import {
  type CusipEvidence,
  type ListedSecurity,
  type MappedSecurity,
  sharesByIssuer,
} from '../../../figures/issuers/cusip-map.ts';
import type { FormerTicker } from '../../../figures/issuers/former-tickers.ts';
import { issuerKey } from '../../../figures/issuers/issuer-name.ts';
import { type ClassTitles, classesTradeApart, securityKind } from '../../../figures/issuers/share-class.ts';

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

/** Finds the security of a CUSIP or an issuer's name, and what kind of security a ticker is. */
export class SecuritiesIndex {
  /** In order of cik, then symbol. */
  readonly formerTickers: readonly FormerTicker[];
  readonly #cusips: ReadonlyMap<string, MappedSecurity>;
  readonly #issuers: ReadonlyMap<string, number>;
  readonly #titles: ReadonlyMap<string, ClassTitles>;
  readonly #shares: ReadonlyMap<string, ListedSecurity | null>;
  readonly #apart: ReadonlySet<number>;

  constructor(listed: readonly ListedSecurity[], evidence: CusipEvidence) {
    this.#cusips = evidence.map(listed);
    this.formerTickers = evidence.formerTickers(this.#cusips, listed);
    this.#titles = evidence.titlesOf(this.#cusips, listed);
    this.#issuers = new Map([...this.#cusips].map(([cusip, { cik }]) => [cusip.slice(0, 6), cik]));
    this.#shares = sharesByIssuer(listed, this.#titles);
    const tickers = new Map<number, { ticker: string; titles: ClassTitles }[]>();
    for (const { cik, tickerNormalized: ticker } of listed) {
      pushTo(tickers, cik, { ticker, titles: this.#titlesOf(ticker) });
    }
    this.#apart = new Set([...tickers].filter(([, own]) => classesTradeApart(own)).map(([cik]) => cik));
  }

  /** The covered security that a CUSIP names. */
  securityOf(cusip: string): MappedSecurity | null {
    return this.#cusips.get(cusip) ?? null;
  }

  /** The covered company whose CUSIPs begin alike, for securities without a ticker such as its notes. */
  issuerOf(cusip: string): number | null {
    return this.#issuers.get(cusip.slice(0, 6)) ?? null;
  }

  /** The share of the company of exactly that name, if it has only one class; not its receipts, which are for several shares. */
  shareOf(issuer: string): MappedSecurity | null {
    const share = this.#shares.get(issuerKey(issuer)) ?? null;
    return share === null || !this.isShare(share.tickerNormalized) ? null : share;
  }

  /** Whether a ticker is an ordinary share. */
  isShare(tickerNormalized: string): boolean {
    return securityKind(tickerNormalized, this.#titlesOf(tickerNormalized)) === 'share';
  }

  /** Whether the company's share count counts this ticker: not depositary receipts, nor classes that trade apart. */
  countApplies(cik: number, tickerNormalized: string): boolean {
    return this.isShare(tickerNormalized) && !this.#apart.has(cik);
  }

  #titlesOf(tickerNormalized: string): ClassTitles {
    return this.#titles.get(tickerNormalized) ?? new Map();
  }
}
