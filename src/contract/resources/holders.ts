/** Resources of the HTTP API: section Holders (Form 13F). */
import Type, { type Static } from 'typebox';
import * as s from './scalars.ts';

export const HolderHit = Type.Object({
  cik: s.Integer,
  name: s.Text,
  latest_period: Type.Optional(s.NullableDay),
  latest_positions: Type.Optional(s.NullableInteger),
  latest_value: Type.Optional(s.NullableDecimal),
});

export const HolderPosition = Type.Object({
  cusip: s.Text,
  issuer: s.Text,
  class: s.Text,
  put_call: s.makeEnum('Put', 'Call', ''),
  amount: s.Decimal,
  amount_type: s.Text,
  value: s.Decimal,
  cik: Type.Optional(s.NullableInteger),
  entity_name: Type.Optional(s.NullableText),
  ticker: Type.Optional(s.NullableText),
  prior_amount: Type.Optional(s.NullableDecimal),
  prior_value: Type.Optional(s.NullableDecimal),
  weight: Type.Optional(s.NullableDecimal),
  split_ratio: Type.Optional(s.NullableDecimal),
});

export const HolderQuarter = Type.Object({
  period: s.Day,
  filed_at: s.Day,
  accession_number: s.Text,
  positions: s.Integer,
  value_total: s.Decimal,
});

/** A manager that reports positions of another manager; fields are null if the filing does not state them. */
export const OtherReporter = Type.Object({ cik: s.NullableInteger, name: s.NullableText });

export const HolderNotice = Type.Object({
  period: s.Day,
  filed_at: s.Day,
  accession_number: s.Text,
  reported_by: Type.Array(OtherReporter),
});

export const Holder = Type.Object({
  cik: s.Integer,
  name: s.Text,
  period: s.Day,
  accession_number: s.Text,
  filed_at: s.Day,
  positions: s.Integer,
  value_total: s.Decimal,
  other_managers: s.Integer,
  opened: s.NullableInteger,
  closed: s.NullableInteger,
  rows: Type.Array(HolderPosition),
  rows_total: s.Integer,
  quarters: Type.Array(HolderQuarter),
  prior_period: Type.Optional(s.NullableDay),
  notice: Type.Optional(HolderNotice),
  reported_by: Type.Optional(Type.Array(OtherReporter)),
});

export const SecurityHolder = Type.Object({
  holder_cik: s.Integer,
  holder_name: s.Text,
  accession_number: s.Text,
  filed_at: s.Day,
  amount: s.Decimal,
  amount_type: s.makeEnum('SH', 'PRN'),
  value: s.Decimal,
  prior_known: s.Flag,
  prior_amount: Type.Optional(s.NullableDecimal),
  prior_value: Type.Optional(s.NullableDecimal),
  weight: Type.Optional(s.NullableDecimal),
});

export const SecurityHolders = Type.Object({
  cik: s.Integer,
  ticker: s.Text,
  entity_name: s.Text,
  period: s.Day,
  holders: s.Integer,
  amount_held: s.Decimal,
  value_held: s.Decimal,
  opened: s.NullableInteger,
  closed: s.NullableInteger,
  rows: Type.Array(SecurityHolder),
  rows_total: s.Integer,
  prior_amount_held: Type.Optional(s.NullableDecimal),
  prior_holders: Type.Optional(s.NullableInteger),
  prior_period: Type.Optional(s.NullableDay),
  split_ratio: Type.Optional(s.NullableDecimal),
  updated_at: Type.Optional(s.NullableInstant),
});

export type HolderHit = Static<typeof HolderHit>;
export type HolderPosition = Static<typeof HolderPosition>;
export type OtherReporter = Static<typeof OtherReporter>;
export type Holder = Static<typeof Holder>;
export type SecurityHolder = Static<typeof SecurityHolder>;
export type SecurityHolders = Static<typeof SecurityHolders>;
