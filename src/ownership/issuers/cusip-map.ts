/**
 * Maps CUSIPs to companies' securities.
 * No public file contains this mapping. Fails-to-deliver files state the symbol of a CUSIP on a day; 13F reports state
 * the issuer's name. Symbols pass from company to company, so a symbol counts only if a name seen with the CUSIP
 * matches a name of the company.
 */
import { compareText } from '../../contract/compare-text.ts';
import { removeShareClassSeparator } from '../../contract/identifiers.ts';
import { getOrInsert, groupBy, pushTo } from '../../platform/collections.ts';
import { addDays, countDaysBetween } from '../../platform/dates.ts';
import { doNamesAgree, makeIssuerNameKey, removeNameWords, symbolAgrees } from './issuer-name.ts';
import type { ClassTitleCounts } from './share-class.ts';
import { areClassesSeparate, detectKindByTitles, detectSecurityKind, hasOnlyNonShareSymbols } from './share-class.ts';

export interface ListedSecurity {
  readonly cik: number;
  readonly ticker: string;
  /** The ticker in upper case, with the share class after a dash. */
  readonly tickerNormalized: string;
  readonly isPrimary: boolean;
  /** The company's current and former names. */
  readonly names: readonly string[];
}

export type MappedSecurity = Pick<ListedSecurity, 'cik' | 'tickerNormalized'>;

/** The symbols, names and titles that files state for one CUSIP. */
interface CusipMentions {
  /** The first and last day on which files state each symbol. */
  readonly symbols: Map<string, Days>;
  /** Number of occurrences of each issuer name; names in fails-to-deliver files include the class. */
  readonly issuers: Map<string, number>;
  /** Number of occurrences of each description in fails-to-deliver files. */
  readonly descriptions: Map<string, number>;
  /** Number of lines with each title of class. */
  readonly titles: Map<string, number>;
  /** The first and last day on which holdings are reported; null if none are. */
  holdingDays: Days | null;
}

interface Days {
  readonly firstDay: string;
  readonly lastDay: string;
}

interface DatedCusip extends Days {
  readonly cusip: string;
}

/** A change of a security's CUSIP, such as at a reverse split or a new domicile. */
interface CusipChange {
  readonly oldCusip: string;
  /** A day on which the old CUSIP was in use: the last one on which files state it, unless they state both later. */
  readonly after: string;
  /** The first day on which files state the new CUSIP. */
  readonly until: string;
}

const NO_TITLES: ClassTitleCounts = new Map();
/** Maximum number of issuer names, of descriptions and of titles stored per CUSIP. */
const MAX_SPELLINGS = 8;

/** The symbols, names and titles that files state for each CUSIP, in the order of the files. */
export type MentionsByCusip = ReadonlyMap<string, CusipMentions>;

/** Collects the symbols, names and titles that files state for CUSIPs. */
export class CusipEvidence {
  readonly #mentionsByCusip = new Map<string, CusipMentions>();
  readonly #maxSpellings: number;

  /**
   * @param max maximum number of issuer names, of descriptions and of titles per CUSIP. Infinity for a single
   * file, because the limit must apply only when the evidence of all files is merged, in the order of the files
   */
  constructor(max: number = MAX_SPELLINGS) {
    this.#maxSpellings = max;
  }

  get mentions(): MentionsByCusip {
    return this.#mentionsByCusip;
  }

  /** Adds the symbols, names and titles collected from another file. */
  merge(otherMentions: MentionsByCusip): void {
    for (const [cusip, { symbols, issuers, descriptions, titles, holdingDays }] of otherMentions) {
      const mentions = this.#getOrAddMentions(cusip);
      for (const [symbol, days] of symbols) mentions.symbols.set(symbol, joinDays(mentions.symbols.get(symbol), days));
      for (const [text, count] of issuers) this.#countSpelling(mentions.issuers, text, count);
      for (const [text, count] of descriptions) this.#countSpelling(mentions.descriptions, text, count);
      for (const [text, count] of titles) this.#countSpelling(mentions.titles, text, count);
      if (holdingDays !== null) mentions.holdingDays = joinDays(mentions.holdingDays, holdingDays);
    }
  }

  /** Adds a row of a fails-to-deliver file. The description contains the issuer's name and the class. */
  addSymbol(cusip: string, symbol: string, day: string, description: string): void {
    const mentions = this.#getOrAddMentions(cusip);
    mentions.symbols.set(symbol, joinDays(mentions.symbols.get(symbol), { firstDay: day, lastDay: day }));
    this.#countSpelling(mentions.issuers, description);
    this.#countSpelling(mentions.descriptions, description);
  }

  /**
   * Adds a line of a 13F holdings table.
   * @param day the end of the reported quarter; null if unknown
   */
  addIssuer(cusip: string, issuer: string, title: string, day: string | null = null): void {
    const mentions = this.#getOrAddMentions(cusip);
    if (day !== null) mentions.holdingDays = joinDays(mentions.holdingDays, { firstDay: day, lastDay: day });
    this.#countSpelling(mentions.issuers, issuer);
    this.#countSpelling(mentions.titles, title);
  }

  /**
   * Returns symbols of a CUSIP that were last seen before the security's current symbol was first seen. Omits symbols
   * seen at the same time as the current symbol, which are other spellings or errors, and symbols that another listed
   * security has now.
   */
  listFormerTickers(mapped: ReadonlyMap<string, MappedSecurity>, listed: readonly ListedSecurity[]): FormerTicker[] {
    const listedSymbols = new Set(listed.map(({ tickerNormalized }) => removeShareClassSeparator(tickerNormalized)));
    const bySymbol = new Map<string, FormerTicker>();
    for (const [cusip, { cik, tickerNormalized }] of mapped) {
      const { symbols } = this.#getOrAddMentions(cusip);
      const currentDays = symbols.get(removeShareClassSeparator(tickerNormalized));
      if (currentDays === undefined) continue;
      for (const [symbol, { firstDay, lastDay }] of symbols) {
        if (lastDay >= currentDays.firstDay || listedSymbols.has(symbol)) continue;
        const existing = bySymbol.get(symbol);
        // A symbol may pass from company to company; only the last company that had the symbol is returned.
        if (existing === undefined || existing.lastDay < lastDay)
          bySymbol.set(symbol, { cik, tickerNormalized, symbol, firstDay, lastDay });
      }
    }
    return [...bySymbol.values()].sort((a, b) => a.cik - b.cik || (a.symbol < b.symbol ? -1 : 1));
  }

  /** Returns the titles of class that files state for the mapped securities, by normalized ticker. */
  collectTitlesByTicker(mapped: ReadonlyMap<string, MappedSecurity>, listed: readonly ListedSecurity[]) {
    const names = new Map(listed.map((security) => [security.tickerNormalized, security.names]));
    const byTicker = new Map<string, Map<string, number>>();
    for (const [cusip, { tickerNormalized }] of mapped) {
      const titles = getOrInsert(byTicker, tickerNormalized, () => new Map<string, number>());
      for (const [title, count] of this.#collectTitles(cusip, names.get(tickerNormalized) ?? []))
        titles.set(title, (titles.get(title) ?? 0) + count);
    }
    return byTicker;
  }

  /** Returns the security of each CUSIP that can be mapped. */
  mapCusips(listed: readonly ListedSecurity[]): ReadonlyMap<string, MappedSecurity> {
    const bySymbol = groupBy(listed, ({ tickerNormalized }) => removeShareClassSeparator(tickerNormalized));
    const byCusip = new Map<string, MappedSecurity>();
    const add = (id: string, { cik, tickerNormalized }: MappedSecurity) => byCusip.set(id, { cik, tickerNormalized });
    for (const [cusip, mentions] of this.#mentionsByCusip) {
      const security = findBySymbol(mentions, bySymbol);
      if (security !== null) add(cusip, security);
    }
    this.#removeNonShares(byCusip, listed);
    const shareByIssuerKey = indexPrimaryShares(listed, this.collectTitlesByTicker(byCusip, listed));
    const tickers = new Set([...byCusip.values()].map(({ tickerNormalized }) => tickerNormalized));
    const byIssuer = this.#collectSymbolsByIssuer();
    for (const [cusip, mentions] of this.#mentionsByCusip) {
      const security = byCusip.has(cusip) ? null : findByIssuer(mentions, shareByIssuerKey);
      // If a symbol maps the share, another CUSIP with the issuer's name may be a note, or a fund named after a bank.
      if (security === null || tickers.has(security.tickerNormalized)) continue;
      const symbols = byIssuer.get(getIssuerPart(cusip)) ?? new Set();
      if (!hasOnlyNonShareSymbols(mentions.symbols.keys(), symbols)) add(cusip, security);
    }
    return byCusip;
  }

  /**
   * Returns the changes of each share's CUSIP, by ticker. Also considers CUSIPs that are not mapped, if they are shares
   * with the issuer's name: holdings of the old CUSIP may be the only mention of it.
   */
  findCusipChanges(mapped: ReadonlyMap<string, MappedSecurity>, listed: readonly ListedSecurity[]) {
    const shareByIssuerKey = indexPrimaryShares(listed, this.collectTitlesByTicker(mapped, listed));
    const byTicker = new Map<string, DatedCusip[]>();
    for (const [cusip, entry] of this.#mentionsByCusip) {
      const days = findDaysOfUse(entry);
      const match = mapped.get(cusip);
      const isNamed = match === undefined && entry.symbols.size === 0 && detectKindByTitles(entry.titles) === 'share';
      const security = match ?? (isNamed ? findByIssuer(entry, shareByIssuerKey) : null);
      if (security !== null && days !== null) pushTo(byTicker, security.tickerNormalized, { cusip, ...days });
    }
    return new Map([...byTicker].map(([ticker, cusips]) => [ticker, listChanges(cusips)]));
  }

  /** Returns the symbols of all securities of each issuer, by the issuer's part of the CUSIP. */
  #collectSymbolsByIssuer(): ReadonlyMap<string, ReadonlySet<string>> {
    const byIssuer = new Map<string, Set<string>>();
    for (const [cusip, { symbols }] of this.#mentionsByCusip) {
      const ofIssuer = getOrInsert(byIssuer, getIssuerPart(cusip), () => new Set<string>());
      for (const symbol of symbols.keys()) ofIssuer.add(symbol);
    }
    return byIssuer;
  }

  /** Removes warrants and units that files list under the symbol of the share. */
  #removeNonShares(mapped: Map<string, MappedSecurity>, listed: readonly ListedSecurity[]): void {
    const names = new Map(listed.map((security) => [security.tickerNormalized, security.names]));
    const byTicker = groupBy([...mapped], ([, { tickerNormalized }]) => tickerNormalized);
    for (const [ticker, mappings] of byTicker) {
      const kinds = mappings.map(([cusip]) => detectKindByTitles(this.#collectTitles(cusip, names.get(ticker) ?? [])));
      if (kinds.every((kind) => kind === 'other' || kind === null)) continue;
      for (const [index, [cusip]] of mappings.entries()) if (kinds[index] === 'other') mapped.delete(cusip);
    }
  }

  /**
   * Returns titles with their counts. A description counts once, however many rows repeat the description, because all
   * these rows come from one source. The issuer's names are removed from descriptions.
   */
  #collectTitles(cusip: string, names: readonly string[]): ClassTitleCounts {
    const { titles, descriptions } = this.#getOrAddMentions(cusip);
    const counts = new Map(titles);
    for (const text of descriptions.keys()) {
      const title = removeNameWords(text, names);
      counts.set(title, (counts.get(title) ?? 0) + 1);
    }
    return counts;
  }

  #countSpelling(counts: Map<string, number>, text: string, increment = 1): void {
    const count = counts.get(text);
    if (count !== undefined) counts.set(text, count + increment);
    else if (text !== '' && counts.size < this.#maxSpellings) {
      // Copies the text: a slice of a string would keep the file's whole text in memory.
      counts.set(Buffer.from(text).toString(), increment);
    }
  }

  #getOrAddMentions(cusip: string): CusipMentions {
    return getOrInsert(this.#mentionsByCusip, cusip, () => ({
      symbols: new Map(),
      issuers: new Map(),
      descriptions: new Map(),
      titles: new Map(),
      holdingDays: null,
    }));
  }
}

const joinDays = (a: Days | null | undefined, b: Days): Days => ({
  firstDay: a && a.firstDay < b.firstDay ? a.firstDay : b.firstDay,
  lastDay: a && a.lastDay > b.lastDay ? a.lastDay : b.lastDay,
});

/**
 * Returns the days between which files state a CUSIP. Fails-to-deliver files decide when it was last in use, because
 * some managers report holdings under an outdated CUSIP.
 */
function findDaysOfUse({ symbols, holdingDays }: CusipMentions): Days | null {
  let tradingDays: Days | null = null;
  for (const days of symbols.values()) tradingDays = joinDays(tradingDays, days);
  if (tradingDays === null) return holdingDays;
  return holdingDays === null ? tradingDays : { ...joinDays(holdingDays, tradingDays), lastDay: tradingDays.lastDay };
}

/** Maximum number of days between the last mention of an old CUSIP and the first mention of a new one. */
const MAX_DAYS_BETWEEN_CUSIPS = 200;
/** Maximum number of days on which files still state the old CUSIP after the first mention of the new one. */
const MAX_SHARED_DAYS = 45;

/** Returns the changes between CUSIPs of one security, earliest first. CUSIPs in use at the same time are no change. */
function listChanges(cusips: readonly DatedCusip[]): readonly CusipChange[] {
  const sorted = cusips.toSorted((a, b) => compareText(a.firstDay, b.firstDay) || compareText(a.lastDay, b.lastDay));
  return sorted.slice(1).flatMap(({ firstDay: until }, index): CusipChange[] => {
    const previous = sorted[index];
    if (previous === undefined || previous.firstDay === until) return [];
    const gap = countDaysBetween(previous.lastDay, until);
    if (gap > MAX_DAYS_BETWEEN_CUSIPS || gap < -MAX_SHARED_DAYS) return [];
    const after = previous.lastDay < until ? previous.lastDay : addDays(until, -MAX_SHARED_DAYS);
    return [{ oldCusip: previous.cusip, after, until }];
  });
}

/** Returns the part of a CUSIP that all securities of an issuer have in common. */
const getIssuerPart = (cusip: string): string => cusip.slice(0, 6);

/**
 * Returns the listed security whose ticker is a symbol of the CUSIP; the most recent symbol is tried first. A name of
 * the security's company must match an issuer name that files state with the CUSIP.
 */
function findBySymbol(mentions: CusipMentions, bySymbol: ReadonlyMap<string, readonly ListedSecurity[]>) {
  const entries = [...mentions.symbols].sort(([, a], [, b]) => (a.lastDay < b.lastDay ? 1 : -1));
  for (const [symbol] of entries) {
    for (const security of bySymbol.get(symbol) ?? []) {
      const agrees = (name: string) =>
        [...mentions.issuers.keys()].some((issuer) => doNamesAgree(name, issuer) || symbolAgrees(symbol, name, issuer));
      if (security.names.some(agrees)) return security;
    }
  }
  return null;
}

/**
 * Returns the share of the company that has the issuer's name (`makeIssuerNameKey`), unless the CUSIP's titles describe
 * a security of another kind.
 */
function findByIssuer(entry: CusipMentions, byKey: ReadonlyMap<string, ListedSecurity | null>): ListedSecurity | null {
  if (detectKindByTitles(entry.titles) === 'other') return null;
  for (const issuer of entry.issuers.keys()) {
    const security = byKey.get(makeIssuerNameKey(issuer));
    if (security !== undefined && security !== null) return security;
  }
  return null;
}

/**
 * Returns the share or depositary receipt of each company's primary ticker, by issuer key. Omits companies with several
 * share classes, and other kinds of securities. The value is null if two companies have the same name.
 * @param byTicker the titles that files state for each security, by normalized ticker
 */
export function indexPrimaryShares(listed: readonly ListedSecurity[], byTicker: ReadonlyMap<string, ClassTitleCounts>) {
  const byKey = new Map<string, ListedSecurity | null>();
  for (const securities of groupBy(listed, ({ cik }) => cik).values()) {
    const symbols = securities.map(({ tickerNormalized }) => tickerNormalized);
    const tickers = symbols.map((ticker) => ({ ticker, titles: byTicker.get(ticker) ?? NO_TITLES }));
    const primary = securities.find(({ isPrimary }) => isPrimary) ?? securities[0];
    if (primary === undefined || areClassesSeparate(tickers)) continue;
    if (detectSecurityKind(primary.tickerNormalized, byTicker.get(primary.tickerNormalized) ?? NO_TITLES) === 'other')
      continue;
    for (const key of new Set(primary.names.map(makeIssuerNameKey))) byKey.set(key, byKey.has(key) ? null : primary);
  }
  return byKey;
}

/**
 * A symbol that a security had before its current symbol, according to files that state its CUSIP, with the first and
 * last settlement day for which files state the symbol.
 */
export interface FormerTicker extends Days {
  readonly cik: number;
  /** The security's current ticker, in the form that `normalizeTicker` returns. */
  readonly tickerNormalized: string;
  /** The former symbol as spelled in files, without class separators. */
  readonly symbol: string;
}
