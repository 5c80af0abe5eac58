/**
 * Maps CUSIPs to companies' securities.
 * No public file has this mapping. Fails-to-deliver files give the symbol of a CUSIP on a day; 13F reports give the
 * issuer's name. Symbols pass from company to company, so a symbol counts only if a name seen with the CUSIP matches
 * the company's.
 */
import { getOrInsert, groupBy } from '../../platform/collections.ts';
import { type FormerTicker, formerTickers } from './former-tickers.ts';
import { issuerKey, namesAgree, symbolAgrees, wordsBeside } from './issuer-name.ts';
import { type ClassTitles, classesTradeApart, hasNoShareSymbol, kindByTitles, securityKind } from './share-class.ts';

export interface ListedSecurity {
  readonly cik: number;
  readonly ticker: string;
  /** In upper case, with share classes after a dash. */
  readonly tickerNormalized: string;
  readonly isPrimary: boolean;
  /** Current and former names of the company. */
  readonly names: readonly string[];
}

export interface MappedSecurity {
  readonly cik: number;
  readonly tickerNormalized: string;
}

export interface Sighting {
  /** Symbols with the first and the last day they were seen. */
  readonly symbols: Map<string, { firstDay: string; lastDay: string }>;
  /** Issuers' names in files; in fails-to-deliver files the name includes the class. */
  readonly issuers: Map<string, number>;
  readonly descriptions: Map<string, number>;
  /** Titles of class, with the number of lines that have them. */
  readonly titles: Map<string, number>;
}

const NO_TITLES: ClassTitles = new Map();
/** Maximum number of spellings stored per CUSIP. */
const MAX_SPELLINGS = 8;

/** Data on each CUSIP from files, in the order in which files name it. */
export type Sightings = ReadonlyMap<string, Sighting>;

/** Collects the symbols, names and titles that files give for CUSIPs. */
export class CusipEvidence {
  readonly #sightings = new Map<string, Sighting>();
  readonly #mostSpellings: number;

  /**
   * @param mostSpellings maximum number per CUSIP. One file keeps all spellings, so that the result does not depend
   * on the order of tasks.
   */
  constructor(mostSpellings: number = MAX_SPELLINGS) {
    this.#mostSpellings = mostSpellings;
  }

  get sightings(): Sightings {
    return this.#sightings;
  }

  /** Adds everything that the next file contains. */
  merge(sightings: Sightings): void {
    for (const [cusip, { symbols, issuers, descriptions, titles }] of sightings) {
      for (const [symbol, { firstDay, lastDay }] of symbols) this.#addDays(cusip, symbol, firstDay, lastDay);
      const ownSighting = this.#at(cusip);
      for (const [text, count] of issuers) this.#remember(ownSighting.issuers, text, count);
      for (const [text, count] of descriptions) this.#remember(ownSighting.descriptions, text, count);
      for (const [text, count] of titles) this.#remember(ownSighting.titles, text, count);
    }
  }

  /** Adds a row of a fails-to-deliver file; its description has the issuer's name and the class. */
  addSymbol(cusip: string, symbol: string, day: string, description: string): void {
    this.#addDays(cusip, symbol, day, day);
    const sighting = this.#at(cusip);
    this.#remember(sighting.issuers, description);
    this.#remember(sighting.descriptions, description);
  }

  /** Adds a line of a holdings table. */
  addIssuer(cusip: string, issuer: string, titleOfClass: string): void {
    const sighting = this.#at(cusip);
    this.#remember(sighting.issuers, issuer);
    this.#remember(sighting.titles, titleOfClass);
  }

  /** The earlier symbols of the mapped securities. */
  formerTickers(
    map: ReadonlyMap<string, MappedSecurity>,
    listedSecurities: readonly ListedSecurity[],
  ): readonly FormerTicker[] {
    const own = new Set(listedSecurities.map(({ tickerNormalized }) => tickerNormalized.replaceAll('-', '')));
    return formerTickers(
      [...map].map(([cusip, security]) => [security, this.#at(cusip).symbols] as const),
      own,
    );
  }

  /** The titles of class that files give to the mapped securities, by normalized ticker. */
  titlesOf(
    map: ReadonlyMap<string, MappedSecurity>,
    listedSecurities: readonly ListedSecurity[],
  ): ReadonlyMap<string, ClassTitles> {
    const names = new Map(listedSecurities.map((security) => [security.tickerNormalized, security.names]));
    const titles = new Map<string, Map<string, number>>();
    for (const [cusip, { tickerNormalized }] of map) {
      const own = getOrInsert(titles, tickerNormalized, () => new Map<string, number>());
      for (const [title, count] of this.#titlesOf(cusip, names.get(tickerNormalized) ?? []))
        own.set(title, (own.get(title) ?? 0) + count);
    }
    return titles;
  }

  /** Maps each CUSIP of a listed security. */
  map(listedSecurities: readonly ListedSecurity[]): ReadonlyMap<string, MappedSecurity> {
    const byStripped = groupBy(listedSecurities, ({ tickerNormalized }) => tickerNormalized.replaceAll('-', ''));
    const map = new Map<string, MappedSecurity>();
    const add = (cusip: string, { cik, tickerNormalized }: MappedSecurity) => map.set(cusip, { cik, tickerNormalized });
    for (const [cusip, sighting] of this.#sightings) {
      const foundSecurity = bySymbol(sighting, byStripped);
      if (foundSecurity !== null) add(cusip, foundSecurity);
    }
    this.#dropStrangers(map, listedSecurities);
    // Companies that a symbol identifies are not searched by name again: a note, or a fund named after its bank, is
    // not the bank's share.
    const byName = sharesByIssuer(listedSecurities, this.titlesOf(map, listedSecurities));
    const known = new Set([...map.values()].map(({ tickerNormalized }) => tickerNormalized));
    const issuerSymbols = this.#symbolsByIssuer();
    for (const [cusip, sighting] of this.#sightings) {
      const foundSecurity = map.has(cusip) ? null : byIssuer(sighting, byName);
      if (foundSecurity === null || known.has(foundSecurity.tickerNormalized)) continue;
      const ofIssuer = issuerSymbols.get(issuerOf(cusip)) ?? new Set();
      if (!hasNoShareSymbol(sighting.symbols.keys(), ofIssuer)) add(cusip, foundSecurity);
    }
    return map;
  }

  /** The symbols of all securities of each issuer, by the beginning of their CUSIPs. */
  #symbolsByIssuer(): ReadonlyMap<string, ReadonlySet<string>> {
    const byIssuer = new Map<string, Set<string>>();
    for (const [cusip, { symbols }] of this.#sightings) {
      const own = getOrInsert(byIssuer, issuerOf(cusip), () => new Set<string>());
      for (const symbol of symbols.keys()) own.add(symbol);
    }
    return byIssuer;
  }

  /** Removes warrants and units that a file lists under the symbol of the share. */
  #dropStrangers(map: Map<string, MappedSecurity>, listedSecurities: readonly ListedSecurity[]): void {
    const names = new Map(listedSecurities.map((security) => [security.tickerNormalized, security.names]));
    const byTicker = groupBy([...map], ([, { tickerNormalized }]) => tickerNormalized);
    for (const [ticker, cusips] of byTicker) {
      const kinds = cusips.map(([cusip]) => kindByTitles(this.#titlesOf(cusip, names.get(ticker) ?? [])));
      if (kinds.every((kind) => kind === 'other' || kind === null)) continue;
      for (const [index, [cusip]] of cusips.entries()) if (kinds[index] === 'other') map.delete(cusip);
    }
  }

  /** Descriptions count once, whatever the number of their rows: they come from one source. Names are not titles. */
  #titlesOf(cusip: string, names: readonly string[]): ClassTitles {
    const { titles, descriptions } = this.#at(cusip);
    const all = new Map(titles);
    for (const description of descriptions.keys()) {
      const title = wordsBeside(description, names);
      all.set(title, (all.get(title) ?? 0) + 1);
    }
    return all;
  }

  #addDays(cusip: string, symbol: string, first: string, last: string): void {
    const known = getOrInsert(this.#at(cusip).symbols, symbol, () => ({ firstDay: first, lastDay: last }));
    if (first < known.firstDay) known.firstDay = first;
    if (last > known.lastDay) known.lastDay = last;
  }

  #remember(spellings: Map<string, number>, text: string, times = 1): void {
    const count = spellings.get(text);
    if (count !== undefined) spellings.set(text, count + times);
    else if (text !== '' && spellings.size < this.#mostSpellings) {
      // Copies the text: a slice of a string keeps the whole string in memory, here a file.
      spellings.set(Buffer.from(text).toString(), times);
    }
  }

  #at(cusip: string): Sighting {
    return getOrInsert(this.#sightings, cusip, () => ({
      symbols: new Map(),
      issuers: new Map(),
      descriptions: new Map(),
      titles: new Map(),
    }));
  }
}

/** The part of a CUSIP that all securities of one issuer share. */
const issuerOf = (cusip: string): string => cusip.slice(0, 6);

/** Finds the security by the symbol seen last that a listed company has, if a name matches. */
function bySymbol(sighting: Sighting, listed: ReadonlyMap<string, readonly ListedSecurity[]>): ListedSecurity | null {
  const symbols = [...sighting.symbols].sort(([, a], [, b]) => (a.lastDay < b.lastDay ? 1 : -1));
  for (const [symbol] of symbols) {
    for (const security of listed.get(symbol) ?? []) {
      const agrees = (name: string) =>
        [...sighting.issuers.keys()].some((issuer) => namesAgree(name, issuer) || symbolAgrees(symbol, name, issuer));
      if (security.names.some(agrees)) return security;
    }
  }
  return null;
}

/**
 * Finds the security by the issuer's exact name, if the title is that of a share and the company has only one class.
 */
function byIssuer(sighting: Sighting, byName: ReadonlyMap<string, ListedSecurity | null>): ListedSecurity | null {
  if (kindByTitles(sighting.titles) === 'other') return null;
  for (const issuer of sighting.issuers.keys()) {
    const security = byName.get(issuerKey(issuer));
    if (security !== undefined && security !== null) return security;
  }
  return null;
}

/**
 * The share of each company by issuer key: the security of its primary ticker, unless it has several classes. Null if
 * companies have the same name.
 * @param titles the titles that files give to each security, by normalized ticker
 */
export function sharesByIssuer(
  listedSecurities: readonly ListedSecurity[],
  titles: ReadonlyMap<string, ClassTitles>,
): ReadonlyMap<string, ListedSecurity | null> {
  const byName = new Map<string, ListedSecurity | null>();
  for (const securities of groupBy(listedSecurities, ({ cik }) => cik).values()) {
    const titled = securities.map(({ tickerNormalized: ticker }) => ({
      ticker,
      titles: titles.get(ticker) ?? NO_TITLES,
    }));
    const share = securities.find(({ isPrimary }) => isPrimary) ?? securities[0];
    if (share === undefined || classesTradeApart(titled)) continue;
    if (securityKind(share.tickerNormalized, titles.get(share.tickerNormalized) ?? NO_TITLES) === 'other') continue;
    for (const key of new Set(share.names.map(issuerKey))) byName.set(key, byName.has(key) ? null : share);
  }
  return byName;
}
