/** The symbols that a security traded under before the one it has now, as far as files of its CUSIP show them. */

export interface FormerTicker {
  readonly cik: number;
  /** Of the security now, as `normalizeTicker` writes it. */
  readonly tickerNormalized: string;
  /** As in the file, without class separators. */
  readonly symbol: string;
  /** The first and the last settlement day on which a file has it. */
  readonly firstDay: string;
  readonly lastDay: string;
}

/** Of a symbol, the first and the last day that files have it. */
export type SymbolDays = ReadonlyMap<string, { readonly firstDay: string; readonly lastDay: string }>;

/**
 * Symbols of one CUSIP that were last seen before the security's own first was: the same paper changed its symbol. One
 * seen beside the own symbol is another spelling or a slip, and one that another listed security has now is that one's.
 * @param sightings each mapped CUSIP with its symbols
 * @param listed the symbols of all listed securities, without class separators
 */
export function formerTickers(
  sightings: Iterable<readonly [security: Pick<FormerTicker, 'cik' | 'tickerNormalized'>, symbols: SymbolDays]>,
  listed: ReadonlySet<string>,
): FormerTicker[] {
  const found = new Map<string, FormerTicker>();
  for (const [{ cik, tickerNormalized }, symbols] of sightings) {
    const own = symbols.get(tickerNormalized.replaceAll('-', ''));
    if (own === undefined) continue;
    for (const [symbol, { firstDay, lastDay }] of symbols) {
      if (lastDay >= own.firstDay || listed.has(symbol)) continue;
      const known = found.get(symbol);
      // A symbol passes from company to company: it leads to the one that had it last.
      if (known === undefined || known.lastDay < lastDay) {
        found.set(symbol, { cik, tickerNormalized, symbol, firstDay, lastDay });
      }
    }
  }
  return [...found.values()].sort((a, b) => a.cik - b.cik || (a.symbol < b.symbol ? -1 : 1));
}
