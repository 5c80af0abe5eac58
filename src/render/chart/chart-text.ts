/** Draws a chart as lines of text for a terminal. */

import { formatCount } from '../../contract/text/wording.ts';
import type { Chart } from '../../result/chart.ts';
import { drawBarsText } from './bars-text.ts';
import { drawLineText } from './line-text.ts';
import type { ChartLine } from './spans.ts';

export interface ChartText {
  readonly lines: readonly ChartLine[];
  /** Notes about periods or figures that the lines omit. */
  readonly notes: readonly string[];
}

/** @param isExact whether figures next to bars have all digits; does not affect figures on axes */
export function drawChartText(chart: Chart, width: number, isExact = false): ChartText {
  if (chart.kind === 'line') {
    const lines = drawLineText(chart, width);
    const isTooNarrow = lines.length === 0 && chart.runs.length > 0;
    return { lines, notes: isTooNarrow ? ['The terminal is too narrow for a chart.'] : [] };
  }
  const { lines, omittedPeriodCount: omitted } = drawBarsText(chart, width, isExact);
  return { lines, notes: omitted === 0 ? [] : [`The chart leaves out ${formatCount(omitted, 'earlier period')}.`] };
}
