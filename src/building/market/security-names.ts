import type { MappedSecurity } from '../../figures/issuers/cusip-map.ts';
import { issuerKey } from '../../figures/issuers/issuer-name.ts';

/** Securities under what files call them, as entries of maps. */
export interface NamedSecurities {
  readonly cusips: readonly (readonly [cusip: string, MappedSecurity])[];
  readonly issuers: readonly (readonly [issuerKey: string, MappedSecurity])[];
  readonly symbols: readonly (readonly [symbol: string, MappedSecurity])[];
}

/** Finds the covered security that a file means. */
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

  static of(this: void, named: NamedSecurities): SecurityNames {
    return new SecurityNames(named);
  }

  /** The covered security that a CUSIP names. */
  securityOf(cusip: string): MappedSecurity | null {
    return this.#cusips.get(cusip) ?? null;
  }

  /** The covered company whose CUSIPs begin alike, for securities without a ticker such as its notes. */
  companyOf(cusip: string): number | null {
    return this.#companies.get(cusip.slice(0, 6)) ?? null;
  }

  /** The share of the company of exactly that name, if it has only one class; not its receipts, which are for several shares. */
  shareOf(issuer: string): MappedSecurity | null {
    return this.#issuers.get(issuerKey(issuer)) ?? null;
  }

  /** The security of a venue's symbol. */
  tickerOf(symbol: string): MappedSecurity | null {
    return this.#symbols.get(plainSymbol(symbol)) ?? null;
  }
}

/** Venues separate share classes by dots, slashes or nothing. */
export const plainSymbol = (symbol: string): string => symbol.replace(/[^A-Z0-9]/g, '');
