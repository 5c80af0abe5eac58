/** Resources of the HTTP API: section Prices. */
import Type, { type Static } from 'typebox';
import * as s from './scalars.ts';

const PriceSource = s.makeEnum('venue', 'fails', 'venue_official', 'thirteen_f', 'nport');

export const PriceLatest = Type.Object({
  symbol: s.Text,
  day: s.Day,
  price: s.Decimal,
  source: s.Text,
  updated_at: s.Instant,
  last_sale_at: Type.Optional(s.NullableInstant),
  market_cap: Type.Optional(s.NullableDecimal),
  prior_day: Type.Optional(s.NullableDay),
  prior_price: Type.Optional(s.NullableDecimal),
  record_close: Type.Optional(s.NullableDecimal),
  record_day: Type.Optional(s.NullableDay),
  record_source: Type.Optional(s.NullableText),
  shares: Type.Optional(s.NullableDecimal),
  shares_as_of: Type.Optional(s.NullableDay),
});

export const PriceMark = Type.Object({
  day: s.Day,
  close: s.Decimal,
  source: s.Text,
  sample: s.Integer,
  agreement: Type.Optional(s.NullableDecimal),
});

export const PriceAction = Type.Object({
  ex_date: s.Day,
  kind: s.makeEnum('split', 'dividend', 'ticker_change'),
  source: s.Text,
  evidence: Type.Optional(s.NullableText),
  ratio: Type.Optional(s.NullableDecimal),
});

/**
 * A split that filings prove, but whose exact day the prices do not show. The split took effect after the day `after`,
 * and not later than the day `until`.
 */
export const UndatedSplit = Type.Object({ after: s.Day, until: s.Day, ratio: s.Decimal, evidence: s.Text });

export const Prices = Type.Object(
  {
    cik: s.Integer,
    ticker: s.Text,
    entity_name: s.Text,
    from: s.Day,
    to: s.Day,
    days: Type.Array(s.Day),
    price: Type.Array(s.Decimal),
    adj_price: Type.Array(s.Decimal),
    source: Type.Array(PriceSource),
    market_cap: Type.Array(s.NullableDecimal),
    marks: Type.Array(PriceMark),
    actions: Type.Array(PriceAction),
    latest: Type.Optional(s.makeNullable(PriceLatest)),
    /** An addition of fin. On days between `after` and `until`, `adj_price` is not adjusted for any split. */
    undated_splits: Type.Optional(Type.Array(UndatedSplit)),
  },
  { 'x-parallel': ['days', 'price', 'adj_price', 'source', 'market_cap'] },
);

export type PriceLatest = Static<typeof PriceLatest>;
export type PriceMark = Static<typeof PriceMark>;
export type PriceAction = Static<typeof PriceAction>;
export type UndatedSplit = Static<typeof UndatedSplit>;
export type Prices = Static<typeof Prices>;
