/** Applies amendments of ownership filings to their originals. */
import { compareText } from '../../contract/compare-text.ts';
import { type Decimal, isEqual } from '../../contract/decimal-text.ts';
import type { OwnershipFiling, Trade } from '../../edgar/insiders/ownership-document.ts';
import { getOnlyElement, pushTo } from '../../platform/collections.ts';

/** A trade in effect, with the filing that states it. */
interface EffectiveTrade {
  readonly filing: OwnershipFiling;
  readonly trade: Trade;
  /** The trades that this trade replaced, earliest first. */
  readonly replaced: readonly Trade[];
}

/**
 * Returns the filings with the trades that are in effect, earliest first, and counts of the others: filings whose
 * trades were all replaced, replaced trades of other filings, amendments without exactly one original, and amendments
 * of some trades without exactly one counterpart each. An amendment states only the filing day of its original, so
 * owners and form must match, too. An amendment with as many trades as its original, or more, replaces all trades of
 * the original and of earlier amendments. An amendment with fewer trades replaces for each trade its only counterpart.
 * An amendment without trades restates something else, such as a holding, and replaces nothing.
 * @param filings filings of one issuer
 */
export function applyAmendments(filings: readonly OwnershipFiling[]) {
  const sorted = [...filings].sort(compareFilings);
  const originals = sorted.filter((filing) => !isAmendment(filing));
  const originalsByKey = new Map<string, OwnershipFiling[]>();
  for (const filing of originals) pushTo(originalsByKey, makeOriginalKey(filing, filing.filed), filing);
  const inEffect = new Map(originals.map((filing) => [filing, listTrades(filing)]));
  let [unmatched, ambiguous] = [0, 0];
  const appliedAmendments: OwnershipFiling[] = [];
  for (const amendment of sorted.filter(isAmendment)) {
    const original = findOriginal(amendment, originalsByKey);
    if (original === null) {
      unmatched += 1;
      continue;
    }
    const trades = replaceTrades(original, inEffect.get(original) ?? [], amendment);
    if (trades === null) {
      ambiguous += 1;
      continue;
    }
    inEffect.set(original, trades);
    appliedAmendments.push(amendment);
  }
  const tradesByFiling = new Map<OwnershipFiling, Trade[]>();
  for (const trades of inEffect.values()) for (const { filing, trade } of trades) pushTo(tradesByFiling, filing, trade);
  const effectiveFilings: OwnershipFiling[] = [];
  let [superseded, supersededTrades] = [0, 0];
  for (const filing of [...originals, ...appliedAmendments].sort(compareFilings)) {
    const trades = new Set(tradesByFiling.get(filing));
    const isReplaced = trades.size === 0 && filing.trades.length > 0;
    if (isReplaced) superseded += 1;
    else {
      supersededTrades += filing.trades.length - trades.size;
      effectiveFilings.push({ ...filing, trades: filing.trades.filter((trade) => trades.has(trade)) });
    }
  }
  return { effectiveFilings, skipped: { superseded, supersededTrades, unmatched, ambiguous } };
}

const isAmendment = ({ form }: OwnershipFiling): boolean => form.endsWith('/A');

/** Compares by filing day, earliest first; filings without a day come last. */
export const compareFilings = (a: OwnershipFiling, b: OwnershipFiling): number =>
  compareText(a.filed ?? '9999', b.filed ?? '9999') || compareText(a.accession, b.accession);

const makeOriginalKey = (filing: OwnershipFiling, filed: string | null): string =>
  `${filing.form.replace('/A', '')} ${filed} ${makeOwnersKey(filing)}`;

/** Returns the same key for filings of the same owners, in whatever order they are listed. */
export const makeOwnersKey = ({ owners }: OwnershipFiling): string =>
  [...new Set(owners.map(({ cik }) => cik))].sort((a, b) => a - b).join(' ');

function findOriginal(amendment: OwnershipFiling, originalsByKey: ReadonlyMap<string, readonly OwnershipFiling[]>) {
  const { originalFiled } = amendment;
  if (originalFiled === null) return null;
  return getOnlyElement(originalsByKey.get(makeOriginalKey(amendment, originalFiled)) ?? []);
}

const listTrades = (filing: OwnershipFiling): EffectiveTrade[] =>
  filing.trades.map((trade) => ({ filing, trade, replaced: [] }));

/**
 * Returns the trades in effect after an amendment; null if the amendment has fewer trades than its original and one of
 * them has no counterpart, several, or the same one as another trade.
 */
function replaceTrades(original: OwnershipFiling, trades: EffectiveTrade[], amendment: OwnershipFiling) {
  if (amendment.trades.length === 0) return trades;
  if (amendment.trades.length >= original.trades.length) return listTrades(amendment);
  const amendedTrades = new Map<EffectiveTrade, Trade>();
  for (const trade of amendment.trades) {
    const counterpart = findCounterpart(trade, trades);
    if (counterpart === null || amendedTrades.has(counterpart)) return null;
    amendedTrades.set(counterpart, trade);
  }
  return trades.map((existing) => {
    const trade = amendedTrades.get(existing);
    if (trade === undefined) return existing;
    return { filing: amendment, trade, replaced: [...existing.replaced, existing.trade] };
  });
}

/**
 * Returns the trade that an amended trade restates: the only one of the same security and code that has the same date,
 * shares and price, or else the only one that has two of them. An earlier state of a trade counts like its latest. Null
 * if no trade matches, or several.
 */
function findCounterpart(amended: Trade, trades: readonly EffectiveTrade[]): EffectiveTrade | null {
  const candidates = trades.map((effective) => {
    const states = [effective.trade, ...effective.replaced];
    return { effective, agreement: Math.max(...states.map((state) => countEqualFields(amended, state))) };
  });
  const exactMatches = candidates.filter(({ agreement }) => agreement === 3);
  const matches = exactMatches.length > 0 ? exactMatches : candidates.filter(({ agreement }) => agreement === 2);
  return getOnlyElement(matches)?.effective ?? null;
}

/** Returns how many of date, shares and price are equal; 0 for trades of different securities or codes. */
function countEqualFields(a: Trade, b: Trade): number {
  if (a.code !== b.code || normalizeTitle(a.securityTitle) !== normalizeTitle(b.securityTitle)) return 0;
  const matches = [a.day !== null && a.day === b.day, areEqual(a.shares, b.shares), areEqual(a.price, b.price)];
  return matches.filter(Boolean).length;
}

const areEqual = (a: Decimal | null, b: Decimal | null): boolean => a !== null && b !== null && isEqual(a, b);

/** Removes the par value, punctuation and case, which filers change between a filing and its amendment. */
const normalizeTitle = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[,(]?\s*(?:\$?\s*[\d.]+\s+)?par value.*$/, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
