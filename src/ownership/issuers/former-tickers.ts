/** Finds the symbols that a security had before its current symbol, according to files that state its CUSIP. */
import { removeShareClassSeparator } from '../../contract/identifiers.ts';

export interface FormerTicker {
  readonly cik: number;
  /** The security's current ticker, in the form that `normalizeTicker` returns. */
  readonly tickerNormalized: string;
  /** The former symbol as spelled in files, without class separators. */
  readonly symbol: string;
  /** The first and last settlement day for which files state the symbol. */
  readonly firstDay: string;
  readonly lastDay: string;
}

/** The first and last day for which files state each symbol. */
export type SymbolDays = ReadonlyMap<string, { readonly firstDay: string; readonly lastDay: string }>;

/**
 * Returns symbols of a CUSIP that were last seen before the security's current symbol was first seen. Omits symbols
 * seen at the same time as the current symbol, which are other spellings or errors, and symbols that another listed
 * security has now.
 * @param symbolsOfSecurities each mapped security with the symbols of its CUSIP
 * @param listedSymbols the symbols of all listed securities, without class separators
 */
export function findFormerTickers(
  symbolsOfSecurities: Iterable<
    readonly [security: Pick<FormerTicker, 'cik' | 'tickerNormalized'>, symbols: SymbolDays]
  >,
  listedSymbols: ReadonlySet<string>,
): FormerTicker[] {
  const formerTickerBySymbol = new Map<string, FormerTicker>();
  for (const [{ cik, tickerNormalized }, symbols] of symbolsOfSecurities) {
    const currentSymbolDays = symbols.get(removeShareClassSeparator(tickerNormalized));
    if (currentSymbolDays === undefined) continue;
    for (const [symbol, { firstDay, lastDay }] of symbols) {
      if (lastDay >= currentSymbolDays.firstDay || listedSymbols.has(symbol)) continue;
      const existingTicker = formerTickerBySymbol.get(symbol);
      // A symbol may pass from company to company; only the last company that had the symbol is returned.
      if (existingTicker === undefined || existingTicker.lastDay < lastDay) {
        formerTickerBySymbol.set(symbol, { cik, tickerNormalized, symbol, firstDay, lastDay });
      }
    }
  }
  return [...formerTickerBySymbol.values()].sort((a, b) => a.cik - b.cik || (a.symbol < b.symbol ? -1 : 1));
}
