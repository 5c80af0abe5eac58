/** A chart as data, drawn as text on a terminal or as SVG. */
import type { Decimal } from '../contract/decimal-text.ts';
import type { Measure } from '../contract/figures/formula.ts';

export interface ChartPoint {
  readonly day: string;
  readonly value: Decimal;
}

/** An event on a day, such as a split. */
export interface ChartMark {
  readonly day: string;
  readonly label: string;
}

/** A figure over days. */
export interface LineChart {
  readonly kind: 'line';
  readonly title: string;
  /** Runs of consecutive days, earliest first. Lines are drawn within a run; between runs is a gap. */
  readonly runs: readonly (readonly ChartPoint[])[];
  readonly marks: readonly ChartMark[];
  readonly measure: Measure;
}

/** Figures of periods: one series, or several on one scale. */
export interface BarChart {
  readonly kind: 'bars';
  readonly title: string;
  /** Earliest first. */
  readonly periods: readonly string[];
  readonly series: readonly BarSeries[];
  readonly measure: Measure;
  /**
   * Several series in one plot: bars next to each other, or the parts of a whole on top of each other. Default: a plot
   * for each series, all on one scale.
   */
  readonly together?: 'beside' | 'stacked';
}

export interface BarSeries {
  /** Empty if the chart's title names the series. */
  readonly label: string;
  /** Parallel to the periods; null if the figure was not reported. */
  readonly values: readonly (Decimal | null)[];
}

export type Chart = LineChart | BarChart;
