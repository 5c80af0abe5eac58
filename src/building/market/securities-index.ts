import type { PublicFiles } from '../../edgar/files/public-files.ts';
import { describeCompany } from '../../edgar/filings/listed-company.ts';
import { type FilingRecord, readSubmissions } from '../../edgar/filings/submissions.ts';
import type { TickerRow } from '../../edgar/filings/tickers.ts';
import {
  type CusipEvidence,
  type ListedSecurity,
  type MappedSecurity,
  sharesByIssuer,
} from '../../figures/issuers/cusip-map.ts';
import type { FormerTicker } from '../../figures/issuers/former-tickers.ts';
import { type ClassTitles, classesTradeApart, securityKind } from '../../figures/issuers/share-class.ts';
import { groupBy, pushTo } from '../../platform/collections.ts';
import { throwMachineFault } from '../../platform/system-error.ts';
import type { PriceLine } from '../../store/schema/prices.ts';
import type { OfCompany } from '../../store/schema/table.ts';
import { type NamedSecurities, plainSymbol } from './security-names.ts';

/** A listed security, and how its prices are used. */
export type PricedSecurity = OfCompany<PriceLine>;

/**
 * The security of each ticker, before companies are derived: from the ticker lists or, without these, from the
 * filers' own submissions.
 * @param ciks the companies that the release will cover, as far as known
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

/**
 * A filer's own list of filings; empty if it is missing or unreadable, which is reported when the company is derived.
 */
export async function filingsOf(files: PublicFiles, cik: number): Promise<readonly FilingRecord[]> {
  try {
    const { mainFile: main, pageFiles: pages } = await files.submissions(cik);
    return main === null && pages.length === 0 ? [] : readSubmissions(main, pages).filings;
  } catch (cause) {
    throwMachineFault(`The list of filings of CIK ${cik}`, cause);
    return [];
  }
}

async function filerOf(files: PublicFiles, cik: number) {
  try {
    return readSubmissions((await files.submissions(cik)).mainFile).filer;
  } catch (cause) {
    throwMachineFault(`The list of filings of CIK ${cik}`, cause);
    return null;
  }
}

/** Data on the listed securities from all files. */
export class SecuritiesIndex {
  /** Securities by the names that files use. */
  readonly named: NamedSecurities;
  /** Ordered by CIK, then symbol. */
  readonly formerTickers: readonly FormerTicker[];
  readonly #listed: ReadonlyMap<number, readonly PricedSecurity[]>;

  constructor(listed: readonly ListedSecurity[], evidence: CusipEvidence) {
    const cusips = evidence.map(listed);
    const titles = evidence.titlesOf(cusips, listed);
    const titlesOf = (ticker: string): ClassTitles => titles.get(ticker) ?? new Map();
    const isShare = (ticker: string) => securityKind(ticker, titlesOf(ticker)) === 'share';
    const short = ({ cik, tickerNormalized }: MappedSecurity): MappedSecurity => ({ cik, tickerNormalized });
    this.formerTickers = evidence.formerTickers(cusips, listed);
    this.named = {
      cusips: [...cusips],
      issuers: [...sharesByIssuer(listed, titles)].flatMap(([issuer, share]) =>
        share === null || !isShare(share.tickerNormalized) ? [] : [[issuer, short(share)] as const],
      ),
      symbols: listed.map((security) => [plainSymbol(security.tickerNormalized), short(security)] as const),
    };
    const securities = new Map<number, PricedSecurity[]>();
    for (const [cik, own] of groupBy(listed, (one) => one.cik)) {
      const tickers = own.map(({ tickerNormalized: ticker }) => ({ ticker, titles: titlesOf(ticker) }));
      const apart = classesTradeApart(tickers);
      for (const { ticker: tickerNormalized } of tickers) {
        const share = isShare(tickerNormalized);
        pushTo(securities, cik, { cik, tickerNormalized, isShare: share, countApplies: share && !apart });
      }
    }
    this.#listed = securities;
  }

  of(cik: number): readonly PricedSecurity[] {
    return this.#listed.get(cik) ?? [];
  }
}
