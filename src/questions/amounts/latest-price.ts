/** Formats the latest price for `profile` and `prices`. */
import type { PriceLatest } from '../../contract/resources/prices.ts';
import { makeFigureCell, makeSignedFigureCell } from '../../result/blocks.ts';
import { makeDisplayName } from '../../result/labels.ts';
import type { LabelledValue } from '../../result/result.ts';
import type { Column } from '../../result/table.ts';
import { subtractOrNull } from './amounts.ts';

export function makePriceFacts(latestPrice: PriceLatest): readonly LabelledValue[] {
  const { prior_price: priorPrice, record_close: recordClose } = latestPrice;
  return [
    ['Price', makeFigureCell(latestPrice.price, 'per_share')],
    ['Day', `${latestPrice.day} (${makeDisplayName(latestPrice.source)})`],
    ...(priorPrice == null
      ? []
      : [
          [
            `Change${formatDayWithPreposition(' since ', latestPrice.prior_day)}`,
            makeSignedFigureCell(subtractOrNull(latestPrice.price, priorPrice), 'per_share'),
          ] as const,
        ]),
    ...(recordClose == null
      ? []
      : [
          [
            `${formatRecordPriceLabel(latestPrice)}${formatDayWithPreposition(' ', latestPrice.record_day)}`,
            makeFigureCell(recordClose, 'per_share'),
          ] as const,
        ]),
    ['Market cap', makeFigureCell(latestPrice.market_cap, 'money')],
    ...(latestPrice.shares == null
      ? []
      : [
          [
            `Shares${formatDayWithPreposition(' as of ', latestPrice.shares_as_of)}`,
            makeFigureCell(latestPrice.shares, 'shares'),
          ] as const,
        ]),
  ];
}

/** Sources whose prices are computed from reported holdings: they are not closing prices of an exchange. */
const IMPLIED_PRICE_SOURCES: ReadonlySet<string> = new Set(['nport', 'thirteen_f']);

const formatRecordPriceLabel = ({ record_source: source }: PriceLatest): string =>
  source != null && IMPLIED_PRICE_SOURCES.has(source) ? `Price of ${makeDisplayName(source)}` : 'Official close';

/** Returns a preposition and a date; empty if the service states no date for the figure. */
const formatDayWithPreposition = (preposition: string, day: string | null | undefined): string =>
  day == null ? '' : preposition + day;

export const PRICE_COLUMNS: readonly Column<PriceLatest>[] = [
  { key: 'symbol' },
  { key: 'day' },
  { key: 'price', measure: 'per_share' },
  { key: 'source' },
  { key: 'updated_at' },
  { key: 'last_sale_at' },
  { key: 'market_cap', measure: 'money' },
  { key: 'prior_day' },
  { key: 'prior_price', measure: 'per_share' },
  { key: 'record_close', measure: 'per_share' },
  { key: 'record_day' },
  { key: 'record_source' },
  { key: 'shares', measure: 'shares' },
  { key: 'shares_as_of' },
];
