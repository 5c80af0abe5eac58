import type { PublicFiles } from '../../edgar/files/public-files.ts';
import { describeCompany } from '../../edgar/filings/listed-company.ts';
import { type FilingRecord, readSubmissions } from '../../edgar/filings/submissions.ts';
import type { TickerRow } from '../../edgar/filings/tickers.ts';
import type { FormerTicker } from '../../ownership/issuers/cusip-map.ts';
import {
  type CusipEvidence,
  indexPrimarySharesByIssuer,
  type ListedSecurity,
  type MappedSecurity,
} from '../../ownership/issuers/cusip-map.ts';
import {
  areShareClassesTradedSeparately,
  type ClassTitleCounts,
  detectSecurityKind,
} from '../../ownership/issuers/share-class.ts';
import { groupBy, pushTo } from '../../platform/collections.ts';
import { throwIfMachineFault } from '../../platform/files/system-error.ts';
import type { SecurityWithPrices } from '../../store/schema/prices.ts';
import type { WithCik } from '../../store/schema/table.ts';
import { type NamedSecurities, normalizeSymbol } from './security-names.ts';

/** A listed security with two flags: whether it is a share, and whether the company's share count applies to it. */
export type PricedSecurity = WithCik<SecurityWithPrices>;

/**
 * Returns the listed securities, from the ticker lists or, without ticker lists, from the filers' submissions.
 * @param ciks the companies that may be in the release
 */
export async function listSecurities(
  ciks: readonly number[],
  rows: readonly TickerRow[],
  files: PublicFiles,
): Promise<readonly ListedSecurity[]> {
  const rowsByCik = new Map<number, TickerRow[]>(ciks.map((cik) => [cik, []]));
  for (const row of rows) rowsByCik.get(row.cik)?.push(row);
  const listedSecurities: ListedSecurity[] = [];
  for (const [cik, companyRows] of rowsByCik) {
    const filer = rows.length === 0 ? await readFiler(files, cik) : null;
    const { entityName, securities } = describeCompany(cik, filer, companyRows, { name: null, sic: null });
    const names = [...new Set([entityName, ...companyRows.flatMap(({ title }) => title ?? [])])];
    const hasPrimary = securities.some(({ isPrimary }) => isPrimary);
    for (const [index, { ticker, tickerNormalized, isPrimary }] of securities.entries()) {
      listedSecurities.push({ cik, ticker, tickerNormalized, isPrimary: hasPrimary ? isPrimary : index === 0, names });
    }
  }
  return listedSecurities;
}

/**
 * Returns a filer's list of filings; empty if missing or unreadable. An unreadable list is reported when the company is
 * derived.
 */
export async function readFilingList(files: PublicFiles, cik: number): Promise<readonly FilingRecord[]> {
  try {
    const { mainFile, pageFiles } = await files.readSubmissionFiles(cik);
    return mainFile === null && pageFiles.length === 0 ? [] : readSubmissions(mainFile, pageFiles).filings;
  } catch (cause) {
    throwIfMachineFault(`The list of filings of CIK ${cik}`, cause);
    return [];
  }
}

async function readFiler(files: PublicFiles, cik: number) {
  try {
    return readSubmissions((await files.readSubmissionFiles(cik)).mainFile).filer;
  } catch (cause) {
    throwIfMachineFault(`The list of filings of CIK ${cik}`, cause);
    return null;
  }
}

/** Names, tickers and CUSIPs of the listed securities, from all files. */
export class SecuritiesIndex {
  /** Securities by CUSIP, issuer name and symbol. */
  readonly namedSecurities: NamedSecurities;
  /** Sorted by CIK, then symbol. */
  readonly formerTickers: readonly FormerTicker[];
  readonly #securitiesByCik: ReadonlyMap<number, readonly PricedSecurity[]>;

  constructor(listed: readonly ListedSecurity[], evidence: CusipEvidence) {
    const securityByCusip = evidence.mapCusips(listed);
    const titlesByTicker = evidence.collectTitlesByTicker(securityByCusip, listed);
    const getClassTitles = (ticker: string): ClassTitleCounts => titlesByTicker.get(ticker) ?? new Map();
    const isShare = (ticker: string) => detectSecurityKind(ticker, getClassTitles(ticker)) === 'share';
    const toMappedSecurity = ({ cik, tickerNormalized }: MappedSecurity): MappedSecurity => ({ cik, tickerNormalized });
    this.formerTickers = evidence.listFormerTickers(securityByCusip, listed);
    this.namedSecurities = {
      cusips: [...securityByCusip],
      issuers: [...indexPrimarySharesByIssuer(listed, titlesByTicker)].flatMap(([issuer, share]) =>
        share === null || !isShare(share.tickerNormalized) ? [] : [[issuer, toMappedSecurity(share)] as const],
      ),
      symbols: listed.map(
        (security) => [normalizeSymbol(security.tickerNormalized), toMappedSecurity(security)] as const,
      ),
    };
    const pricedSecuritiesByCik = new Map<number, PricedSecurity[]>();
    for (const [cik, companySecurities] of groupBy(listed, (security) => security.cik)) {
      const tickersWithTitles = companySecurities.map(({ tickerNormalized: ticker }) => ({
        ticker,
        titles: getClassTitles(ticker),
      }));
      const areClassesListedSeparately = areShareClassesTradedSeparately(tickersWithTitles);
      for (const { ticker: tickerNormalized } of tickersWithTitles) {
        const isShareTicker = isShare(tickerNormalized);
        pushTo(pricedSecuritiesByCik, cik, {
          cik,
          tickerNormalized,
          isShare: isShareTicker,
          countApplies: isShareTicker && !areClassesListedSeparately,
        });
      }
    }
    this.#securitiesByCik = pricedSecuritiesByCik;
  }

  getSecurities(cik: number): readonly PricedSecurity[] {
    return this.#securitiesByCik.get(cik) ?? [];
  }
}
