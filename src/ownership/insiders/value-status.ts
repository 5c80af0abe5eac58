/** Decides whether the value of a trade (shares times price) counts as money paid for the company's equity. */
import { multiply } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';
import type { Footnote, Trade } from '../../edgar/insiders/ownership-document.ts';
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
const RARELY_COMMON_PATTERN = /\b(?:convertible|rights?|depositary|certificates?|phantom|hypothetical|due 20\d\d)\b/i;

/**
 * Whether a title describes common equity: common or ordinary shares, depositary shares for common shares, or interests
 * in a partnership or trust. A title that names no kind of security counts as common equity.
 */
export function isCommonEquity(title: string): boolean {
  const main = title.replace(BRACKETED_TEXT_PATTERN, ' ').replace(ATTACHED_RIGHTS_PATTERN, ' ');
  if (NEVER_COMMON_PATTERN.test(main)) return false;
  return COMMON_PATTERN.test(main) || !(NEVER_COMMON_PATTERN.test(title) || RARELY_COMMON_PATTERN.test(title));
}

/** Number of shares that existed around a day, in shares of that day. */
export interface ShareLimit {
  /** Shares of all classes. */
  readonly total: Decimal;
  /** Shares of the trade's class; `total` if the count of the class is unknown. */
  readonly ofClass: Decimal;
}

interface TradeContext {
  readonly filed: string | null;
  /**
   * The exchange's closing price on or near the trade day, not adjusted for later splits; null if unknown.
   */
  readonly close: Decimal | null;
  /** Null if no count is known. */
  readonly limit?: ShareLimit | null;
  /** All footnotes of the filing. */
  readonly footnotes?: readonly Footnote[];
}

export function judgeTrade(trade: Trade, { filed, close, limit = null, footnotes = [] }: TradeContext): ValueStatus {
  if (!isCommonEquity(trade.securityTitle)) return 'not_equity';
  const { shares, price, day } = trade;
  if (shares === null || price === null || !isPositive(shares) || !isPositive(price)) return 'suspect';
  if (day === null || day < EARLIEST_TRADE_DAY || (filed !== null && day > filed)) return 'suspect';
  if (compareDecimals(price, MAX_SHARE_PRICE) > 0) return 'suspect';
  if (close !== null && compareDecimals(price, multiply(close, MAX_FACTOR_OF_CLOSE)) > 0) return 'suspect';
  if (limit !== null && exceedsLimit(shares, price, limit, close)) return 'suspect';
  return statesOtherUnit(trade, footnotes) ? 'suspect' : 'counted';
}

/** Whether more shares are traded than exist, or for more than the market value of all of them. */
function exceedsLimit(shares: Decimal, price: Decimal, { total, ofClass }: ShareLimit, close: Decimal | null): boolean {
  if (compareDecimals(shares, ofClass) > 0) return true;
  return close !== null && compareDecimals(multiply(shares, price), multiply(total, close)) > 0;
}

const DEPOSITARY_TITLE_PATTERN = /\b(?:depositary|depository|ads|adss|adrs?)\b/i;
/** Text between a price and its unit: part of a sentence, which may contain amounts. */
const WITHIN_SENTENCE = String.raw`\b(?:[^.;]|\.\d){0,80}`;
/** Matches a price that is stated for a depositary share. */
const PRICE_PER_RECEIPT_PATTERN = new RegExp(
  String.raw`\bprices?${WITHIN_SENTENCE}\b(?:per|for each) (?:ADS|ADR|American Deposit[ao]ry (?:Share|Receipt))\b`,
  'i',
);
/** Matches depositary shares that represent one share, so that the unit does not matter. */
const ONE_SHARE_PATTERN = /\b(?:represent\w*|stands? for|equal\w*(?: to)?) (?:one|1)\b(?![.,/]?\d)/i;
const CURRENCY_CODE = '(?:NIS|ILS|EUR|GBP|JPY|CHF|CAD|AUD|HKD|RMB|CNY|SEK|NOK|DKK)';
const CURRENCY_NAME =
  '(?:Canadian dollars?|Australian dollars?|Hong Kong dollars?|New Israeli Shekels?|euros?|British pounds?|pounds? sterling|pence|Japanese yen|yen|Swiss francs?|renminbi|Swedish kron\\w+|Norwegian kron\\w+|Danish kron\\w+)';
/** Matches a price that is stated in another currency than US dollars. */
const OTHER_CURRENCY_PATTERN = new RegExp(
  String.raw`\b(?:prices?|reported|stated|expressed|denominated)${WITHIN_SENTENCE}(?:\b(?:in|of) (?:${CURRENCY_CODE}|${CURRENCY_NAME})\b|\b${CURRENCY_CODE}\s?\d|(?<![a-z])(?:C|CA|CDN|A|AU|HK)\$\s?\d|[\u20ac\u00a3\u00a5\u20aa]\s?\d)`,
  'i',
);
/** Matches amounts in US dollars, and texts about a conversion. */
const CONVERSION_PATTERN =
  /\b(?:US|USD|convert\w*|translat\w*|equivalent|exchange rate)\b|\bU\.S\.|US?\$|(?<![a-z])\$\s?\d/i;

/**
 * Whether a footnote of the trade says that the price is per depositary share of another share, or in another currency.
 */
function statesOtherUnit({ securityTitle, footnoteIds }: Trade, footnotes: readonly Footnote[]): boolean {
  return footnotes.some(({ id, text }) => {
    if (!footnoteIds.includes(id)) return false;
    if (OTHER_CURRENCY_PATTERN.test(text) && !CONVERSION_PATTERN.test(text)) return true;
    return (
      !DEPOSITARY_TITLE_PATTERN.test(securityTitle) &&
      PRICE_PER_RECEIPT_PATTERN.test(text) &&
      !ONE_SHARE_PATTERN.test(text)
    );
  });
}

/** Returns the letter of the share class in a title; null if the title names no class. */
export const findShareClass = (title: string): string | null =>
  /\b(?:class|series)\s+([a-z])\b/i.exec(title)?.[1]?.toUpperCase() ?? null;

const isPositive = (value: Decimal): boolean => !value.startsWith('-') && !isZero(value);

/** Maximum distance in days to a price that is used for a day without a price, because public prices have gaps. */
const MAX_DAYS_TO_CLOSING_PRICE = 7;

/**
 * Returns a function that finds the price for a day: the higher of the nearest prices before and after the day. If
 * there was a split between them, the lower price would make a correct trade look wrong. Null if no price is within
 * `MAX_DAYS_TO_CLOSING_PRICE`.
 * @param prices prices of all the company's share classes, not adjusted for later splits
 */
export function createClosingPriceFinder(prices: readonly { readonly day: string; readonly price: Decimal }[]) {
  const highestByDay = new Map<string, Decimal>();
  for (const { day, price } of prices) highestByDay.set(day, pickHigher(highestByDay.get(day) ?? null, price));
  const findNearest = (day: string, step: 1 | -1): Decimal | null => {
    for (let days = 0; days <= MAX_DAYS_TO_CLOSING_PRICE; days++) {
      const price = highestByDay.get(addDays(day, days * step));
      if (price !== undefined) return price;
    }
    return null;
  };
  return (day: string) => {
    const earlierPrice = findNearest(day, -1);
    const laterPrice = findNearest(day, 1);
    return laterPrice === null ? earlierPrice : pickHigher(earlierPrice, laterPrice);
  };
}

const pickHigher = (a: Decimal | null, b: Decimal): Decimal => (a === null || compareDecimals(b, a) > 0 ? b : a);
