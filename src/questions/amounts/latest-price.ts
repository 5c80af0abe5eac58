/** Formats the latest price for `profile` and `prices`. */
import type { PriceLatest } from '../../contract/resources/prices.ts';
import { makeFigureCell, makeSignedFigureCell } from '../../result/blocks.ts';
import { makeDisplayName } from '../../result/labels.ts';
import type { LabelledValue } from '../../result/result.ts';
import type { Column } from '../../result/table.ts';
import { subtractOrNull } from './amounts.ts';

export function makePriceFacts(latest: PriceLatest): readonly LabelledValue[] {
  const { prior_price: prior, record_close: close } = latest;
  return [
    ['Price', makeFigureCell(latest.price, 'per_share')],
    ['Day', `${latest.day} (${makeDisplayName(latest.source)})`],
    ...(prior == null
      ? []
      : [
          [
            `Change${formatDayWithPreposition(' since ', latest.prior_day)}`,
            makeSignedFigureCell(subtractOrNull(latest.price, prior), 'per_share'),
          ] as const,
        ]),
    ...(close == null
      ? []
      : [
          [
            `${formatRecordPriceLabel(latest)}${formatDayWithPreposition(' ', latest.record_day)}`,
            makeFigureCell(close, 'per_share'),
          ] as const,
        ]),
    ['Market cap', makeFigureCell(latest.market_cap, 'money')],
    ...(latest.shares == null
      ? []
      : [
          [
            `Shares${formatDayWithPreposition(' as of ', latest.shares_as_of)}`,
            makeFigureCell(latest.shares, 'shares'),
          ] as const,
        ]),
  ];
}

/** Sources whose prices are computed from reported holdings: they are not closing prices of an exchange. */
const IMPLIED_PRICE_SOURCES: ReadonlySet<string> = new Set(['nport', 'thirteen_f']);

const formatRecordPriceLabel = ({ record_source: source }: PriceLatest): string =>
  source != null && IMPLIED_PRICE_SOURCES.has(source) ? `Price of ${makeDisplayName(source)}` : 'Official close';

/** Returns a preposition and a date; empty if the service states no date for the figure. */
const formatDayWithPreposition = (word: string, day: string | null | undefined): string =>
  day == null ? '' : word + day;

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
