/** Resources of the HTTP API: section Securities. */
import Type, { type Static } from 'typebox';
import { PriceLatest } from './prices.ts';
import * as s from './scalars.ts';

export const SecuritySearchHit = Type.Object({
  ticker: s.Text,
  ticker_normalized: s.Text,
  exchange: s.Text,
  cik: s.Integer,
  entity_name: s.Text,
  security_coverage_state: s.Text,
  company_coverage_state: s.Text,
  /** An addition of fin, for companies without a current ticker. */
  last_report: Type.Optional(s.NullableDay),
  /** An addition of fin: the brand by which the company was found. */
  brand: Type.Optional(s.Text),
  /** An addition of fin: whether the company has only a name similar to the query. */
  approximate: Type.Optional(s.Flag),
});

export const SecurityProfile = Type.Object({
  security_id: s.Uuid,
  ticker: s.Text,
  ticker_normalized: s.Text,
  exchange: s.Text,
  is_primary: s.Flag,
  is_active: s.Flag,
  security_coverage_state: s.Text,
  cik: s.Integer,
  entity_name: s.Text,
  company_coverage_state: s.Text,
  filing_count: s.Integer,
  raw_fact_count: s.Integer,
  metric_value_count: s.Integer,
  latest_filing_at: Type.Optional(s.NullableDay),
  /** Additions of fin: the date of the last annual or interim report, and whether the company no longer reports. */
  last_report: Type.Optional(s.NullableDay),
  gone: Type.Optional(s.makeNullable(s.Flag)),
  /** Additions of fin: the company's industry code (SIC) and its description. */
  sic: Type.Optional(s.makeNullable(s.Text)),
  industry: Type.Optional(s.makeNullable(s.Text)),
  /** An addition of fin: the source of the industry code, if it is not the SEC. */
  industry_source: Type.Optional(s.Text),
  /** An addition of fin: whether the release has only some of the company's facts. */
  partial_facts: Type.Optional(s.Flag),
  price: Type.Optional(s.makeNullable(PriceLatest)),
});

export type SecuritySearchHit = Static<typeof SecuritySearchHit>;
export type SecurityProfile = Static<typeof SecurityProfile>;
