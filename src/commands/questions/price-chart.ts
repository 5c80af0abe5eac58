/** The chart of prices: in shares of today, so that a split is no fall; a line only from one trading day to the next. */
import type { Prices } from '../../contract/resources/prices.ts';
import { type ChartPoint, drawable, isDay, type LineChart } from '../../output/chart/chart.ts';
import { nextTradingDay } from '../../platform/trading-calendar.ts';

export function priceChart({ days, adj_price, actions }: Prices): LineChart {
  const points = days
    .flatMap((day, index): ChartPoint[] => {
      const value = drawable(adj_price[index]);
      return value === null || !isDay(day) ? [] : [{ day, value }];
    })
    .sort((a, b) => (a.day < b.day ? -1 : 1));
  return {
    kind: 'line',
    title: 'Price in today’s shares',
    runs: runsOf(points),
    marks: actions
      .filter(({ kind, ex_date, ratio }) => kind === 'split' && isDay(ex_date) && ratio != null)
      .map(({ ex_date: day, ratio }) => ({ day, label: `split ${ratio}:1` })),
    measure: 'per_share',
  };
}

/** A trading day without a price ends a run: what lies between is not known, and no line may say it is. */
function runsOf(points: readonly ChartPoint[]): readonly (readonly ChartPoint[])[] {
  const runs: ChartPoint[][] = [];
  for (const point of points) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run !== undefined && before !== undefined && point.day <= nextTradingDay(before.day)) run.push(point);
    else runs.push([point]);
  }
  return runs;
}
