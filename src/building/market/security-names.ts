import type { MappedSecurity } from '../../ownership/issuers/cusip-map.ts';
import { makeIssuerNameKey } from '../../ownership/issuers/issuer-name.ts';

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
   * Returns the listed security whose price on the day a price of this CUSIP is; null if the CUSIP is unknown, or was
   * replaced by then: its price may be of another number of shares.
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
export const normalizeSymbol = (symbol: string): string => symbol.replace(/[^A-Z0-9]/g, '');
