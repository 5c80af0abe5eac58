/** A chart as data, drawn as text on a terminal or as SVG. */
import type { Decimal } from '../contract/decimal-text.ts';
import type { Measure } from '../contract/statements/formula.ts';

export interface ChartPoint {
  readonly day: string;
  readonly value: Decimal;
}

/** An event on a certain day, such as a split. */
export interface ChartMark {
  readonly day: string;
  readonly label: string;
}

/** A time series of daily figures. */
export interface LineChart {
  readonly kind: 'line';
  readonly title: string;
  /** Runs of consecutive trading days, earliest first. Points of a run are connected by lines; gaps separate runs. */
  readonly runs: readonly (readonly ChartPoint[])[];
  readonly marks: readonly ChartMark[];
  readonly measure: Measure;
}

/** Figures by period, in one or several series on one scale. */
export interface BarChart {
  readonly kind: 'bars';
  readonly title: string;
  /** Names of the periods, earliest first. */
  readonly periods: readonly string[];
  readonly series: readonly BarSeries[];
  readonly measure: Measure;
  /**
   * Shows several series in one plot: `beside` for bars next to each other, `stacked` for parts of a total. By default
   * each series has its own plot, on a common scale.
   */
  readonly together?: 'beside' | 'stacked';
}

export interface BarSeries {
  /** Name of the series; empty if the chart's title names it. */
  readonly label: string;
  /**
   * Number of the colour in a chart with several series; by default the position of the series. Charts of one answer use
   * it to give a member one colour everywhere.
   */
  readonly colour?: number;
  /** Values parallel to the periods; null for a figure that was not reported. */
  readonly values: readonly (Decimal | null)[];
}

export type Chart = LineChart | BarChart;
