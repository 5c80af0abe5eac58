/** Whose a CUSIP is and what kind of security a ticker names, as far as the files at hand tell. */
import type { CusipEvidence, ListedSecurity, MappedSecurity } from '../../../figures/issuers/cusip-map.ts';
import { sharesByIssuer } from '../../../figures/issuers/cusip-map.ts';
import { issuerKey } from '../../../figures/issuers/issuer-name.ts';
import { classesTradeApart, securityKind } from '../../../figures/issuers/share-class.ts';

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
      const own = tickers.get(cik) ?? [];
      own.push({ ticker, titles: this.#titlesOf(ticker) });
      tickers.set(cik, own);
    }
    this.#apart = new Set([...tickers].filter(([, own]) => classesTradeApart(own)).map(([cik]) => cik));
  }

  /** The covered security that a CUSIP names. */
  securityOf(cusip: string): MappedSecurity | null {
    return this.#cusips.get(cusip) ?? null;
  }

  /** The covered company whose CUSIPs begin alike: what names it and no ticker, such as its notes. */
  issuerOf(cusip: string): number | null {
    return this.#issuers.get(cusip.slice(0, 6)) ?? null;
  }

  /** The share of the company of that very name, where it has but one class. */
  shareOf(issuer: string): MappedSecurity | null {
    return this.#shares.get(issuerKey(issuer)) ?? null;
  }

  /** Whether a ticker is an ordinary share. */
  isShare(tickerNormalized: string): boolean {
    return securityKind(tickerNormalized, this.#titlesOf(tickerNormalized)) === 'share';
  }

  /** Whether the company's share count counts what this ticker is: not of receipts, nor where classes trade apart. */
  countApplies(cik: number, tickerNormalized: string): boolean {
    return this.isShare(tickerNormalized) && !this.#apart.has(cik);
  }

  #titlesOf(tickerNormalized: string): readonly string[] {
    return this.#titles.get(tickerNormalized) ?? [];
  }
}
