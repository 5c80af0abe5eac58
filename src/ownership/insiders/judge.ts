/** Decides which ownership filings of an issuer are shown, and which of their trades count in totals. */
import { add, multiply } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import type { OwnershipFiling, Trade } from '../../edgar/insiders/ownership-document.ts';
import { applyAmendments } from './amendments.ts';
import { findRepeatedTrades } from './repeated-trades.ts';
import { judgeTrade, type ShareLimit, type ValueStatus } from './value-status.ts';

export interface JudgedFiling extends Omit<OwnershipFiling, 'trades'> {
  readonly trades: readonly JudgedTrade[];
}

export interface JudgedTrade extends Trade {
  readonly status: ValueStatus;
  /** Number of shares times price; null if either is missing. */
  readonly value: Decimal | null;
  /** Whether an earlier filing reports the same trade. A repeated trade is shown but not counted in totals. */
  readonly repeated: boolean;
}

export interface FilingJudgement {
  /** Filings with a purchase or sale, earliest first. */
  readonly filings: readonly JudgedFiling[];
  readonly skipped: Readonly<Record<string, number>>;
}

/** Prices and share counts by day, against which trades are judged. */
export interface MarketLookup {
  /** Returns the exchange's closing price on or near a day, not adjusted for later splits; null if unknown. */
  readonly findPrice: (day: string) => Decimal | null;
  /** Returns the number of shares that existed around a day; null if unknown. */
  readonly findShareLimit: (day: string, securityTitle: string) => ShareLimit | null;
}

const NO_MARKET: MarketLookup = { findPrice: () => null, findShareLimit: () => null };

/**
 * Applies amendments to an issuer's filings, marks repeated trades, and decides whether each trade's value counts.
 * @param filings filings of one issuer, one per accession number
 */
export function judgeFilings(
  filings: readonly OwnershipFiling[],
  { findPrice, findShareLimit }: MarketLookup = NO_MARKET,
): FilingJudgement {
  const { effectiveFilings, skipped } = applyAmendments(filings);
  const repeated = findRepeatedTrades(effectiveFilings);
  return {
    filings: effectiveFilings
      .filter(({ trades }) => trades.length > 0)
      .map((filing) => ({
        ...filing,
        trades: filing.trades.map((trade) => ({
          status: judgeTrade(trade, {
            filed: filing.filed,
            close: trade.day === null ? null : findPrice(trade.day),
            limit: trade.day === null ? null : findShareLimit(trade.day, trade.securityTitle),
            footnotes: filing.footnotes,
          }),
          value: trade.shares === null || trade.price === null ? null : multiply(trade.shares, trade.price),
          repeated: repeated.has(trade),
          ...trade,
        })),
      })),
    skipped: {
      'an ownership filing replaced by an amendment': skipped.superseded,
      'a trade of an ownership filing replaced by an amendment': skipped.supersededTrades,
      'an amendment of an ownership filing whose original was not found': skipped.unmatched,
      'an amendment of an ownership filing, because it is unclear which trades it replaces': skipped.ambiguous,
    },
  };
}

export type InsiderTotals = ReturnType<typeof sumTrades>;

/** The fields of a trade that totals are computed from. */
type CountableTrade = Pick<JudgedTrade, 'code' | 'status' | 'value' | 'repeated'>;

export function sumTrades(trades: Iterable<CountableTrade>) {
  let purchases = 0;
  let sales = 0;
  let uncounted = 0;
  let bought: Decimal = '0';
  let sold: Decimal = '0';
  for (const trade of trades) {
    if (trade.code === 'P') purchases += 1;
    else sales += 1;
    if (trade.status !== 'counted') uncounted += 1;
    const amount = computeCountedValue(trade);
    if (trade.code === 'P') bought = add(bought, amount);
    else sold = add(sold, amount);
  }
  return {
    transactions: purchases + sales,
    purchases,
    sales,
    uncountedTransactions: uncounted,
    purchaseValue: bought,
    saleValue: sold,
  };
}

/**
 * Returns the amount that a trade adds to the total: zero for a repeated trade, or for a trade whose value does not
 * count.
 */
export const computeCountedValue = ({ status, value, repeated }: CountableTrade): Decimal =>
  status === 'counted' && !repeated && value !== null ? value : '0';
