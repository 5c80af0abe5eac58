/**
 * Which company's security a CUSIP names.
 *
 * No public file maps them. Fails-to-deliver files give the symbol of a CUSIP on a day; 13F reports name the issuer
 * beside it. A symbol alone is not trusted, since symbols pass from company to company: a name seen with the CUSIP has
 * to agree with the company's.
 */
import { entryOf, pushTo } from '../groups.ts';
import { issuerKey, namesAgree } from './issuer-name.ts';
import { classesTradeApart, securityKind } from './share-class.ts';

export interface ListedSecurity {
  readonly cik: number;
  readonly ticker: string;
  /** Upper case, classes after a dash. */
  readonly tickerNormalized: string;
  readonly isPrimary: boolean;
  /** Names the company goes or went by. */
  readonly names: readonly string[];
}

export interface MappedSecurity {
  readonly cik: number;
  readonly tickerNormalized: string;
}

interface Sighting {
  /** Symbols with the last day they were seen. */
  readonly symbols: Map<string, string>;
  readonly issuers: Set<string>;
  readonly titles: Set<string>;
}

/** Spellings kept for one CUSIP. */
const MOST_SPELLINGS = 8;

/** Collects the symbols, names and titles that files give for CUSIPs, in bounded memory. */
export class CusipEvidence {
  readonly #sightings = new Map<string, Sighting>();

  /** A row of a fails-to-deliver file; its description is name and class in one. */
  addSymbol(cusip: string, symbol: string, day: string, description: string): void {
    const sighting = this.#at(cusip);
    const known = sighting.symbols.get(symbol);
    if (known === undefined || known < day) sighting.symbols.set(symbol, day);
    remember(sighting.issuers, description);
    remember(sighting.titles, description);
  }

  /** A line of a holder's table. */
  addIssuer(cusip: string, issuer: string, titleOfClass: string): void {
    const sighting = this.#at(cusip);
    remember(sighting.issuers, issuer);
    remember(sighting.titles, titleOfClass);
  }

  /** The titles that files give the mapped securities, by normalized ticker. */
  titlesOf(map: ReadonlyMap<string, MappedSecurity>): ReadonlyMap<string, readonly string[]> {
    const titles = new Map<string, string[]>();
    for (const [cusip, { tickerNormalized }] of map) {
      const own = entryOf(titles, tickerNormalized, () => []);
      own.push(...(this.#sightings.get(cusip)?.titles ?? []));
    }
    return titles;
  }

  /** Each CUSIP that names one of the listed securities. */
  map(listed: readonly ListedSecurity[]): ReadonlyMap<string, MappedSecurity> {
    const byStripped = groupBy(listed, ({ tickerNormalized }) => tickerNormalized.replaceAll('-', ''));
    const map = new Map<string, MappedSecurity>();
    const add = (cusip: string, { cik, tickerNormalized }: MappedSecurity) => map.set(cusip, { cik, tickerNormalized });
    for (const [cusip, sighting] of this.#sightings) {
      const found = bySymbol(sighting, byStripped);
      if (found !== null) add(cusip, found);
    }
    // Companies mapped by symbol are not mapped by name again: a fund named after its bank, or a note, is not the
    // bank's share.
    const byName = sharesByIssuer(listed, this.titlesOf(map));
    const known = new Set([...map.values()].map(({ tickerNormalized }) => tickerNormalized));
    for (const [cusip, sighting] of this.#sightings) {
      const found = map.has(cusip) ? null : byIssuer(sighting, byName);
      if (found !== null && !known.has(found.tickerNormalized)) add(cusip, found);
    }
    return map;
  }

  #at(cusip: string): Sighting {
    return entryOf(this.#sightings, cusip, () => ({ symbols: new Map(), issuers: new Set(), titles: new Set() }));
  }
}

function remember(spellings: Set<string>, text: string): void {
  if (text === '' || spellings.size >= MOST_SPELLINGS || spellings.has(text)) return;
  // A slice of a string keeps the whole string, here a file, in memory; a copy does not.
  spellings.add(Buffer.from(text).toString());
}

/** By the symbol seen last that a listed company has, where a name agrees. */
function bySymbol(sighting: Sighting, listed: ReadonlyMap<string, readonly ListedSecurity[]>): ListedSecurity | null {
  const symbols = [...sighting.symbols].sort(([, a], [, b]) => (a < b ? 1 : -1));
  for (const [symbol] of symbols) {
    for (const security of listed.get(symbol) ?? []) {
      if (security.names.some((name) => [...sighting.issuers].some((issuer) => namesAgree(name, issuer)))) {
        return security;
      }
    }
  }
  return null;
}

/** By the issuer's exact name, where the title is that of a share and the company has only one class. */
function byIssuer(sighting: Sighting, byName: ReadonlyMap<string, ListedSecurity | null>): ListedSecurity | null {
  for (const title of sighting.titles) if (securityKind('', [title]) === 'other') return null;
  for (const issuer of sighting.issuers) {
    const security = byName.get(issuerKey(issuer));
    if (security !== undefined && security !== null) return security;
  }
  return null;
}

/**
 * By issuer key, the share of the company of that name: its primary ticker's, unless it has several classes. Null
 * where companies share a name.
 * @param titles those that files give each security, by normalized ticker
 */
export function sharesByIssuer(
  listed: readonly ListedSecurity[],
  titles: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, ListedSecurity | null> {
  const byName = new Map<string, ListedSecurity | null>();
  for (const securities of groupBy(listed, ({ cik }) => cik).values()) {
    const titled = securities.map(({ tickerNormalized: ticker }) => ({ ticker, titles: titles.get(ticker) ?? [] }));
    const share = securities.find(({ isPrimary }) => isPrimary) ?? securities[0];
    if (share === undefined || classesTradeApart(titled)) continue;
    if (securityKind(share.tickerNormalized, titles.get(share.tickerNormalized) ?? []) === 'other') continue;
    for (const key of new Set(share.names.map(issuerKey))) byName.set(key, byName.has(key) ? null : share);
  }
  return byName;
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    pushTo(groups, keyOf(item), item);
  }
  return groups;
}
