/** The latest price, as profile and prices show it. */
import type { PriceLatest } from '../../../contract/resources/prices.ts';
import { type Cell, change, figure } from '../../../output/blocks.ts';
import { difference } from './differences.ts';
import { displayName } from './labels.ts';

export function priceFields(latest: PriceLatest): readonly (readonly [string, Cell])[] {
  const { prior_price: prior, record_close: close } = latest;
  return [
    ['Price', figure(latest.price, 'per_share')],
    ['Day', `${latest.day} (${displayName(latest.source)})`],
    ...(prior == null
      ? []
      : [
          [
            `Change${ofDay(' since ', latest.prior_day)}`,
            change(difference(latest.price, prior), 'per_share'),
          ] as const,
        ]),
    ...(close == null
      ? []
      : [[`Close of record${ofDay(' ', latest.record_day)}`, figure(close, 'per_share')] as const]),
    ['Market cap', figure(latest.market_cap, 'money')],
    ...(latest.shares == null
      ? []
      : [[`Shares${ofDay(' as of ', latest.shares_as_of)}`, figure(latest.shares, 'shares')] as const]),
  ];
}

/** A service need not say of which day a figure is. */
const ofDay = (word: string, day: string | null | undefined): string => (day == null ? '' : word + day);

export const PRICE_COLUMNS: readonly (keyof PriceLatest)[] = [
  'symbol',
  'day',
  'price',
  'source',
  'updated_at',
  'last_sale_at',
  'market_cap',
  'prior_day',
  'prior_price',
  'record_close',
  'record_day',
  'record_source',
  'shares',
  'shares_as_of',
];
