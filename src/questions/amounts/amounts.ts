/** Amounts of holdings and prices, and differences, ratios and conversions of figures that may be missing. */
import { divide, subtract } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import type { PriceLatest } from '../../contract/resources/prices.ts';
import { convertToNewShares, findExactRatio } from '../../contract/split-ratio.ts';
import { type Cell, makeFigureCell, makeSignedCell } from '../../result/blocks.ts';
import { makeDisplayName } from '../../result/labels.ts';
import type { LabelledValue } from '../../result/result.ts';
import { type Column, makeFieldColumns } from '../../result/table.ts';

type OptionalDecimal = Decimal | null | undefined;

/** Returns `a` minus `b`; null if `a` or `b` is missing. */
export const subtractOrNull = (a: OptionalDecimal, b: OptionalDecimal): Decimal | null =>
  a == null || b == null ? null : subtract(a, b);

/** Returns `part` divided by `whole`; null if either is missing or `whole` is zero. */
export const divideOrNull = (part: OptionalDecimal, whole: OptionalDecimal): Decimal | null =>
  part == null || whole == null ? null : divide(part, whole);

/**
 * Converts a number of shares of the previous quarter to shares of the current quarter.
 * @param ratio the ratio of a split between the quarters; undefined without a split; null if it is unknown whether
 * there was one, and then the result is null, too
 */
export function toNewSharesOrNull(shares: OptionalDecimal, ratio: OptionalDecimal): Decimal | null {
  if (ratio === undefined) return shares ?? null;
  return shares == null || ratio === null ? null : convertToNewShares(shares, findExactRatio(ratio));
}

/** Returns the cell of an amount. If it is not a number of shares, the cell has its type as a mark, such as PRN. */
export const makeAmount = ({ amount, amount_type: type }: Record<'amount' | 'amount_type', string>): Cell => ({
  ...makeFigureCell(amount, 'shares'),
  mark: type === 'SH' ? '' : ` ${type}`,
});

export function makePriceFacts(latest: PriceLatest): readonly LabelledValue[] {
  const { prior_price: prior, record_close: close, shares } = latest;
  const sharesLabel = `Shares${prefixDay(' as of ', latest.shares_as_of)}`;
  const change = makeSignedCell(subtractOrNull(latest.price, prior), 'per_share');
  return [
    ['Price', makeFigureCell(latest.price, 'per_share')],
    ['Day', `${latest.day} (${makeDisplayName(latest.source)})`],
    ...(prior == null ? [] : [[`Change${prefixDay(' since ', latest.prior_day)}`, change] as const]),
    ...(close == null ? [] : [[formatRecordLabel(latest), makeFigureCell(close, 'per_share')] as const]),
    ['Market cap', makeFigureCell(latest.market_cap, 'money')],
    ...(shares == null ? [] : [[sharesLabel, makeFigureCell(shares, 'shares')] as const]),
  ];
}

/** Sources whose prices are computed from reported holdings: they are not closing prices of an exchange. */
const IMPLIED_PRICE_SOURCES: ReadonlySet<string> = new Set(['nport', 'thirteen_f']);

const formatRecordLabel = ({ record_source: source, record_day: day }: PriceLatest): string =>
  (source != null && IMPLIED_PRICE_SOURCES.has(source) ? `Price of ${makeDisplayName(source)}` : 'Official close') +
  prefixDay(' ', day);

/** Returns the preposition followed by the date; an empty text if the service states no date for the figure. */
const prefixDay = (word: string, day: string | null | undefined): string => (day == null ? '' : word + day);

export const PRICE_COLUMNS: readonly Column<PriceLatest>[] = [
  ...makeFieldColumns('symbol', 'day'),
  { key: 'price', measure: 'per_share' },
  ...makeFieldColumns('source', 'updated_at', 'last_sale_at'),
  { key: 'market_cap', measure: 'money' },
  { key: 'prior_day' },
  { key: 'prior_price', measure: 'per_share' },
  { key: 'record_close', measure: 'per_share' },
  ...makeFieldColumns('record_day', 'record_source'),
  { key: 'shares', measure: 'shares' },
  { key: 'shares_as_of' },
];
