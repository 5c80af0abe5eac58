/** Resources of the HTTP API: section Segments. */
import Type, { type Static } from 'typebox';
import * as s from './scalars.ts';

export const SegmentPeriod = Type.Object({
  fiscal_year: s.Integer,
  fiscal_period: s.Text,
  end_date: s.Day,
  accession_number: s.Text,
  form: s.Text,
  derived: Type.Optional(s.Flag),
  /**
   * An addition of fin: identifies the definition of the segments by a number, because companies redefine segments. Two
   * periods are comparable if their numbers are equal. The newest definition is 1 (the field is then omitted), the one
   * before it is 2, and so on.
   */
  basis: Type.Optional(s.Integer),
  filed_at: Type.Optional(s.NullableDay),
});

export const SegmentMember = Type.Object({
  member: s.Text,
  label: s.Text,
  values: Type.Array(s.NullableDecimal),
  /**
   * An addition of fin: the member of which this one is a part. In periods in which the parent has no value, this
   * member is added instead. Members with one parent add up to it; members without a parent add up to the total.
   */
  parent: Type.Optional(s.Text),
  /**
   * An addition of fin; absent for a member that is added to its parent or to the total. `not_added`: the member is
   * part of no sum, for example because other members include it.
   */
  role: Type.Optional(s.makeEnum('reconciling', 'not_added')),
});

export const SegmentMeasure = Type.Object(
  {
    measure: s.makeEnum(
      'revenue',
      'operating_income',
      'gross_profit',
      'cost_of_revenue',
      'assets',
      'long_lived_assets',
      'capital_expenditure',
      'depreciation',
    ),
    concept: s.Text,
    unit: s.Text,
    periods: Type.Array(SegmentPeriod),
    members: Type.Array(SegmentMember),
    totals: Type.Array(s.NullableDecimal),
  },
  { 'x-parallel': ['periods', 'totals', 'members.values'] },
);

export const SegmentAxis = Type.Object({
  axis: s.makeEnum('segment', 'geography', 'product'),
  measures: Type.Array(SegmentMeasure),
});

export const Segments = Type.Object({
  cik: s.Integer,
  ticker: s.Text,
  entity_name: s.Text,
  period: s.makeEnum('annual', 'quarterly'),
  axes: Type.Array(SegmentAxis),
  documents: s.Integer,
  updated_at: Type.Optional(s.NullableInstant),
});

export type SegmentPeriod = Static<typeof SegmentPeriod>;
export type SegmentMember = Static<typeof SegmentMember>;
export type SegmentMeasure = Static<typeof SegmentMeasure>;
export type SegmentAxis = Static<typeof SegmentAxis>;
export type Segments = Static<typeof Segments>;
