/** A symbol that a security had before its current one, according to files with its CUSIP. */

export interface FormerTicker {
  readonly cik: number;
  /** The security's current ticker, as `normalizeTicker` returns it. */
  readonly tickerNormalized: string;
  /** As in the file, without class separators. */
  readonly symbol: string;
  /** The first and last settlement day of the symbol in files. */
  readonly firstDay: string;
  readonly lastDay: string;
}

/** The first and last day of each symbol in files. */
export type SymbolDays = ReadonlyMap<string, { readonly firstDay: string; readonly lastDay: string }>;

/**
 * Symbols of a CUSIP that were last seen before the security's current symbol was first seen. A symbol seen at the
 * same time as the current one is another spelling or an error; one that another listed security has now belongs to
 * that security.
 * @param sightings each mapped CUSIP with its symbols
 * @param listedSymbols the symbols of all listed securities, without class separators
 */
export function findFormerTickers(
  sightings: Iterable<readonly [security: Pick<FormerTicker, 'cik' | 'tickerNormalized'>, symbols: SymbolDays]>,
  listedSymbols: ReadonlySet<string>,
): FormerTicker[] {
  const tickerBySymbol = new Map<string, FormerTicker>();
  for (const [{ cik, tickerNormalized }, symbols] of sightings) {
    const ownDays = symbols.get(tickerNormalized.replaceAll('-', ''));
    if (ownDays === undefined) continue;
    for (const [symbol, { firstDay, lastDay }] of symbols) {
      if (lastDay >= ownDays.firstDay || listedSymbols.has(symbol)) continue;
      const existingTicker = tickerBySymbol.get(symbol);
      // Symbols pass from company to company: this one belongs to the company that had it last.
      if (existingTicker === undefined || existingTicker.lastDay < lastDay) {
        tickerBySymbol.set(symbol, { cik, tickerNormalized, symbol, firstDay, lastDay });
      }
    }
  }
  return [...tickerBySymbol.values()].sort((a, b) => a.cik - b.cik || (a.symbol < b.symbol ? -1 : 1));
}
