/** What is broken down, by what, and how it is kept. */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { SegmentAxis, SegmentMeasure, Segments } from '../../contract/resources/segments.ts';

export type AxisName = SegmentAxis['axis'];

export type MeasureName = SegmentMeasure['measure'];

/** One measure of one period, broken down along one axis, as one filing states it. */
export interface Breakdown {
  readonly axis: AxisName;
  readonly measure: MeasureName;
  readonly concept: string;
  readonly unit: string;
  readonly start: string | null;
  readonly end: string;
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  /** By member as filed. */
  readonly members: ReadonlyMap<string, Decimal>;
  /** The consolidated figure of the same filing; null where it states none. */
  readonly total: Decimal | null;
  /** Stated only together with a member of another axis: a product within its segment. */
  readonly crossed: boolean;
}

/** A cut whose subtotals are gone. */
export interface LeafBreakdown extends Breakdown {
  /** The members account for the total. */
  readonly complete: boolean;
}

export interface SeriesPeriod {
  readonly fiscalYear: number;
  readonly fiscalPeriod: string;
  readonly end: string;
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
  /** A fourth quarter, taken as the year less three quarters. */
  readonly derived: boolean;
  readonly total: Decimal | null;
}

export interface SeriesMember {
  readonly member: string;
  readonly label: string;
  /** One per period, in the periods' order. */
  readonly values: readonly (Decimal | null)[];
}

/** One measure along one axis over time. Periods latest first; members by their latest value, largest first. */
export interface SegmentSeries {
  readonly period: Segments['period'];
  readonly axis: AxisName;
  readonly measure: MeasureName;
  readonly concept: string;
  readonly unit: string;
  readonly periods: readonly SeriesPeriod[];
  readonly members: readonly SeriesMember[];
}
