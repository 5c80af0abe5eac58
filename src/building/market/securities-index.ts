import type { PublicFiles } from '../../edgar/files/public-files.ts';
import { describeCompany } from '../../edgar/filings/listed-company.ts';
import { type FilingRecord, readSubmissions } from '../../edgar/filings/submissions.ts';
import type { TickerRow } from '../../edgar/filings/tickers.ts';
import type { CusipEvidence, ListedSecurity, MappedSecurity } from '../../ownership/issuers/cusip-map.ts';
import { indexPrimaryShares } from '../../ownership/issuers/cusip-map.ts';
import { makeIssuerNameKey } from '../../ownership/issuers/issuer-name.ts';
import { areClassesSeparate, type ClassTitleCounts, detectSecurityKind } from '../../ownership/issuers/share-class.ts';
import { groupBy, pushTo } from '../../platform/collections.ts';
import type { WithCik } from '../../store/schema/declare-table.ts';
import { formatCusipChanges, type SecurityWithPrices } from '../../store/schema/prices.ts';
import { readOrElse } from '../tasks/reading.ts';

/** A listed security with two flags: whether it is a share, and whether the company's share count applies to it. */
export type PricedSecurity = WithCik<SecurityWithPrices>;

/**
 * Returns the listed securities, from the ticker lists or, without ticker lists, from the filers' submissions.
 * @param ciks the companies that may be in the release
 */
export async function listSecurities(ciks: readonly number[], rows: readonly TickerRow[], files: PublicFiles) {
  const byCik = new Map<number, TickerRow[]>(ciks.map((cik) => [cik, []]));
  for (const row of rows) byCik.get(row.cik)?.push(row);
  const listed: ListedSecurity[] = [];
  for (const [cik, companyRows] of byCik) {
    const filer = rows.length === 0 ? await readFiler(files, cik) : null;
    const { entityName, securities } = describeCompany(cik, filer, companyRows, { name: null, sic: null });
    const names = [...new Set([entityName, ...companyRows.flatMap(({ title }) => title ?? [])])];
    const hasPrimary = securities.some(({ isPrimary }) => isPrimary);
    for (const [index, { ticker, tickerNormalized, isPrimary }] of securities.entries())
      listed.push({ cik, ticker, tickerNormalized, isPrimary: hasPrimary ? isPrimary : index === 0, names });
  }
  return listed;
}

/**
 * Returns a filer's list of filings; empty if missing or unreadable. An unreadable list is reported when the company is
 * derived.
 */
export const readFilingList = async (files: PublicFiles, cik: number): Promise<readonly FilingRecord[]> =>
  readOrElse(describeList(cik), [], async () => {
    const { mainFile, pageFiles } = await files.readSubmissionFiles(cik);
    return mainFile === null && pageFiles.length === 0 ? [] : readSubmissions(mainFile, pageFiles).filings;
  });

const describeList = (cik: number): string => `The list of filings of CIK ${cik}`;

const readFiler = (files: PublicFiles, cik: number) =>
  readOrElse(describeList(cik), null, async () => {
    return readSubmissions((await files.readSubmissionFiles(cik)).mainFile).filer;
  });

/** Returns the listed securities with their names, tickers and CUSIPs, from all files. */
export function indexSecurities(listed: readonly ListedSecurity[], evidence: CusipEvidence) {
  const byCusip = evidence.mapCusips(listed);
  const titles = evidence.collectTitlesByTicker(byCusip, listed);
  const getTitles = (ticker: string): ClassTitleCounts => titles.get(ticker) ?? new Map();
  const isShare = (ticker: string) => detectSecurityKind(ticker, getTitles(ticker)) === 'share';
  const toMapped = ({ cik, tickerNormalized }: MappedSecurity): MappedSecurity => ({ cik, tickerNormalized });
  const formerTickers = evidence.listFormerTickers(byCusip, listed);
  const changes = evidence.findCusipChanges(byCusip, listed);
  const namedSecurities: NamedSecurities = {
    cusips: [...byCusip],
    outdated: [...changes.values()].flat().map(({ oldCusip, until }) => [oldCusip, until] as const),
    issuers: [...indexPrimaryShares(listed, titles)].flatMap(([issuer, share]) =>
      share === null || !isShare(share.tickerNormalized) ? [] : [[issuer, toMapped(share)] as const],
    ),
    symbols: listed.map((security) => [normalizeSymbol(security.tickerNormalized), toMapped(security)] as const),
  };
  const byCik = new Map<number, PricedSecurity[]>();
  for (const [cik, securities] of groupBy(listed, (security) => security.cik)) {
    const tickers = securities.map(({ tickerNormalized: ticker }) => ({ ticker, titles: getTitles(ticker) }));
    const separate = areClassesSeparate(tickers);
    for (const { ticker } of tickers) {
      const isShareTicker = isShare(ticker);
      const countApplies = isShareTicker && !separate;
      const cusipChanges = isShareTicker ? formatCusipChanges(changes.get(ticker) ?? []) : null;
      pushTo(byCik, cik, { cik, tickerNormalized: ticker, isShare: isShareTicker, countApplies, cusipChanges });
    }
  }
  return {
    /** Securities by CUSIP, issuer name and symbol. */
    namedSecurities,
    /** Sorted by CIK, then symbol. */
    formerTickers,
    getSecurities: (cik: number): readonly PricedSecurity[] => byCik.get(cik) ?? [],
  };
}

/** Listed securities by CUSIP, by normalized issuer name, and by symbol, as pairs of key and security. */
export interface NamedSecurities {
  readonly cusips: readonly (readonly [cusip: string, MappedSecurity])[];
  readonly issuers: readonly (readonly [issuerKey: string, MappedSecurity])[];
  readonly symbols: readonly (readonly [symbol: string, MappedSecurity])[];
  /** CUSIPs that were replaced, with the first day on which files state the new CUSIP. */
  readonly outdated: readonly (readonly [cusip: string, until: string])[];
}

/** Finds listed securities by CUSIP, issuer name or symbol. */
export class SecurityNames {
  readonly #securityByCusip: ReadonlyMap<string, MappedSecurity>;
  readonly #endByCusip: ReadonlyMap<string, string>;
  readonly #cikByCusipPrefix: ReadonlyMap<string, number>;
  readonly #shareByIssuer: ReadonlyMap<string, MappedSecurity>;
  readonly #securityBySymbol: ReadonlyMap<string, MappedSecurity>;

  constructor({ cusips, issuers, symbols, outdated }: NamedSecurities) {
    this.#endByCusip = new Map(outdated);
    this.#securityByCusip = new Map(cusips);
    this.#cikByCusipPrefix = new Map(cusips.map(([cusip, { cik }]) => [cusip.slice(0, 6), cik]));
    this.#shareByIssuer = new Map(issuers);
    this.#securityBySymbol = new Map(symbols);
  }

  static fromNamed(this: void, named: NamedSecurities): SecurityNames {
    return new SecurityNames(named);
  }

  /** Returns the listed security with this CUSIP; null if unknown. */
  findByCusip(cusip: string): MappedSecurity | null {
    return this.#securityByCusip.get(cusip) ?? null;
  }

  /**
   * Returns the listed security to which a price of this CUSIP on this day applies. Null if the CUSIP is unknown, or was
   * replaced by this day: the price may then be for another number of shares.
   */
  findByPricedCusip(cusip: string, day: string): MappedSecurity | null {
    return (this.#endByCusip.get(cusip) ?? '9') <= day ? null : this.findByCusip(cusip);
  }

  /**
   * Returns the listed company whose CUSIPs have the same first six characters, for securities without a ticker such
   * as notes; null if unknown.
   */
  findCompanyByCusip(cusip: string): number | null {
    return this.#cikByCusipPrefix.get(cusip.slice(0, 6)) ?? null;
  }

  /**
   * Returns the share of the company with this name, after normalization, if the company has only one class of shares;
   * otherwise null. Never returns depositary receipts, which may represent several shares.
   */
  findShareByIssuer(issuer: string): MappedSecurity | null {
    return this.#shareByIssuer.get(makeIssuerNameKey(issuer)) ?? null;
  }

  /** Returns the security with a venue's symbol; null if unknown. */
  findBySymbol(symbol: string): MappedSecurity | null {
    return this.#securityBySymbol.get(normalizeSymbol(symbol)) ?? null;
  }
}

/** Removes separators, because venues separate share classes by a dot, by a slash, or not at all. */
const normalizeSymbol = (symbol: string): string => symbol.replace(/[^A-Z0-9]/g, '');
