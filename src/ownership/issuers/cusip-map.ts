/**
 * Maps CUSIPs to companies' securities.
 * No public file contains this mapping. Fails-to-deliver files state the symbol of a CUSIP on a day; 13F reports state
 * the issuer's name. Symbols pass from company to company, so a symbol counts only if a name seen with the CUSIP
 * matches a name of the company.
 */
import { removeShareClassSeparator } from '../../contract/identifiers.ts';
import { getOrInsert, groupBy } from '../../platform/collections.ts';
import { doNamesAgree, makeIssuerNameKey, removeNameWords, symbolAgrees } from './issuer-name.ts';
import {
  areShareClassesTradedSeparately,
  type ClassTitleCounts,
  detectKindByTitles,
  detectSecurityKind,
  hasOnlyNonShareSymbols,
} from './share-class.ts';

export interface ListedSecurity {
  readonly cik: number;
  readonly ticker: string;
  /** The ticker in upper case, with the share class after a dash. */
  readonly tickerNormalized: string;
  readonly isPrimary: boolean;
  /** The company's current and former names. */
  readonly names: readonly string[];
}

export interface MappedSecurity {
  readonly cik: number;
  readonly tickerNormalized: string;
}

/** The symbols, names and titles that files state for one CUSIP. */
interface CusipMentions {
  /** The first and last day on which files state each symbol. */
  readonly symbols: Map<string, { firstDay: string; lastDay: string }>;
  /** Number of occurrences of each issuer name; names in fails-to-deliver files include the class. */
  readonly issuers: Map<string, number>;
  /** Number of occurrences of each description in fails-to-deliver files. */
  readonly descriptions: Map<string, number>;
  /** Number of lines with each title of class. */
  readonly titles: Map<string, number>;
}

const NO_TITLES: ClassTitleCounts = new Map();
/** Maximum number of issuer names, of descriptions and of titles stored per CUSIP. */
const MAX_SPELLINGS = 8;

/** The symbols, names and titles that files state for each CUSIP, in the order of the files. */
export type MentionsByCusip = ReadonlyMap<string, CusipMentions>;

/** Collects the symbols, names and titles that files state for CUSIPs. */
export class CusipEvidence {
  readonly #sightingByCusip = new Map<string, CusipMentions>();
  readonly #maxSpellings: number;

  /**
   * @param maxSpellings maximum number of issuer names, of descriptions and of titles per CUSIP. Infinity for a single
   * file, because the limit must apply only when the evidence of all files is merged, in the order of the files
   */
  constructor(maxSpellings: number = MAX_SPELLINGS) {
    this.#maxSpellings = maxSpellings;
  }

  get sightings(): MentionsByCusip {
    return this.#sightingByCusip;
  }

  /** Adds the symbols, names and titles collected from another file. */
  merge(sightings: MentionsByCusip): void {
    for (const [cusip, { symbols, issuers, descriptions, titles }] of sightings) {
      for (const [symbol, { firstDay, lastDay }] of symbols) this.#addSymbolDays(cusip, symbol, firstDay, lastDay);
      const mentions = this.#getOrAddSighting(cusip);
      for (const [spelling, count] of issuers) this.#countSpelling(mentions.issuers, spelling, count);
      for (const [spelling, count] of descriptions) this.#countSpelling(mentions.descriptions, spelling, count);
      for (const [spelling, count] of titles) this.#countSpelling(mentions.titles, spelling, count);
    }
  }

  /** Adds a row of a fails-to-deliver file. The description contains the issuer's name and the class. */
  addSymbol(cusip: string, symbol: string, day: string, description: string): void {
    this.#addSymbolDays(cusip, symbol, day, day);
    const cusipMentions = this.#getOrAddSighting(cusip);
    this.#countSpelling(cusipMentions.issuers, description);
    this.#countSpelling(cusipMentions.descriptions, description);
  }

  /** Adds a line of a 13F holdings table. */
  addIssuer(cusip: string, issuer: string, titleOfClass: string): void {
    const sighting = this.#getOrAddSighting(cusip);
    this.#countSpelling(sighting.issuers, issuer);
    this.#countSpelling(sighting.titles, titleOfClass);
  }

  /** Returns the former symbols of the mapped securities. */
  listFormerTickers(
    securityByCusip: ReadonlyMap<string, MappedSecurity>,
    listedSecurities: readonly ListedSecurity[],
  ): readonly FormerTicker[] {
    const currentSymbols = new Set(
      listedSecurities.map(({ tickerNormalized }) => removeShareClassSeparator(tickerNormalized)),
    );
    return findFormerTickers(
      [...securityByCusip].map(([cusip, security]) => [security, this.#getOrAddSighting(cusip).symbols] as const),
      currentSymbols,
    );
  }

  /** Returns the titles of class that files state for the mapped securities, by normalized ticker. */
  collectTitlesByTicker(
    securityByCusip: ReadonlyMap<string, MappedSecurity>,
    listedSecurities: readonly ListedSecurity[],
  ): ReadonlyMap<string, ClassTitleCounts> {
    const namesByTicker = new Map(listedSecurities.map((security) => [security.tickerNormalized, security.names]));
    const titlesByTicker = new Map<string, Map<string, number>>();
    for (const [cusip, { tickerNormalized }] of securityByCusip) {
      const titlesOfTicker = getOrInsert(titlesByTicker, tickerNormalized, () => new Map<string, number>());
      for (const [title, count] of this.#collectTitles(cusip, namesByTicker.get(tickerNormalized) ?? []))
        titlesOfTicker.set(title, (titlesOfTicker.get(title) ?? 0) + count);
    }
    return titlesByTicker;
  }

  /** Returns the security of each CUSIP that can be mapped. */
  mapCusips(listedSecurities: readonly ListedSecurity[]): ReadonlyMap<string, MappedSecurity> {
    const securitiesBySymbol = groupBy(listedSecurities, ({ tickerNormalized }) =>
      removeShareClassSeparator(tickerNormalized),
    );
    const securityByCusip = new Map<string, MappedSecurity>();
    const addMapping = (cusip: string, { cik, tickerNormalized }: MappedSecurity) =>
      securityByCusip.set(cusip, { cik, tickerNormalized });
    for (const [cusip, sighting] of this.#sightingByCusip) {
      const security = findSecurityBySymbol(sighting, securitiesBySymbol);
      if (security !== null) addMapping(cusip, security);
    }
    this.#removeNonShares(securityByCusip, listedSecurities);
    // Skips companies already mapped by a symbol: a CUSIP with the same name may denote a note, or a fund named after a
    // bank.
    const shareByIssuerKey = indexPrimarySharesByIssuer(
      listedSecurities,
      this.collectTitlesByTicker(securityByCusip, listedSecurities),
    );
    const mappedTickers = new Set([...securityByCusip.values()].map(({ tickerNormalized }) => tickerNormalized));
    const symbolsByIssuer = this.#collectSymbolsByIssuer();
    for (const [cusip, sighting] of this.#sightingByCusip) {
      const security = securityByCusip.has(cusip) ? null : findSecurityByIssuer(sighting, shareByIssuerKey);
      if (security === null || mappedTickers.has(security.tickerNormalized)) continue;
      const symbolsOfIssuer = symbolsByIssuer.get(getIssuerPart(cusip)) ?? new Set();
      if (!hasOnlyNonShareSymbols(sighting.symbols.keys(), symbolsOfIssuer)) addMapping(cusip, security);
    }
    return securityByCusip;
  }

  /** Returns the symbols of all securities of each issuer, by the issuer's part of the CUSIP. */
  #collectSymbolsByIssuer(): ReadonlyMap<string, ReadonlySet<string>> {
    const symbolsByIssuer = new Map<string, Set<string>>();
    for (const [cusip, { symbols }] of this.#sightingByCusip) {
      const issuerSymbols = getOrInsert(symbolsByIssuer, getIssuerPart(cusip), () => new Set<string>());
      for (const symbol of symbols.keys()) issuerSymbols.add(symbol);
    }
    return symbolsByIssuer;
  }

  /** Removes warrants and units that files list under the symbol of the share. */
  #removeNonShares(securityByCusip: Map<string, MappedSecurity>, listedSecurities: readonly ListedSecurity[]): void {
    const namesByTicker = new Map(listedSecurities.map((security) => [security.tickerNormalized, security.names]));
    const mappingsByTicker = groupBy([...securityByCusip], ([, { tickerNormalized }]) => tickerNormalized);
    for (const [ticker, mappingsOfTicker] of mappingsByTicker) {
      const kinds = mappingsOfTicker.map(([cusip]) =>
        detectKindByTitles(this.#collectTitles(cusip, namesByTicker.get(ticker) ?? [])),
      );
      if (kinds.every((kind) => kind === 'other' || kind === null)) continue;
      for (const [index, [cusip]] of mappingsOfTicker.entries())
        if (kinds[index] === 'other') securityByCusip.delete(cusip);
    }
  }

  /**
   * Returns titles with their counts. A description counts once, however many rows repeat the description, because all
   * these rows come from one source. The issuer's names are removed from descriptions.
   */
  #collectTitles(cusip: string, names: readonly string[]): ClassTitleCounts {
    const { titles, descriptions } = this.#getOrAddSighting(cusip);
    const countByTitle = new Map(titles);
    for (const description of descriptions.keys()) {
      const title = removeNameWords(description, names);
      countByTitle.set(title, (countByTitle.get(title) ?? 0) + 1);
    }
    return countByTitle;
  }

  #addSymbolDays(cusip: string, symbol: string, firstDay: string, lastDay: string): void {
    const symbolDays = getOrInsert(this.#getOrAddSighting(cusip).symbols, symbol, () => ({ firstDay, lastDay }));
    if (firstDay < symbolDays.firstDay) symbolDays.firstDay = firstDay;
    if (lastDay > symbolDays.lastDay) symbolDays.lastDay = lastDay;
  }

  #countSpelling(countBySpelling: Map<string, number>, spelling: string, occurrenceCount = 1): void {
    const count = countBySpelling.get(spelling);
    if (count !== undefined) countBySpelling.set(spelling, count + occurrenceCount);
    else if (spelling !== '' && countBySpelling.size < this.#maxSpellings) {
      // Copies the text: a slice of a string would keep the file's whole text in memory.
      countBySpelling.set(Buffer.from(spelling).toString(), occurrenceCount);
    }
  }

  #getOrAddSighting(cusip: string): CusipMentions {
    return getOrInsert(this.#sightingByCusip, cusip, () => ({
      symbols: new Map(),
      issuers: new Map(),
      descriptions: new Map(),
      titles: new Map(),
    }));
  }
}

/** Returns the part of a CUSIP that all securities of an issuer have in common. */
const getIssuerPart = (cusip: string): string => cusip.slice(0, 6);

/**
 * Returns the listed security whose ticker is a symbol of the CUSIP; the most recent symbol is tried first. A name of
 * the security's company must match an issuer name that files state with the CUSIP.
 */
function findSecurityBySymbol(
  sighting: CusipMentions,
  securitiesBySymbol: ReadonlyMap<string, readonly ListedSecurity[]>,
): ListedSecurity | null {
  const symbolEntries = [...sighting.symbols].sort(([, a], [, b]) => (a.lastDay < b.lastDay ? 1 : -1));
  for (const [symbol] of symbolEntries) {
    for (const security of securitiesBySymbol.get(symbol) ?? []) {
      const hasAgreeingIssuer = (companyName: string) =>
        [...sighting.issuers.keys()].some(
          (issuer) => doNamesAgree(companyName, issuer) || symbolAgrees(symbol, companyName, issuer),
        );
      if (security.names.some(hasAgreeingIssuer)) return security;
    }
  }
  return null;
}

/**
 * Returns the share of the company that has the issuer's name (`makeIssuerNameKey`), unless the CUSIP's titles describe
 * a security of another kind.
 */
function findSecurityByIssuer(
  sighting: CusipMentions,
  shareByIssuerKey: ReadonlyMap<string, ListedSecurity | null>,
): ListedSecurity | null {
  if (detectKindByTitles(sighting.titles) === 'other') return null;
  for (const issuer of sighting.issuers.keys()) {
    const security = shareByIssuerKey.get(makeIssuerNameKey(issuer));
    if (security !== undefined && security !== null) return security;
  }
  return null;
}

/**
 * Returns the share or depositary receipt of each company's primary ticker, by issuer key. Omits companies with several
 * share classes, and other kinds of securities. The value is null if two companies have the same name.
 * @param titlesByTicker the titles that files state for each security, by normalized ticker
 */
export function indexPrimarySharesByIssuer(
  listedSecurities: readonly ListedSecurity[],
  titlesByTicker: ReadonlyMap<string, ClassTitleCounts>,
): ReadonlyMap<string, ListedSecurity | null> {
  const shareByIssuerKey = new Map<string, ListedSecurity | null>();
  for (const securities of groupBy(listedSecurities, ({ cik }) => cik).values()) {
    const tickersWithTitles = securities.map(({ tickerNormalized: ticker }) => ({
      ticker,
      titles: titlesByTicker.get(ticker) ?? NO_TITLES,
    }));
    const primarySecurity = securities.find(({ isPrimary }) => isPrimary) ?? securities[0];
    if (primarySecurity === undefined || areShareClassesTradedSeparately(tickersWithTitles)) continue;
    if (
      detectSecurityKind(
        primarySecurity.tickerNormalized,
        titlesByTicker.get(primarySecurity.tickerNormalized) ?? NO_TITLES,
      ) === 'other'
    )
      continue;
    for (const key of new Set(primarySecurity.names.map(makeIssuerNameKey)))
      shareByIssuerKey.set(key, shareByIssuerKey.has(key) ? null : primarySecurity);
  }
  return shareByIssuerKey;
}

/** A symbol that a security had before its current symbol, according to files that state its CUSIP. */
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
type SymbolDays = ReadonlyMap<string, { readonly firstDay: string; readonly lastDay: string }>;

/**
 * Returns symbols of a CUSIP that were last seen before the security's current symbol was first seen. Omits symbols
 * seen at the same time as the current symbol, which are other spellings or errors, and symbols that another listed
 * security has now.
 * @param symbolsOfSecurities each mapped security with the symbols of its CUSIP
 * @param listedSymbols the symbols of all listed securities, without class separators
 */
function findFormerTickers(
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
