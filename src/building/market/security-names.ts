import type { MappedSecurity } from '../../figures/issuers/cusip-map.ts';
import { issuerKey } from '../../figures/issuers/issuer-name.ts';

/** Securities by the names that files use, as entries of maps. */
export interface NamedSecurities {
  readonly cusips: readonly (readonly [cusip: string, MappedSecurity])[];
  readonly issuers: readonly (readonly [issuerKey: string, MappedSecurity])[];
  readonly symbols: readonly (readonly [symbol: string, MappedSecurity])[];
}

/** Finds the covered security of a CUSIP, issuer or symbol in a file. */
export class SecurityNames {
  readonly #cusips: ReadonlyMap<string, MappedSecurity>;
  readonly #companies: ReadonlyMap<string, number>;
  readonly #issuers: ReadonlyMap<string, MappedSecurity>;
  readonly #symbols: ReadonlyMap<string, MappedSecurity>;

  constructor({ cusips, issuers, symbols }: NamedSecurities) {
    this.#cusips = new Map(cusips);
    this.#companies = new Map(cusips.map(([cusip, { cik }]) => [cusip.slice(0, 6), cik]));
    this.#issuers = new Map(issuers);
    this.#symbols = new Map(symbols);
  }

  static fromNamed(this: void, namedSecurities: NamedSecurities): SecurityNames {
    return new SecurityNames(namedSecurities);
  }

  /** Returns the covered security of a CUSIP. */
  securityOf(cusip: string): MappedSecurity | null {
    return this.#cusips.get(cusip) ?? null;
  }

  /** Returns the covered company whose CUSIPs begin the same, for securities without a ticker such as notes. */
  companyOf(cusip: string): number | null {
    return this.#companies.get(cusip.slice(0, 6)) ?? null;
  }

  /**
   * Returns the share of the company of exactly that name, if it has only one class; never its depositary receipts,
   * which may represent several shares.
   */
  shareOf(issuer: string): MappedSecurity | null {
    return this.#issuers.get(issuerKey(issuer)) ?? null;
  }

  /** Returns the security of a venue's symbol. */
  tickerOf(symbol: string): MappedSecurity | null {
    return this.#symbols.get(normalizeSymbol(symbol)) ?? null;
  }
}

/** Venues separate share classes by a dot, by a slash, or not at all. */
export const normalizeSymbol = (symbol: string): string => symbol.replace(/[^A-Z0-9]/g, '');
