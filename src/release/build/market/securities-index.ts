import { pushTo } from '../../../figures/groups.ts';
import type { CusipEvidence, ListedSecurity, MappedSecurity } from '../../../figures/issuers/cusip-map.ts';
import { sharesByIssuer } from '../../../figures/issuers/cusip-map.ts';
import { issuerKey } from '../../../figures/issuers/issuer-name.ts';
import { classesTradeApart, securityKind } from '../../../figures/issuers/share-class.ts';

/** Finds the security of a CUSIP or an issuer's name, and what kind of security a ticker is. */
export class SecuritiesIndex {
  readonly #cusips: ReadonlyMap<string, MappedSecurity>;
  readonly #issuers: ReadonlyMap<string, number>;
  readonly #titles: ReadonlyMap<string, readonly string[]>;
  readonly #shares: ReadonlyMap<string, ListedSecurity | null>;
  readonly #apart: ReadonlySet<number>;

  constructor(listed: readonly ListedSecurity[], evidence: CusipEvidence) {
    this.#cusips = evidence.map(listed);
    this.#titles = evidence.titlesOf(this.#cusips);
    this.#issuers = new Map([...this.#cusips].map(([cusip, { cik }]) => [cusip.slice(0, 6), cik]));
    this.#shares = sharesByIssuer(listed, this.#titles);
    const tickers = new Map<number, { ticker: string; titles: readonly string[] }[]>();
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

  /** The share of the company of exactly that name, if it has only one class. */
  shareOf(issuer: string): MappedSecurity | null {
    return this.#shares.get(issuerKey(issuer)) ?? null;
  }

  /** Whether a ticker is an ordinary share. */
  isShare(tickerNormalized: string): boolean {
    return securityKind(tickerNormalized, this.#titlesOf(tickerNormalized)) === 'share';
  }

  /** Whether the company's share count counts this ticker: not depositary receipts, nor classes that trade apart. */
  countApplies(cik: number, tickerNormalized: string): boolean {
    return this.isShare(tickerNormalized) && !this.#apart.has(cik);
  }

  #titlesOf(tickerNormalized: string): readonly string[] {
    return this.#titles.get(tickerNormalized) ?? [];
  }
}
