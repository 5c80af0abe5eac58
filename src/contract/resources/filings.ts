/** Resources of the HTTP API: section Filings. */
import Type, { type Static } from 'typebox';
import * as s from './scalars.ts';

export const Filing = Type.Object({
  cik: s.Integer,
  entity_name: s.Text,
  form: s.Text,
  accession_number: s.Text,
  accepted_at: Type.Optional(s.NullableInstant),
  announcement_timing: Type.Optional(s.makeNullable(s.makeEnum('before_open', 'during_market', 'after_close'))),
  exchange: Type.Optional(s.NullableText),
  filed_at: Type.Optional(s.NullableDay),
  fiscal_period: Type.Optional(s.NullableText),
  fiscal_year: Type.Optional(s.NullableInteger),
  items: Type.Optional(Type.Array(s.Text)),
  primary_document: Type.Optional(s.NullableText),
  report_date: Type.Optional(s.NullableDay),
  source_url: Type.Optional(s.NullableUri),
  ticker: Type.Optional(s.NullableText),
});

export const FilingSourceDocument = Type.Object({ document: s.Text, kind: s.Text, url: s.Uri, read: s.Flag });

export const FilingSource = Type.Object({
  accession_number: s.Text,
  cik: s.Integer,
  entity_name: s.Text,
  form: s.Text,
  folder: s.Uri,
  documents: Type.Array(FilingSourceDocument),
  accepted_at: Type.Optional(s.NullableInstant),
  filed_at: Type.Optional(s.NullableDay),
  ticker: Type.Optional(s.NullableText),
});

export const FilingsDayCount = Type.Object({ date: s.Day, filings: s.Integer });
export const FilingsDayForm = Type.Object({ form: s.Text, filings: s.Integer });

export const FilingsDayTrade = Type.Object({
  accession_number: s.Text,
  cik: s.Integer,
  entity_name: s.Text,
  kind: s.makeEnum('purchase', 'sale'),
  is_director: s.Flag,
  is_officer: s.Flag,
  is_ten_percent_owner: s.Flag,
  shares: s.Decimal,
  value: s.Decimal,
  source_url: s.Uri,
  officer_title: Type.Optional(s.NullableText),
  owner_name: Type.Optional(s.NullableText),
  ticker: Type.Optional(s.NullableText),
});

export const FilingsDayInsiders = Type.Object({
  purchases: s.Integer,
  purchase_value: s.Decimal,
  sales: s.Integer,
  sale_value: s.Decimal,
  largest: Type.Array(FilingsDayTrade),
});

export const FilingsDayReport = Type.Object({
  cik: s.Integer,
  entity_name: s.Text,
  form: s.Text,
  accession_number: s.Text,
  accepted_at: Type.Optional(s.NullableInstant),
  exchange: Type.Optional(s.NullableText),
  fiscal_period: Type.Optional(s.NullableText),
  fiscal_year: Type.Optional(s.NullableInteger),
  prior_revenue: Type.Optional(s.NullableDecimal),
  report_date: Type.Optional(s.NullableDay),
  revenue: Type.Optional(s.NullableDecimal),
  revenue_end: Type.Optional(s.NullableDay),
  revenue_start: Type.Optional(s.NullableDay),
  source_url: Type.Optional(s.NullableUri),
  ticker: Type.Optional(s.NullableText),
});

export const FilingsDay = Type.Object({
  date: s.Day,
  latest: s.Day,
  filings: s.Integer,
  companies: s.Integer,
  lines: Type.Array(Filing, { maxItems: 1500 }),
  lines_total: s.Integer,
  reports: Type.Array(FilingsDayReport),
  insiders: FilingsDayInsiders,
  forms: Type.Array(FilingsDayForm),
  days: Type.Array(FilingsDayCount, { maxItems: 14 }),
  live: Type.Optional(s.Flag),
  updated_at: Type.Optional(s.Instant),
});

export type Filing = Static<typeof Filing>;
export type FilingSource = Static<typeof FilingSource>;
export type FilingSourceDocument = Static<typeof FilingSourceDocument>;
export type FilingsDay = Static<typeof FilingsDay>;
export type FilingsDayForm = Static<typeof FilingsDayForm>;
export type FilingsDayReport = Static<typeof FilingsDayReport>;
export type FilingsDayTrade = Static<typeof FilingsDayTrade>;
