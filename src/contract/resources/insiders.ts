/** Resources of the HTTP API: section Insider activity. */
import Type, { type Static } from 'typebox';
import * as s from './scalars.ts';

export const InsiderOwner = Type.Object({
  cik: s.Integer,
  name: s.Text,
  is_director: s.Flag,
  is_officer: s.Flag,
  is_ten_percent_owner: s.Flag,
  is_other: s.Flag,
  officer_title: Type.Optional(s.NullableText),
  other_text: Type.Optional(s.NullableText),
});

export const InsiderTransaction = Type.Object({
  ordinal: s.Integer,
  security_title: s.Text,
  transaction_code: s.makeEnum('P', 'S'),
  footnote_ids: Type.Array(s.Text),
  value_status: s.makeEnum('counted', 'suspect', 'not_equity'),
  acquired_disposed_code: Type.Optional(s.NullableText),
  direct_indirect_ownership: Type.Optional(s.NullableText),
  nature_of_ownership: Type.Optional(s.NullableText),
  price_per_share: Type.Optional(s.NullableDecimal),
  shares: Type.Optional(s.NullableDecimal),
  shares_owned_following: Type.Optional(s.NullableDecimal),
  transaction_value: Type.Optional(s.NullableDecimal),
  transaction_date: Type.Optional(s.NullableDay),
  repeated: Type.Optional(s.Flag),
});

export const InsiderFootnote = Type.Object({ id: s.Text, text: s.Text });

export const InsiderFiling = Type.Object({
  accession_number: s.Text,
  cik: s.Integer,
  entity_name: s.Text,
  form: s.makeEnum('4', '4/A', '5', '5/A'),
  is_amendment: s.Flag,
  source_url: s.Uri,
  owners: Type.Array(InsiderOwner),
  transactions: Type.Array(InsiderTransaction),
  footnotes: Type.Array(InsiderFootnote),
  aff10b5_one: Type.Optional(s.NullableFlag),
  filed_at: Type.Optional(s.NullableDay),
  period_of_report: Type.Optional(s.NullableDay),
  ticker: Type.Optional(s.NullableText),
});

export const InsiderActivityPage = Type.Object({
  total_transactions: s.Count,
  purchase_transactions: s.Count,
  sale_transactions: s.Count,
  uncounted_transactions: s.Count,
  reported_purchase_value: s.Decimal,
  reported_sale_value: s.Decimal,
  filings: Type.Array(InsiderFiling),
});

export type InsiderOwner = Static<typeof InsiderOwner>;
export type InsiderTransaction = Static<typeof InsiderTransaction>;
export type InsiderFiling = Static<typeof InsiderFiling>;
export type InsiderActivityPage = Static<typeof InsiderActivityPage>;
