/** Ticker symbols that ownership forms state for their issuers, for companies without a current ticker. */
import { compareText } from '../../contract/compare-text.ts';
import { removeShareClassSeparator } from '../../contract/identifiers.ts';
import type { OwnershipFiling } from '../../edgar/insiders/ownership-document.ts';

/** A symbol that ownership forms state for an issuer. */
export interface IssuerSymbol {
  /** The symbol in the form that `normalizeTicker` returns. */
  readonly symbol: string;
  /** Filing date of the last form with the symbol. */
  readonly lastDay: string;
  /** Number of forms with the symbol. */
  readonly forms: number;
}

/** Returns the symbols that filings state for one issuer. Skips filings without a filing date. */
export function collectSymbols(filings: Iterable<Pick<OwnershipFiling, 'issuerSymbol' | 'filed'>>): IssuerSymbol[] {
  const bySymbol = new Map<string, IssuerSymbol>();
  for (const { issuerSymbol, filed } of filings) {
    if (filed === null || issuerSymbol === null) continue;
    const { lastDay = filed, forms = 0 } = bySymbol.get(issuerSymbol) ?? {};
    bySymbol.set(issuerSymbol, { symbol: issuerSymbol, lastDay: filed > lastDay ? filed : lastDay, forms: forms + 1 });
  }
  return [...bySymbol.values()].sort((a, b) => compareText(a.symbol, b.symbol));
}

/**
 * Returns the last symbol that at least two forms state, because a single form may have a typing error. If no symbol is
 * stated twice, returns the only symbol; null if there are several symbols or none.
 */
function findLastSymbol(symbols: readonly IssuerSymbol[]): IssuerSymbol | null {
  const confirmedSymbols = symbols.filter(({ forms }) => forms > 1);
  const [last, ...others] = (confirmedSymbols.length > 0 ? confirmedSymbols : symbols).toSorted(
    (a, b) => compareText(b.lastDay, a.lastDay) || b.forms - a.forms,
  );
  return last === undefined || (confirmedSymbols.length === 0 && others.length > 0) ? null : last;
}

/** An issuer and the symbols that its forms state. */
interface IssuerWithSymbols {
  readonly cik: number;
  readonly issuerSymbols: readonly IssuerSymbol[];
}

/**
 * Returns the last symbol of each issuer by CIK, as `findLastSymbol` chooses it. Omits a symbol that another company
 * has now or had later, because such a symbol identifies the other company.
 * @param tickers current tickers of other companies
 */
export function findLastSymbolByCik(rows: readonly IssuerWithSymbols[], tickers: Iterable<string>) {
  const taken = new Set([...tickers].map(removeShareClassSeparator));
  /** The last issuer with the symbol; the CIK is null if two issuers have it on the same day. */
  const issuersBySymbol = new Map<string, { readonly cik: number | null; readonly lastDay: string }>();
  for (const { cik, issuerSymbols } of rows) {
    for (const { symbol, lastDay } of issuerSymbols) {
      const key = removeShareClassSeparator(symbol);
      const existing = issuersBySymbol.get(key);
      if (existing === undefined || existing.lastDay < lastDay) issuersBySymbol.set(key, { cik, lastDay });
      else if (existing.lastDay === lastDay && existing.cik !== cik) issuersBySymbol.set(key, { cik: null, lastDay });
    }
  }
  return new Map(
    rows.flatMap(({ cik, issuerSymbols }) => {
      const { symbol = '' } = findLastSymbol(issuerSymbols) ?? {};
      const key = removeShareClassSeparator(symbol);
      return symbol === '' || taken.has(key) || issuersBySymbol.get(key)?.cik !== cik ? [] : [[cik, symbol] as const];
    }),
  );
}
