/** Charts of figures by period: of a company's metrics, and of its segments. */
import { compareText } from '../../contract/compare-text.ts';
import type { MetricValue } from '../../contract/resources/metrics.ts';
import type { Segments } from '../../contract/resources/segments.ts';
import { type BarChart, drawable } from '../../output/chart/chart.ts';
import { measureHeading } from './measure-heading.ts';
import { measureOf } from './shared/measure-of.ts';
import { type Period, periodLabel } from './shared/period-label.ts';

/** One chart for each metric and unit, its periods in the order of their ends. */
export function metricCharts(data: readonly MetricValue[]): BarChart[] {
  const lines = new Map<string, MetricValue[]>();
  for (const row of data) {
    const key = `${row.metric_key} ${row.unit}`;
    lines.set(key, [...(lines.get(key) ?? []), row]);
  }
  return [...lines.values()].flatMap((rows) => {
    const ordered = rows.toSorted((a, b) => compareText(a.end_date, b.end_date));
    const [first] = ordered;
    if (first === undefined) return [];
    return {
      kind: 'bars',
      title: `${first.metric_label}, ${first.unit}`,
      periods: namesOf(ordered),
      series: [{ label: '', values: ordered.map(({ value }) => drawable(value)) }],
      measure: measureOf(first.metric_key, first.unit),
    };
  });
}

/** One chart for each measure of each axis, its members on one scale. */
export function segmentCharts({ axes }: Segments): BarChart[] {
  return axes.flatMap((axis) =>
    axis.measures.map((measure): BarChart => {
      const { periods, members } = measure;
      const order = [...periods.keys()].sort((a, b) =>
        compareText(periods[a]?.end_date ?? '', periods[b]?.end_date ?? ''),
      );
      return {
        kind: 'bars',
        title: measureHeading(axis, measure),
        periods: namesOf(order.flatMap((index) => periods[index] ?? [])),
        series: members.map(({ label, values }) => ({
          label,
          values: order.map((index) => drawable(values[index])),
        })),
        measure: 'money',
      };
    }),
  );
}

/** A company that moved the end of its year has two years of one name: those are called by their ends. */
function namesOf(periods: readonly Period[]): string[] {
  const labels = periods.map(periodLabel);
  return periods.map((period, index) => {
    const label = labels[index] ?? '';
    return labels.indexOf(label) === labels.lastIndexOf(label) ? label : period.end_date;
  });
}
