/**
 * What a build knows of prices and holders before it derives companies: the ratios of the screener need prices,
 * prices come partly from holders' tables, and whether those are in thousands is told by prices.
 *
 * The order: fails-to-deliver files say which CUSIP trades under which symbol, holders' tables name issuers; from both
 * follows whose a CUSIP is; then prices are noted from fails, venues, funds, and at last from holders.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Decimal } from '../../contract/decimal.ts';
import { compareDecimals } from '../../contract/decimal.ts';
import { openArchive } from '../../edgar/archive.ts';
import { type FailsRow, isFailsFile, readFails } from '../../edgar/fails-to-deliver.ts';
import { type ListedFile, listFiles } from '../../edgar/file-listing.ts';
import { isNportDataset, type NportHolding, readNportHoldings } from '../../edgar/nport-holdings.ts';
import type { Tally } from '../../edgar/tally.ts';
import type { ThirteenFReport } from '../../edgar/thirteen-f-report.ts';
import { isThirteenFFile, readThirteenFs } from '../../edgar/thirteen-f-source.ts';
import { readVenueFile, type VenueAttribution } from '../../edgar/venue-file.ts';
import { addDays } from '../../figures/days.ts';
import { amountsAreValues, positionsOf } from '../../figures/holders/positions.ts';
import { isQuarterEnd } from '../../figures/holders/quarters.ts';
import type { HoldingLine } from '../../figures/holders/types.ts';
import { valueUnit } from '../../figures/holders/value-unit.ts';
import {
  CusipEvidence,
  type ListedSecurity,
  type MappedSecurity,
  sharesByIssuer,
} from '../../figures/issuers/cusip-map.ts';
import { issuerKey } from '../../figures/issuers/issuer-name.ts';
import { classesTradeApart, securityKind } from '../../figures/issuers/share-class.ts';
import { impliedPrice } from '../../figures/prices/implied-price.ts';
import { tapeOf } from '../../figures/prices/tape.ts';
import type { PriceSource } from '../../figures/prices/types.ts';
import { lastTradingDay, previousTradingDay } from '../../figures/trading-calendar.ts';
import type { FilingRecord } from '../../figures/types.ts';
import type { SecurityQuotes } from '../company-part.ts';
import type { PriceRow } from '../price-tables.ts';
import { Spill } from '../spill.ts';
import { HoldingsDesk } from './holdings-desk.ts';
import { type PriceNote, priceRows } from './price-notes.ts';

export interface MarketInput {
  readonly from: string;
  readonly listed: readonly ListedSecurity[];
  /** The release's date: no later price belongs in it. */
  readonly date: string;
  readonly scratch: string;
  readonly setAside: Tally;
  readonly problems: string[];
  readonly signal: AbortSignal | undefined;
  /** A filer's own list of filings; empty where none is at hand. */
  filingsOf(cik: number): Promise<readonly FilingRecord[]>;
}

/** Prices further back than this have no bearing on today's ratios, nor on the splits between. */
const RECENT_DAYS = 400;
/** Smaller positions are rounded too much to tell a price. */
const LEAST_SHARES = '100';

export class Market {
  readonly desk: HoldingsDesk;
  readonly venues: VenueAttribution[] = [];
  readonly sources = new Set<PriceSource>();
  /** Files that were read, for the release's account of its sources. */
  readonly files: ListedFile[] = [];
  #cusips: ReadonlyMap<string, MappedSecurity> = new Map();
  #issuers: ReadonlyMap<string, number> = new Map();
  #titles: ReadonlyMap<string, readonly string[]> = new Map();
  readonly #input: MarketInput;
  readonly #broken = new Set<ListedFile>();
  readonly #notes: Spill<PriceNote>;
  readonly #quarterEnds = new Map<string, Decimal>();
  readonly #quotes = new Map<number, readonly SecurityQuotes[]>();

  private constructor(input: MarketInput) {
    this.#input = input;
    this.desk = new HoldingsDesk(join(input.scratch, 'holdings'));
    this.#notes = new Spill<PriceNote>(join(input.scratch, 'prices'));
  }

  static async read(input: MarketInput): Promise<Market> {
    const market = new Market(input);
    const files = await listFiles(input.from);
    const evidence = new CusipEvidence();
    await market.#eachFails(files, (row) =>
      evidence.sawSymbol(row.cusip, row.symbol, row.settlementDay, row.description),
    );
    await market.#readHoldings(files, evidence);
    market.#identify(evidence);
    await market.#notePrices(files);
    market.#noteHoldings();
    market.#keepRecent();
    return market;
  }

  /** The covered security that a CUSIP names. */
  securityOf(cusip: string): MappedSecurity | null {
    return this.#cusips.get(cusip) ?? null;
  }

  /** The covered company whose CUSIPs begin alike: what names it and no ticker, such as its notes. */
  issuerOf(cusip: string): number | null {
    return this.#issuers.get(cusip.slice(0, 6)) ?? null;
  }

  /** The recent prices of a company's securities. */
  quotesOf(cik: number): readonly SecurityQuotes[] {
    return this.#quotes.get(cik) ?? [];
  }

  /** Whether a ticker is an ordinary share. */
  isShare(tickerNormalized: string): boolean {
    return securityKind(tickerNormalized, this.#titles.get(tickerNormalized) ?? []) === 'share';
  }

  /** Whether the company's share count counts what this ticker is. */
  countApplies(cik: number, tickerNormalized: string): boolean {
    const own = this.#byCik().get(cik) ?? [];
    const titled = own.map(({ tickerNormalized: ticker }) => ({ ticker, titles: this.#titles.get(ticker) ?? [] }));
    return this.isShare(tickerNormalized) && !classesTradeApart(titled);
  }

  /** Every company's prices in the order of the table, companies ascending. */
  *prices(): Generator<readonly [cik: number, rows: readonly PriceRow[]]> {
    for (const [cik, notes] of this.#notes.groups()) {
      this.#input.signal?.throwIfAborted();
      yield [cik, priceRows(notes)];
    }
  }

  #byCikCache: ReadonlyMap<number, readonly ListedSecurity[]> | undefined;
  #byCik(): ReadonlyMap<number, readonly ListedSecurity[]> {
    if (this.#byCikCache === undefined) {
      const groups = new Map<number, ListedSecurity[]>();
      for (const security of this.#input.listed) {
        const group = groups.get(security.cik);
        if (group === undefined) groups.set(security.cik, [security]);
        else group.push(security);
      }
      this.#byCikCache = groups;
    }
    return this.#byCikCache;
  }

  async #readHoldings(files: readonly ListedFile[], evidence: CusipEvidence): Promise<void> {
    const { desk } = this;
    const own = files.filter(isThirteenFFile);
    this.files.push(...own);
    await readThirteenFs(
      own,
      {
        report: (key, report) => desk.addReport(key, report),
        line: (key, row) => {
          desk.addLine(key, row);
          evidence.sawIssuer(row.cusip, row.issuer, row.titleOfClass);
        },
        problem: (text) => this.#input.problems.push(text),
      },
      this.#input.setAside,
    );
    await desk.complete((cik) => this.#input.filingsOf(cik));
  }

  #identify(evidence: CusipEvidence): void {
    this.#cusips = evidence.map(this.#input.listed);
    this.#titles = evidence.titlesOf(this.#cusips);
    const issuers = new Map<string, number>();
    for (const [cusip, { cik }] of this.#cusips) issuers.set(cusip.slice(0, 6), cik);
    this.#issuers = issuers;
  }

  async #notePrices(files: readonly ListedFile[]): Promise<void> {
    await this.#eachFails(files, ({ cusip, settlementDay, price }) => {
      const security = this.securityOf(cusip);
      if (price !== null && security !== null) this.#note(security, 'fails', previousTradingDay(settlementDay), price);
    });
    await this.#readVenues(files.filter(({ name }) => /(?:^|\/)venue[^/]*\.csv$/i.test(name)));
    for (const file of files.filter(({ name }) => /nport/i.test(name) && /\.zip$/i.test(name))) {
      await this.#guard(file, () => this.#readFunds(file));
    }
  }

  async #eachFails(files: readonly ListedFile[], take: (row: FailsRow) => void): Promise<void> {
    const { setAside } = this.#input;
    const first = this.#cusips.size === 0;
    for (const file of files.filter(({ name }) => /(?:cnsfails|cnsp_sec_fails)[^/]*\.(?:zip|txt)$/i.test(name))) {
      await this.#guard(file, async () => {
        if (first) this.files.push(file);
        for (const text of await textsOf(file)) {
          if (!isFailsFile(text)) {
            if (first) setAside.add('a file that is named for fails to deliver and holds none');
            continue;
          }
          // What is set aside is counted once, though the file is read twice.
          for (const row of readFails(text, first ? setAside : NO_TALLY)) take(row);
        }
      });
    }
  }

  async #readVenues(files: readonly ListedFile[]): Promise<void> {
    const byTicker = new Map(this.#input.listed.map((one) => [one.tickerNormalized.replaceAll('-', ''), one]));
    for (const file of files) {
      await this.#guard(file, async () => {
        this.files.push(file);
        const { attribution, rows } = readVenueFile(await readFile(file.path, 'utf8'), file.name, this.#input.setAside);
        this.venues.push(attribution);
        for (const { day, symbol, lastSale, lastSaleAt, officialClose } of rows) {
          const security = byTicker.get(symbol.replace(/[^A-Z0-9]/g, ''));
          if (security === undefined) continue;
          if (lastSale !== null) this.#note(security, 'venue', day, lastSale, lastSaleAt);
          if (officialClose !== null) this.#note(security, 'venue_official', day, officialClose);
        }
      });
    }
  }

  async #readFunds(file: ListedFile): Promise<void> {
    const archive = await openArchive(file.path);
    try {
      if (!isNportDataset(archive)) return;
      this.files.push(file);
      const byName = sharesByIssuer(this.#input.listed, this.#titles);
      for await (const holdings of readNportHoldings(archive, this.#input.setAside)) {
        this.#input.signal?.throwIfAborted();
        for (const holding of holdings) this.#noteFund(holding, byName);
      }
    } finally {
      archive.close();
    }
  }

  #noteFund(holding: NportHolding, byName: ReadonlyMap<string, ListedSecurity | null>): void {
    const named =
      holding.cusip === null ? (byName.get(issuerKey(holding.issuer)) ?? null) : this.securityOf(holding.cusip);
    if (named === null) return;
    const price = impliedPrice(holding.value, holding.balance, '0.005');
    const source = holding.commonStock === true && holding.cusip !== null ? 'nport' : 'mixed';
    if (price !== null) this.#note(named, source, lastTradingDay(holding.reportDay), price);
  }

  /** Holders' tables give their prices last: those of the other sources tell which of them are in thousands. */
  #noteHoldings(): void {
    for (const [, lines] of this.desk.managers()) {
      this.#input.signal?.throwIfAborted();
      for (const { report, lines: own } of this.desk.speakingOf(lines)) this.#noteReport(report, own);
    }
  }

  #noteReport(report: ThirteenFReport, lines: readonly HoldingLine[]): void {
    const priceOf = (cusip: string) => {
      const security = this.securityOf(cusip);
      return security === null
        ? null
        : (this.#quarterEnds.get(`${security.tickerNormalized} ${report.period}`) ?? null);
    };
    const unit = valueUnit(lines, report.filed ?? addDays(report.period, 45), priceOf);
    this.desk.setUnit(report, unit);
    if (amountsAreValues(lines)) return;
    const rounding = unit === 'thousands' ? '500' : '0.5';
    for (const { cusip, value, amount, amountType, putCall } of positionsOf(lines, unit)) {
      const security = amountType === 'SH' && putCall === '' ? this.securityOf(cusip) : null;
      if (security === null || compareDecimals(amount, LEAST_SHARES) < 0) continue;
      const price = impliedPrice(value, amount, rounding);
      if (price !== null) this.#note(security, 'thirteen_f', lastTradingDay(report.period), price);
    }
  }

  #note(
    { cik, tickerNormalized: ticker }: MappedSecurity,
    source: PriceNote['source'],
    day: string,
    price: Decimal,
    soldAt: string | null = null,
  ): void {
    if (day > this.#input.date) return;
    this.#notes.add(cik, { ticker, source, day, price, ...(soldAt === null ? {} : { soldAt }) });
    if (source === 'mixed' || source === 'thirteen_f') return;
    const period = quarterEndNear(day);
    if (period !== null) this.#quarterEnds.set(`${ticker} ${period}`, price);
  }

  #keepRecent(): void {
    const from = addDays(this.#input.date, -RECENT_DAYS);
    for (const [cik, rows] of this.prices()) {
      const byTicker = new Map<string, PriceRow[]>();
      for (const row of rows) {
        this.sources.add(row.source);
        if (row.day < from) continue;
        const own = byTicker.get(row.tickerNormalized);
        if (own === undefined) byTicker.set(row.tickerNormalized, [row]);
        else own.push(row);
      }
      const quotes = [...byTicker].map(([tickerNormalized, own]) => ({
        cik,
        tickerNormalized,
        tape: tapeOf(own),
        countApplies: this.countApplies(cik, tickerNormalized),
      }));
      if (quotes.length > 0) this.#quotes.set(cik, quotes);
    }
  }

  async #guard(file: ListedFile, run: () => Promise<void>): Promise<void> {
    const { signal, setAside, problems } = this.#input;
    signal?.throwIfAborted();
    if (this.#broken.has(file)) return;
    try {
      await run();
    } catch (cause) {
      signal?.throwIfAborted();
      this.#broken.add(file);
      setAside.add('a file of prices that cannot be read');
      const message = cause instanceof Error ? cause.message : String(cause);
      problems.push(message.startsWith(file.name) ? message : `${file.name}: ${message}`);
    }
  }
}

const NO_TALLY = { add: () => undefined, counts: () => ({}) } as unknown as Tally;

async function textsOf(file: ListedFile): Promise<string[]> {
  if (!/\.zip$/i.test(file.name)) return [await readFile(file.path, 'utf8')];
  const archive = await openArchive(file.path);
  try {
    const texts: string[] = [];
    for (const name of archive.names) texts.push(String((await archive.read(name)) ?? ''));
    return texts;
  } finally {
    archive.close();
  }
}

/** The quarter whose last trading day this is; null for any other day. */
function quarterEndNear(day: string): string | null {
  for (let ahead = 0; ahead <= 4; ahead++) {
    const candidate = addDays(day, ahead);
    if (isQuarterEnd(candidate)) return lastTradingDay(candidate) === day ? candidate : null;
  }
  return null;
}
