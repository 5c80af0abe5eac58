/** Decides whether the value of a trade (shares times price) counts as money paid for the company's equity. */
import { multiply } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';
import type { Trade } from '../../edgar/insiders/ownership-document.ts';
import { addDays } from '../../platform/dates.ts';

export type ValueStatus = 'counted' | 'suspect' | 'not_equity';

/** Maximum plausible price of a share; a higher price is a total entered as the price. */
const MAX_SHARE_PRICE = '2000000';
/** Maximum multiple of the day's closing price; a higher price is an error. */
const MAX_FACTOR_OF_CLOSE = '10';
/** Earliest plausible day of a trade; an earlier day is a typing error. */
const EARLIEST_TRADE_DAY = '1900-01-01';

const BRACKETED_TEXT_PATTERN = /\([^()]*\)|\[[^[\]]*\]/g;
/** Matches rights attached to common stock, introduced by "and", "with" or "including", to the end of the title. */
const ATTACHED_RIGHTS_PATTERN = /\b(?:and|with|including|together with)\b.*\brights?\b.*$/i;
/** Matches securities that are not common equity, even if the title also mentions common shares. */
const NEVER_COMMON_PATTERN =
  /\b(?:preferred|preference|pref|warrants?|options?|notes?|bonds?|debentures?|loans?|swaps?|forwards?|futures)\b|\bright to (?:buy|acquire|purchase)\b/i;
const COMMON_PATTERN =
  /\b(?:common|comm?|ordinary|capital|subordinate voting|registered|class [a-z]|series [a-z] common|american depositary|ads|adss|adrs?|beneficial interests?|partnership|partner|membership)\b/i;
/** Matches securities that are common equity only if the title also mentions common shares. */
const USUALLY_NOT_COMMON_PATTERN =
  /\b(?:convertible|rights?|depositary|certificates?|phantom|hypothetical|due 20\d\d)\b/i;

/**
 * Whether a title describes common equity: common or ordinary shares, depositary shares for common shares, or interests
 * in a partnership or trust. A title that names no kind of security counts as common equity.
 */
export function isCommonEquity(title: string): boolean {
  const main = title.replace(BRACKETED_TEXT_PATTERN, ' ').replace(ATTACHED_RIGHTS_PATTERN, ' ');
  if (NEVER_COMMON_PATTERN.test(main)) return false;
  return COMMON_PATTERN.test(main) || !(NEVER_COMMON_PATTERN.test(title) || USUALLY_NOT_COMMON_PATTERN.test(title));
}

/**
 * @param close the exchange's closing price on or near the trade day, not adjusted for later splits; null if
 * unknown
 */
export function judgeTradeValue(trade: Trade, filed: string | null, close: Decimal | null): ValueStatus {
  if (!isCommonEquity(trade.securityTitle)) return 'not_equity';
  const { shares, price, day } = trade;
  if (shares === null || price === null || !isPositive(shares) || !isPositive(price)) return 'suspect';
  if (day === null || day < EARLIEST_TRADE_DAY || (filed !== null && day > filed)) return 'suspect';
  if (compareDecimals(price, MAX_SHARE_PRICE) > 0) return 'suspect';
  if (close !== null && compareDecimals(price, multiply(close, MAX_FACTOR_OF_CLOSE)) > 0) return 'suspect';
  return 'counted';
}

const isPositive = (value: Decimal): boolean => !value.startsWith('-') && !isZero(value);

/** Maximum distance in days to a price that is used for a day without a price, because public prices have gaps. */
const MAX_DAYS_TO_CLOSING_PRICE = 7;

/**
 * Returns a function that finds the price for a day: the higher of the nearest prices before and after the day. If
 * there was a split between them, the lower price would make a correct trade look wrong. Null if no price is within
 * `MAX_DAYS_TO_CLOSING_PRICE`.
 * @param prices prices of all the company's share classes, not adjusted for later splits
 */
export function createClosingPriceFinder(
  prices: readonly { readonly day: string; readonly price: Decimal }[],
): (day: string) => Decimal | null {
  const highest = new Map<string, Decimal>();
  for (const { day, price } of prices) highest.set(day, pickHigher(highest.get(day) ?? null, price));
  const findNearest = (day: string, step: 1 | -1): Decimal | null => {
    for (let days = 0; days <= MAX_DAYS_TO_CLOSING_PRICE; days++) {
      const price = highest.get(addDays(day, days * step));
      if (price !== undefined) return price;
    }
    return null;
  };
  return (day) => {
    const before = findNearest(day, -1);
    const after = findNearest(day, 1);
    return after === null ? before : pickHigher(before, after);
  };
}

const pickHigher = (a: Decimal | null, b: Decimal): Decimal => (a === null || compareDecimals(b, a) > 0 ? b : a);
