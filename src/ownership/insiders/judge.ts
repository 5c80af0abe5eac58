/** Decides which ownership filings of an issuer are shown, and which of their trades count in totals. */
import { add, multiply } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import type { OwnershipFiling, Trade } from '../../edgar/insiders/ownership-document.ts';
import { pushTo } from '../../platform/collections.ts';
import { applyAmendments, compareFilings } from './amendments.ts';
import { judgeTradeValue, type ValueStatus } from './value-status.ts';

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

/**
 * Applies amendments to an issuer's filings, marks repeated trades, and decides whether each trade's value counts.
 * @param filings filings of one issuer, one per accession number
 * @param findPrice returns the exchange's closing price on or near a day, not adjusted for later splits; null if
 * unknown
 */
export function judgeFilings(
  filings: readonly OwnershipFiling[],
  findPrice: (day: string) => Decimal | null = () => null,
): FilingJudgement {
  const { effectiveFilings, skipped } = applyAmendments(filings);
  const repeated = findRepeatedTrades(effectiveFilings);
  return {
    filings: effectiveFilings
      .filter(({ trades }) => trades.length > 0)
      .map((filing) => ({
        ...filing,
        trades: filing.trades.map((trade) => ({
          status: judgeTradeValue(trade, filing.filed, trade.day === null ? null : findPrice(trade.day)),
          value: trade.shares === null || trade.price === null ? null : multiply(trade.shares, trade.price),
          repeated: repeated.has(trade),
          ...trade,
        })),
      })),
    skipped: {
      'an ownership filing replaced by an amendment': skipped.superseded,
      'a trade of an ownership filing replaced by an amendment': skipped.supersededTrades,
      'an amendment of an ownership filing whose original was not found': skipped.unmatched,
      'an amendment of some trades of an ownership filing whose counterparts were not found': skipped.ambiguous,
    },
  };
}

/**
 * Returns trades that an earlier filing already reports. If the earlier filing has two equal trades and the later
 * filing three, only two of the three are repeats.
 * @param filings filings of one issuer in which amendments have replaced their originals
 */
function findRepeatedTrades(filings: readonly OwnershipFiling[]): ReadonlySet<Trade> {
  const repeated = new Set<Trade>();
  const byKey = new Map<string, { readonly filing: OwnershipFiling; readonly count: number }[]>();
  for (const filing of [...filings].sort(compareFilings)) {
    const counts = new Map<string, number>();
    for (const trade of filing.trades) {
      const key = buildTradeKey(trade);
      if (key === null) continue;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      const earlier = (byKey.get(key) ?? []).filter((other) => mayRepeat(trade, filing, other.filing));
      if (earlier.some((other) => count <= other.count)) repeated.add(trade);
    }
    for (const [key, count] of counts) pushTo(byKey, key, { filing, count });
  }
  return repeated;
}

/**
 * Whether equal trades in two filings can be the same trade. Shares that two owners hold directly are different shares;
 * shares owned through another person, or reported jointly, may be the same.
 */
function mayRepeat({ directIndirect }: Trade, filing: OwnershipFiling, other: OwnershipFiling): boolean {
  if (directIndirect === 'I' || filing.owners.length > 1 || other.owners.length > 1) return true;
  return filing.owners.some(({ cik }) => other.owners.some((owner) => owner.cik === cik));
}

/** Returns a key that is equal for equal trades; null if missing fields make trades indistinguishable. */
function buildTradeKey({ day, code, shares, price, ownedFollowing, directIndirect }: Trade): string | null {
  if (day === null || shares === null || price === null || ownedFollowing === null) return null;
  const amounts = [shares, price, ownedFollowing].map(trimTrailingZeros);
  return [day, code, ...amounts, directIndirect ?? ''].join(' ');
}

/** Removes trailing zeros, so that 19.80 and 19.8 are equal prices. */
const trimTrailingZeros = (value: Decimal): Decimal => (value.includes('.') ? value.replace(/\.?0+$/, '') : value);

export interface InsiderTotals {
  readonly transactions: number;
  readonly purchases: number;
  readonly sales: number;
  /**
   * Number of trades that are listed but excluded from the values, because their numbers or dates are implausible or
   * the security is not equity.
   */
  readonly uncountedTransactions: number;
  readonly purchaseValue: Decimal;
  readonly saleValue: Decimal;
}

/** The fields of a trade that totals are computed from. */
type CountableTrade = Pick<JudgedTrade, 'code' | 'status' | 'value' | 'repeated'>;

export function sumTrades(trades: Iterable<CountableTrade>): InsiderTotals {
  let purchases = 0;
  let sales = 0;
  let uncounted = 0;
  let bought: Decimal = '0';
  let sold: Decimal = '0';
  for (const trade of trades) {
    if (trade.code === 'P') purchases += 1;
    else sales += 1;
    if (trade.status !== 'counted') uncounted += 1;
    const counted = computeCountedValue(trade);
    if (trade.code === 'P') bought = add(bought, counted);
    else sold = add(sold, counted);
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
