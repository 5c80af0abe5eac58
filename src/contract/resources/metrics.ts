/** Resources of the HTTP API: section Metrics. */
import Type, { type Static } from 'typebox';
import * as s from './scalars.ts';

const RevisionKind = s.makeEnum('first', 'same', 'revised', 're_expressed');
const ValueKind = s.makeEnum('reported', 'derived');

export const MetricStatementRef = Type.Object({
  accession_number: s.Text,
  revision_rank: Type.Integer({ minimum: 1 }),
  kind: RevisionKind,
  filed_at: Type.Optional(s.NullableDay),
  form: Type.Optional(s.NullableText),
});

/** Fields that identify the metric and the company of a row. */
const SubjectFields = {
  metric_value_id: s.Uuid,
  cik: s.Integer,
  entity_name: s.Text,
  metric_key: s.Text,
  metric_label: s.Text,
};

export const MetricValue = Type.Object({
  ...SubjectFields,
  value: s.Decimal,
  unit: s.Text,
  end_date: s.Day,
  period_kind: s.Text,
  value_kind: ValueKind,
  confidence: s.Decimal,
  exchange: Type.Optional(s.NullableText),
  fiscal_period: Type.Optional(s.NullableText),
  fiscal_year: Type.Optional(s.NullableInteger),
  start_date: Type.Optional(s.NullableDay),
  statement: Type.Optional(s.NullableText),
  ticker: Type.Optional(s.NullableText),
  revised: Type.Optional(s.Flag),
  revision_count: Type.Optional(s.Count),
  read_from: Type.Optional(s.makeNullable(MetricStatementRef)),
  /** An addition of fin to the HTTP API. */
  basis_break: Type.Optional(s.Flag),
  /** An addition of fin to the HTTP API. */
  unconfirmed: Type.Optional(s.Text),
  /** An addition of fin to the HTTP API. */
  partial_facts: Type.Optional(s.Flag),
  /** An addition of fin to the HTTP API. */
  split_ratio: Type.Optional(s.NullableDecimal),
});

export const MetricMapping = Type.Object({
  taxonomy: s.Text,
  concept: s.Text,
  priority: s.Integer,
  sign_multiplier: s.Integer,
  unit: Type.Optional(s.NullableText),
});

export const MetricCatalogEntry = Type.Object({
  key: s.Text,
  label: s.Text,
  description: s.Text,
  value_kind: ValueKind,
  covered_company_count: s.Count,
  mappings: Type.Array(MetricMapping),
  formula: Type.Optional(s.NullableText),
  statement: Type.Optional(s.NullableText),
  unit: Type.Optional(s.NullableText),
});

export const FactLocation = Type.Object({
  match_quality: s.makeEnum('unique', 'ambiguous', 'hidden_only', 'none'),
  concept: Type.Optional(s.NullableText),
  context: Type.Optional(s.NullableText),
  document: Type.Optional(s.NullableText),
  line_id: Type.Optional(s.NullableText),
});

export const MetricLineage = Type.Object({
  ...SubjectFields,
  metric_value: s.Decimal,
  metric_unit: s.Text,
  end_date: s.Day,
  period_kind: s.Text,
  raw_fact_id: s.Uuid,
  taxonomy: s.Text,
  concept: s.Text,
  raw_unit: s.Text,
  raw_value: s.Decimal,
  role: s.Text,
  accession_number: Type.Optional(s.NullableText),
  exchange: Type.Optional(s.NullableText),
  filed_at: Type.Optional(s.NullableDay),
  fiscal_period: Type.Optional(s.NullableText),
  fiscal_year: Type.Optional(s.NullableInteger),
  form: Type.Optional(s.NullableText),
  frame: Type.Optional(s.NullableText),
  /**
   * The location of the fact. Missing if the document of the filing was not read; the HTTP API does not permit null
   * here.
   */
  location: Type.Optional(FactLocation),
  /** An addition of fin: the kind of source of the fact; absent for facts in the company facts file. */
  fact_source: Type.Optional(s.makeEnum('inline', 'instance', 'data_set', 'data_set_inferred_dates')),
  /** An addition of fin to the HTTP API. */
  unconfirmed: Type.Optional(s.Text),
  /** An addition of fin to the HTTP API. */
  partial_facts: Type.Optional(s.Flag),
  /** An addition of fin to the HTTP API. */
  split_ratio: Type.Optional(s.NullableDecimal),
  raw_ingestion_run_id: Type.Optional(s.NullableUuid),
  source_payload_id: Type.Optional(s.NullableUuid),
  start_date: Type.Optional(s.NullableDay),
  ticker: Type.Optional(s.NullableText),
});

export const MetricRevision = Type.Object({
  ...SubjectFields,
  metric_unit: s.Text,
  end_date: s.Day,
  period_kind: s.Text,
  revision_rank: Type.Integer({ minimum: 1 }),
  kind: RevisionKind,
  value: s.Decimal,
  raw_fact_id: s.Uuid,
  accession_number: s.Text,
  standing: s.Flag,
  delta: Type.Optional(s.NullableDecimal),
  exchange: Type.Optional(s.NullableText),
  filed_at: Type.Optional(s.NullableDay),
  fiscal_period: Type.Optional(s.NullableText),
  fiscal_year: Type.Optional(s.NullableInteger),
  form: Type.Optional(s.NullableText),
  previous_value: Type.Optional(s.NullableDecimal),
  /** An addition of fin to the HTTP API. */
  adjustment_ratio: Type.Optional(s.NullableDecimal),
  /** An addition of fin to the HTTP API. */
  unconfirmed: Type.Optional(s.Text),
  /** An addition of fin to the HTTP API. */
  partial_facts: Type.Optional(s.Flag),
  split_ratio: Type.Optional(s.NullableDecimal),
  start_date: Type.Optional(s.NullableDay),
  ticker: Type.Optional(s.NullableText),
});

/** An addition of fin: one tagged fact, with the value as filed. */
export const TaggedFact = Type.Object({
  end_date: s.Day,
  value: s.Decimal,
  kind: s.makeEnum('first', 'same', 'revised'),
  revision_rank: Type.Integer({ minimum: 1 }),
  accession_number: s.Text,
  form: s.Text,
  filed_at: s.Day,
  source_url: s.Text,
  start_date: s.NullableDay,
  focus_year: s.NullableInteger,
  focus_period: s.NullableText,
});

export const RawConcept = Type.Object({
  ticker: s.Text,
  exchange: s.Text,
  cik: s.Integer,
  entity_name: s.Text,
  taxonomy: s.Text,
  concept: s.Text,
  unit: s.Text,
  fact_count: s.Integer,
  earliest_end_date: Type.Optional(s.NullableDay),
  latest_end_date: Type.Optional(s.NullableDay),
  /** An addition of fin: the facts of a requested concept. */
  facts: Type.Optional(Type.Array(TaggedFact)),
  /** An addition of fin to the HTTP API. */
  partial_facts: Type.Optional(s.Flag),
});

export type TaggedFact = Static<typeof TaggedFact>;
export type MetricValue = Static<typeof MetricValue>;
export type MetricMapping = Static<typeof MetricMapping>;
export type MetricCatalogEntry = Static<typeof MetricCatalogEntry>;
export type FactLocation = Static<typeof FactLocation>;
export type MetricLineage = Static<typeof MetricLineage>;
export type MetricRevision = Static<typeof MetricRevision>;
export type RawConcept = Static<typeof RawConcept>;
